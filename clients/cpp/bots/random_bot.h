// Plays any game at random: it never looks at the game, only at how many legal actions there are.
#pragma once

#include <string>

#include "croupier/bot.h"

/// Chooses among the legal actions, each equally likely.
///
/// Its choices follow from a seed and from which decision of which deal it is, as those of the Python one do.
class RandomBot : public croupier::Bot {
 public:
  explicit RandomBot(std::string seed) : seed_(std::move(seed)) {}

  croupier::Choice play(const croupier::Turn& turn) override;

 private:
  std::string seed_;
};
