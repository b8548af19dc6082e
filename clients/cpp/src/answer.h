// How a choice goes onto the wire.
#pragma once

#include "croupier/choice.h"
#include "croupier/v1/turns.pb.h"

namespace croupier {

/// Makes `answer` the answer to the turn; throws std::out_of_range for a position that is not in the legal list.
void fill_answer(v1::Answer& answer, const v1::Turn& turn, Choice choice);

}  // namespace croupier
