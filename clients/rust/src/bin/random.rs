//! Plays any game at random: it never looks at the game, only at how many legal actions there are.
//!
//! Its choices follow from CROUPIER_BOT_SEED and from which decision of which deal it is, not from the order in which
//! games happen to be served: the same deal is played the same way again, and as the Python random bot plays it.

use std::env;
use std::process::ExitCode;

use croupier_client::{Legal, Settings, Turn, run};
use sha2::{Digest, Sha256};

fn main() -> ExitCode {
    let seed = env::var("CROUPIER_BOT_SEED").unwrap_or_else(|_| "0".into());
    let settings = Settings { view: false, legal: Legal::Count, events: false, ..Settings::default() };
    run(move |turn: &Turn| draw(&seed, turn), settings)
}

/// A position in the legal list, each equally likely.
fn draw(seed: &str, turn: &Turn) -> u32 {
    let digest = Sha256::new()
        .chain_update(seed)
        .chain_update(b"/")
        .chain_update(&turn.seated().seed_commitment)
        .chain_update(format!("/{}/{}", turn.seat(), turn.decision_id()))
        .finalize();
    let (head, _) = digest.split_first_chunk().expect("a digest has 32 bytes");
    let position = u64::from_be_bytes(*head) % u64::from(turn.legal_count());
    u32::try_from(position).expect("it is below the count")
}

#[cfg(test)]
mod tests {
    use super::*;
    use croupier_client::{Seated, protos::croupier::v1};

    fn drawn(seed: &str, decision_id: u64) -> u32 {
        let seated = Seated { seed_commitment: vec![7; 32], ..Seated::default() };
        let raw = v1::Turn { seat: 1, decision_id, legal_count: 1000, ..v1::Turn::default() };
        draw(seed, &Turn::new(raw, Some(&seated)))
    }

    /// The choices are those of clients/python/examples/random_bot.py, which these numbers are from.
    #[test]
    fn choices_are_those_of_the_python_bot() {
        assert_eq!([drawn("0", 1), drawn("0", 2), drawn("17", 1)], [349, 403, 315]);
    }
}
