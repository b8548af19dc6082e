//! The README's bot is a real one.

/// What the README shows is the example that was compiled.
#[test]
fn the_readme_shows_the_example() {
    let example = include_str!("../examples/highest.rs");
    let (_, code) = example.split_once("\n\n").expect("a line that says what it is, then the code");
    assert!(include_str!("../README.md").contains(&format!("```rust\n{code}```")));
}
