//! Generates the stubs from the protos of the repository, into cargo's own folder.

const PROTOS: &str = "../../protos";

/// They import all others: the games, turns, sessions and the catalog.
const ROOTS: [&str; 2] = ["croupier/v1/bots.proto", "croupier/v1/records.proto"];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed={PROTOS}/croupier");
    println!("cargo::rerun-if-changed=build.rs");
    let files = protox::compile(ROOTS, [PROTOS])?;
    tonic_prost_build::configure()
        .build_server(false)
        .build_transport(false)
        .include_file("protos.rs")
        .compile_fds(files)?;
    Ok(())
}
