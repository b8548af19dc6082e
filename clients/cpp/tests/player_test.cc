// The player: what a bot hears in which order, and which answers go out together.
#include "player.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace croupier {
namespace {

using std::chrono::milliseconds;

/// Notes what it hears, and lets time pass while it thinks.
class ScriptedBot : public Bot {
 public:
  Choice play(const Turn& turn) override {
    heard.push_back("turn of " + turn.seating().game_id());
    now += thinking;
    return answer;
  }
  void seated(const v1::Seated&) override { heard.push_back("seated"); }
  void refused(const v1::Refusal&) override { heard.push_back("refused"); }
  void game_over(const v1::GameOver&) override { heard.push_back("over"); }

  std::vector<std::string> heard;
  milliseconds thinking{0};
  Player::Clock::time_point now;
  Choice answer = 0;
};

class PlayerTest : public testing::Test {
 protected:
  static v1::PlayResponse seating_and_turns(int turns) {
    v1::PlayResponse response;
    auto& seating = *response.add_seated();
    seating.set_session_id("s");
    seating.set_game_id("lie");
    for (int i = 0; i < turns; ++i) {
      auto& turn = *response.add_turns();
      turn.set_session_id("s");
      turn.set_decision_id(i + 1);
      turn.set_legal_count(3);
    }
    return response;
  }

  void receive(v1::PlayResponse response) { player.receive(response); }

  ScriptedBot bot;
  bool blocked = false;
  std::vector<v1::PlayRequest> sent;
  Player player{bot,
                [this](v1::PlayRequest& ready) {
                  if (blocked) return;
                  sent.push_back(ready);
                  ready.Clear();
                },
                [this] { return bot.now; }};
};

TEST_F(PlayerTest, AnswersToOneMessageGoOutTogether) {
  bot.answer = "pass";
  receive(seating_and_turns(50));
  ASSERT_EQ(sent.size(), 1U);
  ASSERT_EQ(sent[0].answers_size(), 50);
  EXPECT_EQ(sent[0].answers(49).session_id(), "s");
  EXPECT_EQ(sent[0].answers(49).decision_id(), 50U);
  EXPECT_EQ(sent[0].answers(49).notation(), "pass");
}

TEST_F(PlayerTest, AnswersOfASlowBotDoNotWaitForTheRest) {
  bot.thinking = milliseconds(6);
  receive(seating_and_turns(5));
  ASSERT_EQ(sent.size(), 3U);
  EXPECT_EQ(sent[0].answers_size(), 2);
  EXPECT_EQ(sent[1].answers_size(), 2);
  EXPECT_EQ(sent[2].answers_size(), 1);
}

TEST_F(PlayerTest, WhatCannotBeSentYetGoesOutLater) {
  blocked = true;
  receive(seating_and_turns(2));
  blocked = false;
  player.send_rest();
  player.send_rest();
  ASSERT_EQ(sent.size(), 1U);
  EXPECT_EQ(sent[0].answers_size(), 2);
}

TEST_F(PlayerTest, ABotHearsOfSeatsThenRefusalsThenTurnsThenEnds) {
  v1::PlayResponse response = seating_and_turns(1);
  response.add_games_over()->set_session_id("s");
  response.add_refusals();
  receive(response);
  EXPECT_EQ(bot.heard, (std::vector<std::string>{"seated", "refused", "turn of lie", "over"}));
}

TEST_F(PlayerTest, ATableIsForgottenWhenItsGameIsOver) {
  v1::PlayResponse response = seating_and_turns(1);
  response.add_games_over()->set_session_id("s");
  receive(response);
  v1::PlayResponse late = seating_and_turns(1);
  late.clear_seated();
  EXPECT_THROW(receive(late), std::logic_error);
}

TEST_F(PlayerTest, APositionThatIsNotInTheListEndsTheBot) {
  for (const int wrong : {-1, 3}) {
    bot.answer = wrong;
    EXPECT_THROW(receive(seating_and_turns(1)), std::out_of_range) << wrong;
  }
}

TEST_F(PlayerTest, AnActionThatIsEmptyAllTheWayDownIsStillTheChosenOne) {
  bot.answer = games::lie::v1::Action();
  receive(seating_and_turns(1));
  EXPECT_TRUE(sent.at(0).answers(0).action().has_lie());
}

}  // namespace
}  // namespace croupier
