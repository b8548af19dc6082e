//! What a bot author writes: how to decide, and, if wanted, how to listen to what else happens.

use std::sync::atomic::{AtomicU32, Ordering};

use crate::games::{chain_reaction, lie, seventeen, ten, twice_as_clever};
use crate::{Action, GameOver, Refusal, Seated, Turn};

const REFUSALS_SHOWN: u32 = 5;

/// A player of any number of games at once: keep what you remember of a game under session and seat.
///
/// A closure from a turn to anything that is [`Into<Choice>`] is a bot too.
pub trait Bot {
    /// Decides. A panic in here ends the bot with exit code 101 and its trace.
    fn play(&mut self, turn: &Turn) -> Choice;

    /// A game has started; also called again after a reconnect.
    fn seated(&mut self, _seated: &Seated) {}

    /// An answer was not taken; if the decision is still open, its turn follows again.
    ///
    /// Unless you write this, the first five are written to stderr.
    fn refused(&mut self, refusal: &Refusal) {
        show(refusal);
    }

    /// A game has ended; an aborted one has no outcome.
    fn game_over(&mut self, _result: &GameOver) {}
}

impl<F, C> Bot for F
where
    F: FnMut(&Turn) -> C,
    C: Into<Choice>,
{
    fn play(&mut self, turn: &Turn) -> Choice {
        self(turn).into()
    }
}

/// What a bot answers, in whichever form is handy.
#[derive(Clone, Debug, PartialEq)]
pub enum Choice {
    /// A position in the turn's legal list, counting from 0.
    Index(u32),
    /// The notation of a legal action.
    Notation(String),
    /// The game's own typed action.
    Action(Action),
}

impl From<u32> for Choice {
    fn from(index: u32) -> Self {
        Choice::Index(index)
    }
}

impl From<usize> for Choice {
    fn from(index: usize) -> Self {
        Choice::Index(u32::try_from(index).unwrap_or(u32::MAX)) // which is in no legal list, and said to be so
    }
}

impl From<String> for Choice {
    fn from(notation: String) -> Self {
        Choice::Notation(notation)
    }
}

impl From<&str> for Choice {
    fn from(notation: &str) -> Self {
        Choice::Notation(notation.to_owned())
    }
}

impl From<Action> for Choice {
    fn from(action: Action) -> Self {
        Choice::Action(action)
    }
}

macro_rules! choice_from_action {
    ($($game:ident => $kind:ident),*) => {$(
        impl From<$game::Action> for Choice {
            fn from(action: $game::Action) -> Self {
                Choice::Action(Action::$kind(action))
            }
        }
    )*};
}

choice_from_action!(
    lie => Lie, ten => Ten, seventeen => Seventeen, chain_reaction => ChainReaction, twice_as_clever => TwiceAsClever
);

/// Says on stderr what was refused, the first few times in the life of the process.
fn show(refusal: &Refusal) {
    static SEEN: AtomicU32 = AtomicU32::new(0);
    let seen = SEEN.fetch_add(1, Ordering::Relaxed);
    if seen < REFUSALS_SHOWN {
        let Refusal { reason, session_id, seat, decision_id, message, .. } = refusal;
        eprintln!("croupier: refused {reason} (session {session_id}, seat {seat}, decision {decision_id}): {message}");
    } else if seen == REFUSALS_SHOWN {
        eprintln!("croupier: refused again; further refusals are not shown");
    }
}
