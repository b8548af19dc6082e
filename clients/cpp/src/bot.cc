#include "croupier/bot.h"

#include <string>

#include "say.h"

namespace croupier {

namespace {
constexpr int refusals_shown = 5;
}

void Bot::refused(const v1::Refusal& refusal) {
  ++refusals_;
  if (refusals_ <= refusals_shown) {
    say("refused " + refusal.reason() + " (session " + refusal.session_id() + ", seat " +
        std::to_string(refusal.seat()) + ", decision " + std::to_string(refusal.decision_id()) +
        "): " + refusal.message());
  } else if (refusals_ == refusals_shown + 1) {
    say("refused again; further refusals are not shown");
  }
}

}  // namespace croupier
