//! Bots for Croupier: write [`Bot::play`], hand the bot to [`run`]; README.md shows a whole one.
//!
//! The protos are the contract. [`protos`] has all their messages; those a bot meets most are re-exported here.

#![warn(missing_docs)]

mod backoff;
mod bot;
mod channel;
mod player;
mod run;
mod settings;
mod stream;
mod turn;

/// The messages and services of the wire, generated from the protos by the build.
#[allow(missing_docs, clippy::all)]
pub mod protos {
    include!(concat!(env!("OUT_DIR"), "/protos.rs"));
}

pub use bot::{Bot, Choice};
pub use protos::croupier::v1::{
    GameOver, LegalAction, Refusal, Seated, game_action::Game as Action, game_event::Game as Event,
    game_view::Game as View,
};
pub use run::run;
pub use settings::{Legal, Settings};
pub use turn::Turn;

/// The messages of each game: `View`, `Action`, `Event` and what they are made of.
pub mod games {
    pub use crate::protos::croupier::games::chain_reaction::v1 as chain_reaction;
    pub use crate::protos::croupier::games::lie::v1 as lie;
    pub use crate::protos::croupier::games::seventeen::v1 as seventeen;
    pub use crate::protos::croupier::games::ten::v1 as ten;
    pub use crate::protos::croupier::games::twice_as_clever::v1 as twice_as_clever;
}
