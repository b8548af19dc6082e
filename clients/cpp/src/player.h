// One bot on one stream: turns in, answers out, in batches. How they travel is not its concern.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>

#include "croupier/bot.h"
#include "croupier/v1/bots.pb.h"

namespace croupier {

/// Answers wait for the rest of their batch no longer than this: a slow bot's clocks would run meanwhile.
constexpr std::chrono::milliseconds longest_hold{10};

/// Plays the turns of one stream; answers of one received batch go out together.
class Player {
 public:
  using Clock = std::chrono::steady_clock;

  /// `send` sends what is ready and removes it from the request, or leaves it there if it cannot be sent yet.
  Player(Bot& bot, std::function<void(v1::PlayRequest& ready)> send,
         std::function<Clock::time_point()> now = Clock::now);

  /// Tells the bot all that a message says, and sends what the bot answers; takes what it keeps out of the message.
  void receive(v1::PlayResponse& response);

  /// Sends answers that could not be sent before, if there are any.
  void send_rest();

 private:
  void play(const v1::PlayResponse& response);
  const v1::Seated* seating_of(const v1::Turn& turn) const;
  void forget(const v1::GameOver& result);

  Bot& bot_;
  std::function<void(v1::PlayRequest&)> send_;
  std::function<Clock::time_point()> now_;
  v1::PlayRequest ready_;
  std::unordered_map<std::string, std::map<std::uint32_t, v1::Seated>> seated_;
};

}  // namespace croupier
