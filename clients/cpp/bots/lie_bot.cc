#include "lie_bot.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "chance.h"
#include "lie_odds.h"

namespace lie {

namespace {

namespace wire = croupier::games::lie::v1;

constexpr double safe = 0.75;  // a raise this likely to be true is worth making
constexpr double bold = 0.45;  // … and when bluffing
constexpr unsigned bluff_one_in = 8;

/// A throw of a die that falls the same way whenever this deal comes to this decision again.
unsigned whim(const croupier::Turn& turn, unsigned sides) {
  const auto digest = sha256(turn.seating().seed_commitment() + "/" + std::to_string(turn.seat()) + "/" +
                             std::to_string(turn.decision_id()));
  return digest[0] % sides;
}

bool compares_counts_first(const croupier::v1::Seated& seating) {
  const auto order = seating.options().find("bid_order");
  return order != seating.options().end() && order->second.text() == "count_first";
}

wire::Action arrange(const wire::View& view) {
  wire::Action action;
  auto& values = *action.mutable_arrange()->mutable_values();
  for (const std::uint32_t value : arranged(view)) values.Add(value);
  return action;
}

wire::Action declare(const croupier::Turn& turn) {
  wire::Action action;
  const bool clockwise = whim(turn, 2) == 0;
  action.mutable_declare()->set_direction(clockwise ? wire::DIRECTION_CLOCKWISE : wire::DIRECTION_COUNTER_CLOCKWISE);
  return action;
}

/// How likely the last bid is false.
double doubt_of(const wire::View& view, const std::array<Odds, highest_value + 1>& truth) {
  if (view.bids().empty()) return 0.0;
  const wire::PlacedBid& last = *view.bids().rbegin();
  return 1 - truth.at(last.value()).at(last.count());
}

/// The highest raise that is likely enough to be true, unless doubting the last bid promises more.
wire::Action answer(const croupier::Turn& turn, const wire::View& view) {
  std::array<Odds, highest_value + 1> truth;
  for (std::uint32_t value = lowest_value; value <= highest_value; ++value) {
    truth[value] = at_least(view, turn.seat(), value);
  }
  const double doubt = doubt_of(view, truth);
  const double enough = whim(turn, bluff_one_in) == 0 ? bold : safe;
  wire::Action best;
  best.mutable_challenge();
  double promise = doubt;
  for (const auto [count, value] : higher_bids(view, compares_counts_first(turn.seating()))) {
    const double likely = truth[value][count];
    if (likely > promise || (likely >= enough && enough > doubt)) {
      best.mutable_bid()->set_count(count);
      best.mutable_bid()->set_value(value);
      promise = likely;
    }
  }
  return best;
}

}  // namespace

croupier::Choice LieBot::play(const croupier::Turn& turn) {
  if (!turn.view().has_lie()) return 0;
  const wire::View& view = turn.view().lie();
  switch (view.phase()) {
    case wire::PHASE_ARRANGE:
      return arrange(view);
    case wire::PHASE_DECLARE:
      return declare(turn);
    default:
      return answer(turn, view);
  }
}

std::vector<std::uint32_t> arranged(const wire::View& view) {
  const auto& cards = view.hand().cards();
  const bool jokers = view.ones_are_jokers();
  const auto has = [](const wire::Card& card, std::uint32_t value) {
    return card.low() == value || card.high() == value;
  };
  std::uint32_t favourite = 0;
  std::ptrdiff_t most = -1;
  for (std::uint32_t value = jokers ? 2 : lowest_value; value <= highest_value; ++value) {
    const auto held = std::count_if(cards.begin(), cards.end(), [&](const auto& card) { return has(card, value); });
    if (held >= most) {
      favourite = value;
      most = held;
    }
  }
  std::vector<std::uint32_t> values;
  for (const wire::Card& card : cards) {
    values.push_back(has(card, favourite) ? favourite : jokers && card.low() == 1 ? 1 : card.high());
  }
  return values;
}

std::vector<Bid> higher_bids(const wire::View& view, bool count_first) {
  const auto rank = [=](const Bid& bid) {
    return count_first ? std::pair(bid.count, bid.value) : std::pair(bid.value, bid.count);
  };
  Bid last{0, 0};
  if (!view.bids().empty()) last = {view.bids().rbegin()->count(), view.bids().rbegin()->value()};
  std::vector<Bid> higher;
  for (std::uint32_t count = 1; count <= cards_on_table(view); ++count) {
    for (std::uint32_t value = lowest_value; value <= highest_value; ++value) {
      if (rank({count, value}) > rank(last)) higher.push_back({count, value});
    }
  }
  std::ranges::sort(higher, {}, rank);
  return higher;
}

}  // namespace lie
