// Plays LIE by the odds, with the same choices as the Python example of that name.
#pragma once

#include <cstdint>
#include <vector>

#include "croupier/bot.h"

namespace lie {

/// Plays LIE; of any other game it knows nothing, and takes the first legal action.
class LieBot : public croupier::Bot {
 public:
  croupier::Choice play(const croupier::Turn& turn) override;
};

/// Turns as many cards as possible to one value; jokers come next, then high values.
std::vector<std::uint32_t> arranged(const croupier::games::lie::v1::View& view);

/// So many cards show the value.
struct Bid {
  std::uint32_t count;
  std::uint32_t value;

  bool operator==(const Bid&) const = default;
};

/// All bids above the last one, the lowest first, in either order of the option `bid_order`.
std::vector<Bid> higher_bids(const croupier::games::lie::v1::View& view, bool count_first);

}  // namespace lie
