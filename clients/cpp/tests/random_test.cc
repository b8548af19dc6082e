// The random bot: its choices are those of the Python one with the same seed.
#include "random_bot.h"

#include <gtest/gtest.h>

namespace {

std::int64_t choice_of(const std::string& seed, std::uint64_t decision) {
  croupier::v1::Seated seating;
  seating.set_seed_commitment(std::string("\x00\xff", 2));
  croupier::v1::Turn raw;
  raw.set_seat(1);
  raw.set_decision_id(decision);
  raw.set_legal_count(1000);
  RandomBot bot(seed);
  return std::get<std::int64_t>(bot.play(croupier::Turn(raw, &seating)).value());
}

TEST(RandomBot, ChoosesAsThePythonBotDoes) {
  EXPECT_EQ(choice_of("7", 1), 701);
  EXPECT_EQ(choice_of("7", 2), 829);
  EXPECT_EQ(choice_of("8", 1), 860);
}

}  // namespace
