//! Plays LIE by the odds: how likely is a bid true, given the own hand, the deck and who bid what?
//!
//! It asks for no legal list: it knows the game, and answers with the game's own typed messages. Its decisions are those
//! of clients/python/examples/lie_bot.py.

mod odds;

use std::process::ExitCode;

use croupier_client::games::lie::{self, action::Kind};
use croupier_client::protos::croupier::v1::option_value::Value;
use croupier_client::{Choice, Legal, Settings, Turn, View, run};
use sha2::{Digest, Sha256};

use odds::{VALUES, at_least, hand, hand_sizes};

/// A raise this likely to be true is worth making …
const SAFE: f64 = 0.75;
/// … and this likely when bluffing.
const BOLD: f64 = 0.45;
const BLUFF_ONE_IN: u8 = 8;

fn main() -> ExitCode {
    run(play, Settings { legal: Legal::Count, events: false, ..Settings::default() })
}

/// One decision of any phase; the first legal action of a game that is not LIE.
fn play(turn: &Turn) -> Choice {
    let Some(View::Lie(view)) = turn.view() else { return Choice::Index(0) };
    let kind = match view.phase() {
        lie::Phase::Arrange => Kind::Arrange(lie::Arrange { values: arranged(view) }),
        lie::Phase::Declare => Kind::Declare(lie::Declare { direction: direction(turn).into() }),
        _ => answer(turn, view),
    };
    lie::Action { kind: Some(kind) }.into()
}

/// Turns as many cards as possible to one value; jokers come next, then high values.
fn arranged(view: &lie::View) -> Vec<u32> {
    let jokers = view.ones_are_jokers;
    let has = |card: &lie::Card, value: u32| card.low == value || card.high == value;
    let favourite = VALUES
        .filter(|&value| !jokers || value != 1)
        .max_by_key(|&value| (hand(view).iter().filter(|card| has(card, value)).count(), value))
        .expect("there are values");
    let shown = |card: &lie::Card| match card {
        card if has(card, favourite) => favourite,
        card if jokers && card.low == 1 => 1,
        card => card.high,
    };
    hand(view).iter().map(shown).collect()
}

fn direction(turn: &Turn) -> lie::Direction {
    match whim(turn, 2) {
        0 => lie::Direction::Clockwise,
        _ => lie::Direction::CounterClockwise,
    }
}

/// The highest raise that is likely enough to be true, unless doubting the last bid promises more.
fn answer(turn: &Turn, view: &lie::View) -> Kind {
    let truth: Vec<Vec<f64>> = VALUES.map(|value| at_least(view, turn.seat(), value)).collect();
    let likely = |bid: lie::Bid| truth[bid.value as usize - 1][bid.count as usize];
    let last = view.bids.last().map(|bid| lie::Bid { count: bid.count, value: bid.value });
    let doubt = last.map_or(0.0, |bid| 1.0 - likely(bid));
    let enough = if whim(turn, BLUFF_ONE_IN) == 0 { BOLD } else { SAFE };
    let (mut best, mut promise) = (None, doubt);
    for bid in higher_bids(hand_sizes(view).iter().sum(), last, count_first(turn)) {
        if likely(bid) > promise || (likely(bid) >= enough && enough > doubt) {
            (best, promise) = (Some(bid), likely(bid));
        }
    }
    best.map_or(Kind::Challenge(lie::Challenge {}), Kind::Bid)
}

/// All bids above the last one, the lowest first.
fn higher_bids(cards: u32, last: Option<lie::Bid>, count_first: bool) -> Vec<lie::Bid> {
    let rank = |bid: &lie::Bid| if count_first { (bid.count, bid.value) } else { (bid.value, bid.count) };
    let floor = last.as_ref().map(rank);
    let all = (1..=cards).flat_map(|count| VALUES.map(move |value| lie::Bid { count, value }));
    let mut above: Vec<lie::Bid> = all.filter(|bid| Some(rank(bid)) > floor).collect();
    above.sort_by_key(rank);
    above
}

/// Whether bids are compared by their count first: an option of the game.
fn count_first(turn: &Turn) -> bool {
    let order = turn.seated().options.get("bid_order").and_then(|option| option.value.as_ref());
    matches!(order, Some(Value::Text(text)) if text == "count_first")
}

/// A throw of a die that falls the same way whenever this deal comes to this decision again.
fn whim(turn: &Turn, sides: u8) -> u8 {
    let digest = Sha256::new()
        .chain_update(&turn.seated().seed_commitment)
        .chain_update(format!("/{}/{}", turn.seat(), turn.decision_id()))
        .finalize();
    digest[0] % sides
}

#[cfg(test)]
mod tests;
