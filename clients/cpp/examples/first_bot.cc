// Plays any game: takes the action with the longest notation, and counts its wins.
#include <croupier/run.h>

#include <algorithm>
#include <iostream>

class FirstBot : public croupier::Bot {
 public:
  croupier::Choice play(const croupier::Turn& turn) override {
    const auto longest = [](const auto& a, const auto& b) { return a.notation().size() < b.notation().size(); };
    return std::max_element(turn.legal().begin(), turn.legal().end(), longest)->notation();
  }

  void game_over(const croupier::v1::GameOver& result) override {
    if (!result.has_outcome()) return;  // aborted
    if (result.outcome().results(result.seat()).place() == 1) ++wins_;
    std::cerr << wins_ << " of " << ++games_ << " games won\n";
  }

 private:
  int games_ = 0;
  int wins_ = 0;
};

int main() {
  FirstBot bot;
  return croupier::run(bot, {.view = false, .events = false});
}
