// The LIE bot: its odds, and that its decisions are those of the Python example.
#include <gtest/gtest.h>

#include <array>

#include "lie_bot.h"
#include "lie_odds.h"

namespace lie {
namespace {

namespace wire = croupier::games::lie::v1;

/// Four seats, of which one is not in the round; seats 1 and 3 have bid.
wire::View bidding() {
  wire::View view;
  view.set_phase(wire::PHASE_BID);
  view.set_ones_are_jokers(true);
  for (const std::uint32_t size : {2, 3, 0, 1}) view.mutable_round()->add_hand_sizes(size);
  for (const auto& [low, high, showing] : {std::array{1U, 4U, 1U}, std::array{4U, 5U, 4U}}) {
    auto& card = *view.mutable_hand()->add_cards();
    card.set_low(low);
    card.set_high(high);
    card.set_showing(showing);
  }
  for (const auto& [seat, count, value] : {std::array{1U, 1U, 4U}, std::array{3U, 2U, 5U}}) {
    auto& bid = *view.add_bids();
    bid.set_seat(seat);
    bid.set_count(count);
    bid.set_value(value);
  }
  return view;
}

void expect_odds(const Odds& odds, const Odds& expected) {
  ASSERT_EQ(odds.size(), expected.size());
  for (std::size_t count = 0; count < odds.size(); ++count) EXPECT_DOUBLE_EQ(odds[count], expected[count]) << count;
}

TEST(LieOdds, ACardWithOneEndThatCountsShowsItHalfTheTime) {
  expect_odds(shown_odds({.both = 0, .one = 1, .neither = 0}, 1), {0.5, 0.5});
  expect_odds(shown_odds({.both = 1, .one = 0, .neither = 1}, 1), {0.5, 0.5});
  expect_odds(shown_odds({.both = 1, .one = 1, .neither = 1}, 2), {1.0 / 6, 4.0 / 6, 1.0 / 6});
}

TEST(LieOdds, WhoBidOnAValueIsBelievedToHoldIt) { expect_odds(believed({0.5, 0.5}), {0.25, 0.75}); }

TEST(LieOdds, IndependentCountsAddUp) { expect_odds(summed({0.5, 0.5}, {0.25, 0.75}), {0.125, 0.5, 0.375}); }

TEST(LieOdds, AreThoseOfThePythonBot) {
  expect_odds(at_least(bidding(), 0, 1),
              {1, 1, 0.5081109366823654, 0.12109170591313448, 0.01313939037153323, 0.0005151098901098901, 0});
  expect_odds(at_least(bidding(), 0, 4),
              {1, 1, 1, 0.9181076702833033, 0.5483524694363303, 0.16610180870465682, 0.01911074596992319});
  expect_odds(at_least(bidding(), 0, 5),
              {1, 1, 0.8738553113553115, 0.5067354143441101, 0.15309298189732973, 0.017558528428093648, 0});
}

TEST(LieBot, TurnsAsManyCardsAsPossibleToOneValue) {
  wire::View view = bidding();
  EXPECT_EQ(arranged(view), (std::vector{4U, 4U}));
  auto& card = *view.mutable_hand()->add_cards();
  card.set_low(1);
  card.set_high(3);
  EXPECT_EQ(arranged(view), (std::vector{4U, 4U, 1U}));
  view.set_ones_are_jokers(false);
  EXPECT_EQ(arranged(view), (std::vector{4U, 4U, 3U}));
}

TEST(LieBot, RaisesInTheOrderOfTheGame) {
  const auto by_count = higher_bids(bidding(), true);
  ASSERT_EQ(by_count.size(), 25U);
  EXPECT_EQ(by_count[0], (Bid{2, 6}));
  EXPECT_EQ(by_count[1], (Bid{3, 1}));
  const auto by_value = higher_bids(bidding(), false);
  ASSERT_EQ(by_value.size(), 10U);
  EXPECT_EQ(by_value[0], (Bid{3, 5}));
  EXPECT_EQ(by_value[4], (Bid{1, 6}));
}

TEST(LieBot, TakesTheFirstActionOfAGameItDoesNotKnow) {
  croupier::v1::Turn raw;
  raw.mutable_view()->mutable_ten();
  LieBot bot;
  EXPECT_EQ(std::get<std::int64_t>(bot.play(croupier::Turn(raw)).value()), 0);
}

}  // namespace
}  // namespace lie
