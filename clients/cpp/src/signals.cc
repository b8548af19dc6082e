#include "signals.h"

#include <semaphore.h>
#include <time.h>

#include <cerrno>
#include <cstdlib>
#include <utility>

namespace croupier {

namespace {

constexpr long grace_ns = 200'000'000;

/// Counts signals; POSIX lets a signal handler do nothing more useful than this.
sem_t woken;

extern "C" void wake(int) {
  const int before = errno;
  sem_post(&woken);
  errno = before;
}

void wait_until_woken() {
  while (sem_wait(&woken) != 0 && errno == EINTR) {
  }
}

void wait_for_grace() {
  timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += grace_ns;
  until.tv_sec += until.tv_nsec / 1'000'000'000;
  until.tv_nsec %= 1'000'000'000;
  while (sem_timedwait(&woken, &until) != 0 && errno == EINTR) {
  }
}

}  // namespace

SignalWatch::SignalWatch(std::stop_source stop) {
  sem_init(&woken, 0, 0);
  struct sigaction action = {};
  action.sa_handler = wake;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGTERM, &action, &old_term_);
  sigaction(SIGINT, &action, &old_int_);
  thread_ = std::thread([this, stop = std::move(stop)] { watch(stop); });
}

SignalWatch::~SignalWatch() {
  sigaction(SIGTERM, &old_term_, nullptr);
  sigaction(SIGINT, &old_int_, nullptr);
  over_ = true;
  sem_post(&woken);
  thread_.join();
  sem_destroy(&woken);
}

void SignalWatch::watch(std::stop_source stop) {
  wait_until_woken();
  if (over_) return;
  stop.request_stop();
  wait_for_grace();
  if (!over_) std::_Exit(EXIT_SUCCESS);  // the bot is thinking, and would for as long as it likes
}

}  // namespace croupier
