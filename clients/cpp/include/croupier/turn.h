// One decision, as a bot sees it.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "croupier/v1/bots.pb.h"
#include "croupier/v1/turns.pb.h"

namespace croupier {

/// What a seat sees and may do now. Reading what the bot did not ask for throws a std::logic_error that says so.
///
/// It refers to the messages it was made of: use it while `Bot::play` runs, and copy what is to be kept.
class Turn {
 public:
  /// A turn at the table that `seating` describes, which may be unknown.
  explicit Turn(const v1::Turn& raw, const v1::Seated* seating = nullptr) : raw_(raw), seating_(seating) {}

  /// The session: different for every game.
  const std::string& session_id() const { return raw_.session_id(); }
  /// The seat that decides, counting from 0.
  std::uint32_t seat() const { return raw_.seat(); }
  /// Names this decision among all of this seat in this session.
  std::uint64_t decision_id() const { return raw_.decision_id(); }
  /// How many legal actions there are, whatever was asked for.
  std::uint32_t legal_count() const { return raw_.legal_count(); }
  /// What happened since this seat's last decision; empty if not asked for.
  const google::protobuf::RepeatedPtrField<v1::GameEvent>& events() const { return raw_.events(); }

  /// The legal actions in a fixed order: answer with the notation of one, its position or, if asked for, its action.
  const google::protobuf::RepeatedPtrField<v1::LegalAction>& legal() const;
  /// What the seat sees; the game's own message is in it, such as `view().lie()`.
  const v1::GameView& view() const;
  /// The table: game_id, options, seat_names, seed_commitment, …
  const v1::Seated& seating() const;
  /// Time left for this decision when the turn was sent; nothing if there is no limit.
  std::optional<std::chrono::milliseconds> time_left() const;

  /// The whole message.
  const v1::Turn& raw() const { return raw_; }

 private:
  const v1::Turn& raw_;
  const v1::Seated* seating_;
};

}  // namespace croupier
