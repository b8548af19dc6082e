#include "croupier/turn.h"

#include <stdexcept>

namespace croupier {

const google::protobuf::RepeatedPtrField<v1::LegalAction>& Turn::legal() const {
  if (raw_.legal().empty() && raw_.legal_count() > 0) {
    throw std::logic_error(
        "this turn only counts the legal actions: ask for them with Wants{.legal = Legal::notations}");
  }
  return raw_.legal();
}

const v1::GameView& Turn::view() const {
  if (!raw_.has_view()) throw std::logic_error("this turn has no view: ask for it with Wants{.view = true}");
  return raw_.view();
}

const v1::Seated& Turn::seating() const {
  if (seating_ == nullptr) {
    throw std::logic_error("the service did not say who is seated in session " + raw_.session_id());
  }
  return *seating_;
}

std::optional<std::chrono::milliseconds> Turn::time_left() const {
  if (!raw_.has_time_left_ms()) return std::nullopt;
  return std::chrono::milliseconds(raw_.time_left_ms());
}

}  // namespace croupier
