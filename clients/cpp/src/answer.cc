#include "answer.h"

#include <stdexcept>
#include <string>
#include <utility>

namespace croupier {

namespace {

/// Puts each form of a choice into its field.
struct Filling {
  v1::Answer& answer;
  const v1::Turn& turn;

  void operator()(std::int64_t index) const {
    if (index < 0 || index >= turn.legal_count()) {
      throw std::out_of_range("expected a position in the turn's legal list, 0 to " +
                              std::to_string(static_cast<std::int64_t>(turn.legal_count()) - 1) + ", got " +
                              std::to_string(index));
    }
    answer.set_index(static_cast<std::uint32_t>(index));
  }
  void operator()(std::string& notation) const { answer.set_notation(std::move(notation)); }
  void operator()(v1::GameAction& action) const { *answer.mutable_action() = std::move(action); }
};

}  // namespace

void fill_answer(v1::Answer& answer, const v1::Turn& turn, Choice choice) {
  answer.set_session_id(turn.session_id());
  answer.set_seat(turn.seat());
  answer.set_decision_id(turn.decision_id());
  std::visit(Filling{answer, turn}, choice.value());
}

}  // namespace croupier
