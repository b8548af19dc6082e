#include "random_bot.h"

#include <cstdint>

#include "chance.h"

croupier::Choice RandomBot::play(const croupier::Turn& turn) {
  const auto digest = sha256(seed_ + "/" + turn.seating().seed_commitment() + "/" + std::to_string(turn.seat()) + "/" +
                             std::to_string(turn.decision_id()));
  std::uint64_t draw = 0;
  for (int byte = 0; byte < 8; ++byte) draw = draw << 8 | digest[byte];
  return draw % turn.legal_count();
}
