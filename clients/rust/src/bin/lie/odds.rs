//! The odds of LIE: how many cards on the table show a value, as far as one seat can tell.

use croupier_client::games::lie;

/// The dice values.
pub const VALUES: std::ops::RangeInclusive<u32> = 1..=6;

/// How readily others bid on a value of which they hold none; their first card of it counts as 1.
const HUNCH: f64 = 0.5;

/// The cards of the seat that sees the view; none for who is not in the round.
pub fn hand(view: &lie::View) -> &[lie::Card] {
    view.hand.as_ref().map_or(&[], |hand| &hand.cards)
}

/// How many cards each seat holds.
pub fn hand_sizes(view: &lie::View) -> &[u32] {
    view.round.as_ref().map_or(&[], |round| &round.hand_sizes)
}

/// For every count from 0 to all cards on the table: how likely at least so many cards count for the value.
pub fn at_least(view: &lie::View, seat: u32, value: u32) -> Vec<f64> {
    let counts = |shown: u32| shown == value || (view.ones_are_jokers && shown == 1);
    let unseen = Unseen::new(hand(view), counts);
    let own = hand(view).iter().filter(|card| counts(card.showing)).count();
    let mut total = vec![0.0; own];
    total.push(1.0);
    for (other, &size) in (0..).zip(hand_sizes(view)) {
        if other != seat && size > 0 {
            let shown = unseen.shown_odds(size as usize);
            let has_bid = view.bids.iter().any(|bid| bid.seat == other && bid.value == value);
            total = summed(&total, &if has_bid { believed(&shown) } else { shown });
        }
    }
    let cards: u32 = hand_sizes(view).iter().sum();
    total.resize(cards as usize + 1, 0.0);
    (0..total.len()).map(|count| total[count..].iter().sum()).collect()
}

/// The cards that a seat does not see, by how many of their two ends count for a value.
#[derive(Debug, PartialEq)]
pub struct Unseen {
    both: usize,
    one: usize,
    neither: usize,
}

impl Unseen {
    /// The deck, which has every pair of different values twice, without the own hand.
    pub fn new(hand: &[lie::Card], counts: impl Fn(u32) -> bool) -> Self {
        let ends = |low: u32, high: u32| usize::from(counts(low)) + usize::from(counts(high));
        let mut cards = [0; 3];
        for low in VALUES {
            for high in low + 1..=*VALUES.end() {
                cards[ends(low, high)] += 2;
            }
        }
        for card in hand {
            cards[ends(card.low, card.high)] -= 1;
        }
        let [neither, one, both] = cards;
        Unseen { both, one, neither }
    }

    /// How likely 0, 1, … of the drawn cards show a value that counts, if each is turned either way at random.
    pub fn shown_odds(&self, drawn: usize) -> Vec<f64> {
        let mut odds = vec![0.0; drawn + 1];
        for sure in 0..=drawn {
            for half in 0..=drawn - sure {
                let rest = drawn - sure - half;
                let deals = choose(self.both, sure) * choose(self.one, half) * choose(self.neither, rest);
                for turned in 0..=half {
                    odds[sure + turned] += deals * choose(half, turned) / choose_any(half);
                }
            }
        }
        let all = choose(self.both + self.one + self.neither, drawn);
        odds.iter().map(|share| share / all).collect()
    }
}

/// The odds for a seat that bid on the value: the more it holds of it, the readier it would bid so.
pub fn believed(shown: &[f64]) -> Vec<f64> {
    let weighted: Vec<f64> = shown.iter().enumerate().map(|(count, odds)| odds * (HUNCH + count as f64)).collect();
    let all: f64 = weighted.iter().sum();
    weighted.iter().map(|weight| weight / all).collect()
}

/// The odds of the sum of two independent counts.
pub fn summed(left: &[f64], right: &[f64]) -> Vec<f64> {
    let mut odds = vec![0.0; left.len() + right.len() - 1];
    for (i, a) in left.iter().enumerate() {
        for (j, b) in right.iter().enumerate() {
            odds[i + j] += a * b;
        }
    }
    odds
}

/// In how many ways `drawn` of `all` can be chosen: exact, for a deck of 30 keeps it far below 2^53.
fn choose(all: usize, drawn: usize) -> f64 {
    (0..drawn).fold(1.0, |ways, taken| ways * all.saturating_sub(taken) as f64 / (taken + 1) as f64)
}

/// In how many ways any number of `all` can be chosen.
fn choose_any(all: usize) -> f64 {
    (1_u64 << all) as f64
}

#[cfg(test)]
mod tests;
