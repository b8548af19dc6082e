//! Plays the last legal action of every decision, and says how its games end.

use std::process::ExitCode;

use croupier_client::{Bot, Choice, GameOver, Settings, Turn, run};

struct Highest;

impl Bot for Highest {
    fn play(&mut self, turn: &Turn) -> Choice {
        let last = turn.legal().last().expect("there is always one");
        Choice::Notation(last.notation.clone())
    }

    fn game_over(&mut self, result: &GameOver) {
        if let Some(outcome) = &result.outcome {
            let place = outcome.results[result.seat as usize].place;
            eprintln!("place {place}: {}", outcome.reason);
        }
    }
}

fn main() -> ExitCode {
    run(Highest, Settings { view: false, events: false, ..Settings::default() })
}
