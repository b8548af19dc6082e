#include "backoff.h"

#include <algorithm>

namespace croupier {

Backoff::Seconds Backoff::next() {
  std::uniform_real_distribution<double> scatter(0.5, 1.0);
  const Seconds delay = delay_ * scatter(random_);
  delay_ = std::min(2 * delay_, longest);
  return delay;
}

}  // namespace croupier
