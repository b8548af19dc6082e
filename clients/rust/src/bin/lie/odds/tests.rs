//! The odds, against figures worked out by hand or by the Python bot.

use super::*;

fn assert_close(got: &[f64], expected: &[f64]) {
    let close = got.len() == expected.len() && got.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12);
    assert!(close, "expected {expected:?}, got {got:?}");
}

/// 10 of 30 cards have a 6 on one end; with jokers 2 more have 1 and 6, and 8 more have a 1.
#[test]
fn one_unseen_card_shows_a_value_one_time_in_six() {
    let six = Unseen::new(&[], |shown| shown == 6);
    assert_eq!(six, Unseen { both: 0, one: 10, neither: 20 });
    assert_close(&six.shown_odds(1), &[5.0 / 6.0, 1.0 / 6.0]);
    let six_or_joker = Unseen::new(&[], |shown| shown == 6 || shown == 1);
    assert_eq!(six_or_joker, Unseen { both: 2, one: 16, neither: 12 });
    assert_close(&six_or_joker.shown_odds(1), &[2.0 / 3.0, 1.0 / 3.0]);
}

/// The own cards are not among those that others may hold.
#[test]
fn the_own_hand_is_not_unseen() {
    let own = [lie::Card { low: 1, high: 6, showing: 6 }, lie::Card { low: 2, high: 3, showing: 3 }];
    assert_eq!(Unseen::new(&own, |shown| shown == 6), Unseen { both: 0, one: 9, neither: 19 });
}

/// Odds of one thing or another are certain together, and more cards drawn than are there are impossible.
#[test]
fn odds_sum_to_one() {
    for drawn in 0..=5 {
        let odds = Unseen { both: 2, one: 3, neither: 1 }.shown_odds(drawn);
        assert_close(&[odds.iter().sum()], &[1.0]);
    }
}

/// Who bid on a value probably holds it: weights 0.5 and 1.5 for none and one.
#[test]
fn a_bid_is_believed_a_little() {
    assert_close(&believed(&[0.75, 0.25]), &[0.5, 0.5]);
}

/// Two coins.
#[test]
fn sums_of_independent_counts() {
    assert_close(&summed(&[0.5, 0.5], &[0.5, 0.5]), &[0.25, 0.5, 0.25]);
}

/// Two sixes in the own hand, and an opponent with three cards that bid on them; figures of the Python bot.
#[test]
fn the_table_as_the_python_bot_sees_it() {
    let card = |low, high, showing| lie::Card { low, high, showing };
    let view = lie::View {
        round: Some(lie::Round { hand_sizes: vec![3, 3], ..lie::Round::default() }),
        hand: Some(lie::Hand { cards: vec![card(1, 6, 6), card(2, 6, 6), card(3, 4, 4)] }),
        bids: vec![lie::PlacedBid { seat: 1, count: 2, value: 6 }],
        ones_are_jokers: true,
        ..lie::View::default()
    };
    let python = [1.0, 1.0, 1.0, 0.8907544378698224, 0.4205621301775148, 0.06886094674556213, 0.0];
    assert_close(&at_least(&view, 0, 6), &python);
}
