#include "lie_odds.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>

namespace lie {

namespace {

namespace wire = croupier::games::lie::v1;

constexpr int copies_in_deck = 2;  // of every pair of different values
constexpr double hunch =
    0.5;  // how readily others bid on a value of which they hold none; their first of it counts as 1

/// Which cards count for a value: those that show it and, where ones are jokers, those that show a 1.
struct Counting {
  std::uint32_t value;
  bool jokers;

  bool operator()(std::uint32_t showing) const { return showing == value || (jokers && showing == 1); }
};

int ends_that_count(const Counting& counts, std::uint32_t low, std::uint32_t high) {
  return int{counts(low)} + int{counts(high)};
}

/// The cards that are not in the own hand.
Unseen unseen_by(const wire::Hand& hand, const Counting& counts) {
  std::array<int, 3> by_ends = {};
  for (std::uint32_t low = lowest_value; low <= highest_value; ++low) {
    for (std::uint32_t high = low + 1; high <= highest_value; ++high) {
      by_ends[ends_that_count(counts, low, high)] += copies_in_deck;
    }
  }
  for (const wire::Card& card : hand.cards()) --by_ends[ends_that_count(counts, card.low(), card.high())];
  return {.both = by_ends[2], .one = by_ends[1], .neither = by_ends[0]};
}

/// How many ways there are to draw `drawn` of `cards`; exact, as all that a deck of thirty needs.
double ways(int cards, int drawn) {
  if (drawn > cards) return 0;
  double ways = 1;
  for (int i = 1; i <= drawn; ++i) ways = ways * (cards - drawn + i) / i;
  return ways;
}

bool has_bid_on(const wire::View& view, std::uint32_t seat, std::uint32_t value) {
  return std::any_of(view.bids().begin(), view.bids().end(),
                     [=](const wire::PlacedBid& bid) { return bid.seat() == seat && bid.value() == value; });
}

}  // namespace

Odds at_least(const wire::View& view, std::uint32_t seat, std::uint32_t value) {
  const Counting counts{value, view.ones_are_jokers()};
  const auto& own = view.hand().cards();
  const auto sure = std::count_if(own.begin(), own.end(), [&](const auto& card) { return counts(card.showing()); });
  const Unseen unseen = unseen_by(view.hand(), counts);

  Odds total(sure + 1, 0.0);
  total.back() = 1.0;
  const auto& sizes = view.round().hand_sizes();
  for (int other = 0; other < sizes.size(); ++other) {
    const auto other_seat = static_cast<std::uint32_t>(other);
    if (other_seat == seat || sizes[other] == 0) continue;
    Odds shown = shown_odds(unseen, static_cast<int>(sizes[other]));
    total = summed(total, has_bid_on(view, other_seat, value) ? believed(shown) : shown);
  }

  total.resize(cards_on_table(view) + 1, 0.0);
  Odds at_least(total.size());
  for (std::size_t count = 0; count < total.size(); ++count) {
    at_least[count] = std::accumulate(total.begin() + static_cast<std::ptrdiff_t>(count), total.end(), 0.0);
  }
  return at_least;
}

std::uint32_t cards_on_table(const wire::View& view) {
  const auto& sizes = view.round().hand_sizes();
  return std::accumulate(sizes.begin(), sizes.end(), 0U);
}

Odds shown_odds(const Unseen& unseen, int drawn) {
  Odds odds(drawn + 1, 0.0);
  for (int sure = 0; sure <= drawn; ++sure) {
    for (int half = 0; half <= drawn - sure; ++half) {
      const double deals = ways(unseen.both, sure) * ways(unseen.one, half) * ways(unseen.neither, drawn - sure - half);
      for (int turned = 0; turned <= half; ++turned) {
        odds[sure + turned] += deals * ways(half, turned) / static_cast<double>(1ULL << half);
      }
    }
  }
  const double all = ways(unseen.both + unseen.one + unseen.neither, drawn);
  for (double& share : odds) share /= all;
  return odds;
}

Odds believed(const Odds& shown) {
  Odds weighted(shown.size());
  for (std::size_t count = 0; count < shown.size(); ++count) weighted[count] = shown[count] * (hunch + count);
  const double all = std::accumulate(weighted.begin(), weighted.end(), 0.0);
  for (double& weight : weighted) weight /= all;
  return weighted;
}

Odds summed(const Odds& left, const Odds& right) {
  Odds odds(left.size() + right.size() - 1, 0.0);
  for (std::size_t i = 0; i < left.size(); ++i) {
    for (std::size_t j = 0; j < right.size(); ++j) odds[i + j] += left[i] * right[j];
  }
  return odds;
}

}  // namespace lie
