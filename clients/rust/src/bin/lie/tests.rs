//! Decisions, which are those of clients/python/examples/lie_bot.py on the same turns.

use croupier_client::Seated;
use croupier_client::protos::croupier::v1::{self, OptionValue};

use super::*;

const NO_BLUFF: u64 = 1;
const BLUFF: u64 = 22; // at this decision of the deal below the die says so

fn card(low: u32, high: u32, showing: u32) -> lie::Card {
    lie::Card { low, high, showing }
}

fn view(phase: lie::Phase, bids: &[(u32, u32)]) -> lie::View {
    lie::View {
        phase: phase.into(),
        round: Some(lie::Round { hand_sizes: vec![3, 3], ..lie::Round::default() }),
        hand: Some(lie::Hand { cards: vec![card(1, 6, 6), card(2, 6, 6), card(3, 4, 4)] }),
        bids: bids.iter().map(|&(count, value)| lie::PlacedBid { seat: 1, count, value }).collect(),
        ..lie::View::default()
    }
}

fn played(view: Option<View>, decision_id: u64, bid_order: &str) -> Choice {
    let order = OptionValue { value: Some(Value::Text(bid_order.into())) };
    let options = [("bid_order".to_owned(), order)].into();
    let seated = Seated { seed_commitment: vec![7; 32], options, ..Seated::default() };
    let view = view.map(|game| v1::GameView { game: Some(game) });
    play(&Turn::new(v1::Turn { decision_id, view, legal_count: 2, ..v1::Turn::default() }, Some(&seated)))
}

fn bid(count: u32, value: u32) -> Choice {
    lie::Action { kind: Some(Kind::Bid(lie::Bid { count, value })) }.into()
}

fn challenge() -> Choice {
    lie::Action { kind: Some(Kind::Challenge(lie::Challenge {})) }.into()
}

/// Bids what the own hand holds, goes along with a likely bid, doubts an unlikely one.
#[test]
fn bids_and_doubts_by_the_odds() {
    let on = |bids: &[(u32, u32)]| played(Some(View::Lie(view(lie::Phase::Bid, bids))), NO_BLUFF, "value_first");
    assert_eq!(on(&[]), bid(2, 6));
    assert_eq!(on(&[(2, 6)]), bid(3, 6));
    assert_eq!(on(&[(3, 3)]), bid(1, 4));
    assert_eq!(on(&[(5, 6)]), challenge());
}

/// The option `bid_order` decides which bids are higher.
#[test]
fn the_order_of_bids_is_an_option() {
    let on = |order| played(Some(View::Lie(view(lie::Phase::Bid, &[(3, 3)]))), NO_BLUFF, order);
    assert_eq!(on("value_first"), bid(1, 4));
    assert_eq!(on("count_first"), challenge());
}

/// One decision in eight is bolder.
#[test]
fn bluffs_when_the_die_says_so() {
    let round = Some(lie::Round { hand_sizes: vec![3, 5], ..lie::Round::default() });
    let view = View::Lie(lie::View { round, ..view(lie::Phase::Bid, &[]) });
    let on = |decision_id| played(Some(view.clone()), decision_id, "value_first");
    assert_eq!(on(NO_BLUFF), bid(2, 6));
    assert_eq!(on(BLUFF), bid(3, 6));
}

/// Turns cards to the value most of them have, to jokers next, else to the higher one.
#[test]
fn arranges_for_one_value() {
    let cards = vec![card(1, 5, 0), card(2, 4, 0), card(3, 4, 0), card(2, 5, 0)];
    let plain = lie::View { hand: Some(lie::Hand { cards }), ..lie::View::default() };
    assert_eq!(arranged(&plain), [5, 4, 4, 5]);
    assert_eq!(arranged(&lie::View { ones_are_jokers: true, ..plain }), [5, 4, 4, 5]);
    let cards = vec![card(1, 5, 0), card(2, 4, 0), card(3, 4, 0)];
    let jokers = lie::View { hand: Some(lie::Hand { cards }), ones_are_jokers: true, ..lie::View::default() };
    assert_eq!(arranged(&jokers), [1, 4, 4]);
}

/// Declares a direction in its phase.
#[test]
fn declares_by_the_die() {
    let declared = lie::Declare { direction: lie::Direction::CounterClockwise.into() };
    let choice = played(Some(View::Lie(view(lie::Phase::Declare, &[]))), NO_BLUFF, "value_first");
    assert_eq!(choice, lie::Action { kind: Some(Kind::Declare(declared)) }.into());
}

/// Another game, or one that this client does not know, is played by the first legal action.
#[test]
fn other_games_are_played_by_the_first_legal_action() {
    let ten = View::Ten(croupier_client::games::ten::View::default());
    assert_eq!(played(Some(ten), 1, ""), Choice::Index(0));
    assert_eq!(played(None, 1, ""), Choice::Index(0));
}
