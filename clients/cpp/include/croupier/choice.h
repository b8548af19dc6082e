// What a bot may answer: a position in the legal list, a notation, or the game's own message.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>

#include "croupier/v1/games.pb.h"

namespace croupier {

/// A whole number that names a position; a bool is none.
template <typename Number>
concept Position = std::integral<Number> && !std::same_as<Number, bool>;

/// The answer to a turn; a bot returns a number, a text or a message, and it becomes one of these.
class Choice {
 public:
  /// A position in the turn's legal list, counting from 0.
  Choice(Position auto index) : value_(std::in_place_type<std::int64_t>, static_cast<std::int64_t>(index)) {}

  /// A notation, as the turn's legal list has them.
  Choice(std::string notation) : value_(std::move(notation)) {}
  Choice(const char* notation) : value_(std::string(notation)) {}

  /// The game's own action, or any game's in the wire's form.
  Choice(v1::GameAction action) : value_(std::move(action)) {}
  Choice(games::lie::v1::Action action) { *wrapped().mutable_lie() = std::move(action); }
  Choice(games::ten::v1::Action action) { *wrapped().mutable_ten() = std::move(action); }
  Choice(games::seventeen::v1::Action action) { *wrapped().mutable_seventeen() = std::move(action); }
  Choice(games::chain_reaction::v1::Action action) { *wrapped().mutable_chain_reaction() = std::move(action); }
  Choice(games::twice_as_clever::v1::Action action) { *wrapped().mutable_twice_as_clever() = std::move(action); }

  /// Whichever of the three it is.
  using Value = std::variant<std::int64_t, std::string, v1::GameAction>;
  Value& value() { return value_; }

 private:
  v1::GameAction& wrapped() { return value_.emplace<v1::GameAction>(); }

  Value value_;
};

}  // namespace croupier
