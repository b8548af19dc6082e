// How long to wait before connecting again.
#pragma once

#include <chrono>
#include <random>

namespace croupier {

/// Ever longer delays up to a cap, scattered so that a crowd of bots does not come back all at once.
class Backoff {
 public:
  using Seconds = std::chrono::duration<double>;

  /// The next delay.
  Seconds next();

  /// Starts over with the shortest one.
  void reset() { delay_ = shortest; }

 private:
  static constexpr Seconds shortest{0.25};
  static constexpr Seconds longest{10};

  Seconds delay_ = shortest;
  std::minstd_rand random_{std::random_device{}()};
};

}  // namespace croupier
