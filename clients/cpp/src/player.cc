#include "player.h"

#include <utility>

#include "answer.h"

namespace croupier {

Player::Player(Bot& bot, std::function<void(v1::PlayRequest& ready)> send, std::function<Clock::time_point()> now)
    : bot_(bot), send_(std::move(send)), now_(std::move(now)) {}

void Player::receive(v1::PlayResponse& response) {
  for (v1::Seated& seating : *response.mutable_seated()) {
    v1::Seated& kept = seated_[seating.session_id()][seating.seat()];
    kept = std::move(seating);
    bot_.seated(kept);
  }
  for (const v1::Refusal& refusal : response.refusals()) bot_.refused(refusal);
  play(response);
  for (const v1::GameOver& result : response.games_over()) {
    bot_.game_over(result);
    forget(result);
  }
}

void Player::send_rest() {
  if (!ready_.answers().empty()) send_(ready_);
}

void Player::play(const v1::PlayResponse& response) {
  auto due = now_() + longest_hold;
  for (const v1::Turn& turn : response.turns()) {
    fill_answer(*ready_.add_answers(), turn, bot_.play(Turn(turn, seating_of(turn))));
    if (now_() > due) {
      send_(ready_);
      due = now_() + longest_hold;
    }
  }
  send_rest();
}

const v1::Seated* Player::seating_of(const v1::Turn& turn) const {
  const auto session = seated_.find(turn.session_id());
  if (session == seated_.end()) return nullptr;
  const auto seat = session->second.find(turn.seat());
  return seat == session->second.end() ? nullptr : &seat->second;
}

void Player::forget(const v1::GameOver& result) {
  const auto session = seated_.find(result.session_id());
  if (session == seated_.end()) return;
  session->second.erase(result.seat());
  if (session->second.empty()) seated_.erase(session);
}

}  // namespace croupier
