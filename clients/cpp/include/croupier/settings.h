// Where a bot plays, as whom, and how much of each turn it wants to see.
#pragma once

#include <stdexcept>
#include <string>

#include "croupier/v1/turns.pb.h"

namespace croupier {

/// Where to play and as whom; what is left empty comes from the environment.
struct Settings {
  /// host:port or unix:/path; CROUPIER_TARGET unless given.
  std::string target = {};
  /// The bot's token; CROUPIER_TOKEN unless given.
  std::string token = {};
  /// What the bot calls itself, for logs; CROUPIER_NAME unless given.
  std::string name = {};
};

/// Nothing says where to play or as whom, or what says it cannot be right.
class SettingsError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// The settings, completed from the environment; throws SettingsError with what to set.
Settings completed(Settings given);

/// What a turn says of the legal actions.
enum class Legal { notations, typed, count };

/// How much of each turn to receive; less is faster.
struct Wants {
  bool view = true;
  Legal legal = Legal::notations;
  bool events = true;
};

/// The same for the wire.
v1::TurnDetail turn_detail(const Wants& wants);

}  // namespace croupier
