// What a bot is: something that plays turns, and may listen to what else happens at its tables.
#pragma once

#include "croupier/choice.h"
#include "croupier/turn.h"
#include "croupier/v1/bots.pb.h"

namespace croupier {

/// Override `play`, and whatever else you want to hear of. All is called on the thread that called `run`.
///
/// One bot plays any number of games at once: keep what it remembers of a game under session and seat.
class Bot {
 public:
  virtual ~Bot() = default;

  /// Decides: returns a position in `turn.legal()`, a notation, or the game's own message `Action`.
  virtual Choice play(const Turn& turn) = 0;

  /// A game has started; also called again after a reconnect.
  virtual void seated(const v1::Seated&) {}

  /// An answer was not taken; if the decision is still open, its turn follows again.
  ///
  /// Unless you override it, the first few are written to stderr.
  virtual void refused(const v1::Refusal& refusal);

  /// A game has ended; an aborted one has no outcome.
  virtual void game_over(const v1::GameOver&) {}

 private:
  int refusals_ = 0;
};

}  // namespace croupier
