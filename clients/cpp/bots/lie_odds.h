// How likely a bid in LIE is true, given the own hand, the deck and who bid what.
#pragma once

#include <cstdint>
#include <vector>

#include "croupier/games/lie/v1/lie.pb.h"

namespace lie {

using Odds = std::vector<double>;

constexpr std::uint32_t lowest_value = 1;
constexpr std::uint32_t highest_value = 6;

/// For every count from 0 to all cards on the table: how likely at least so many cards count for the value.
Odds at_least(const croupier::games::lie::v1::View& view, std::uint32_t seat, std::uint32_t value);

/// How many cards all hands of the round have together.
std::uint32_t cards_on_table(const croupier::games::lie::v1::View& view);

/// Unseen cards, by how many of their two ends show a value that counts.
struct Unseen {
  int both = 0;
  int one = 0;
  int neither = 0;
};

/// How likely 0, 1, … of the drawn cards show a value that counts, if each is turned either way at random.
Odds shown_odds(const Unseen& unseen, int drawn);

/// The odds for a seat that bid on the value: the more it holds of it, the readier it would bid so.
Odds believed(const Odds& shown);

/// The odds of the sum of two independent counts.
Odds summed(const Odds& left, const Odds& right);

}  // namespace lie
