// SIGTERM and SIGINT, which ask a bot for a clean end.
#pragma once

#include <signal.h>

#include <atomic>
#include <stop_token>
#include <thread>

namespace croupier {

/// Asks `stop` when a signal arrives; a bot that then thinks on is ended with exit code 0. At most one at a time.
class SignalWatch {
 public:
  explicit SignalWatch(std::stop_source stop);
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;
  ~SignalWatch();

 private:
  void watch(std::stop_source stop);

  struct sigaction old_term_;
  struct sigaction old_int_;
  std::atomic<bool> over_ = false;
  std::thread thread_;
};

}  // namespace croupier
