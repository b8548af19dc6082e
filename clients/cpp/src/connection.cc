// The bot's connection: plays until the service closes the stream, comes back when cut off.
#include <condition_variable>
#include <iomanip>
#include <mutex>
#include <sstream>

#include "backoff.h"
#include "croupier/run.h"
#include "say.h"
#include "stream.h"

namespace croupier {

namespace {

v1::Hello hello_of(const Wants& wants, const Settings& settings) {
  v1::Hello hello;
  hello.set_name(settings.name);
  *hello.mutable_detail() = turn_detail(wants);
  return hello;
}

/// Waits so long, or until asked to stop.
void pause(Backoff::Seconds delay, const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any never;
  std::unique_lock lock(mutex);
  never.wait_for(lock, stop, delay, [] { return false; });
}

void say_lost(const Settings& settings, const grpc::Status& status, bool greeted, Backoff::Seconds delay) {
  std::ostringstream sentence;
  sentence << (greeted ? "lost " : "cannot reach ") << settings.target << " (" << status.error_message()
           << "); is croupier-service running there? Trying again in " << std::fixed << std::setprecision(1)
           << delay.count() << " s";
  say(sentence.str());
}

}  // namespace

void play_until_closed(Bot& bot, const Wants& wants, const Settings& given, std::stop_token stop) {
  const Settings settings = completed(given);
  const v1::Hello hello = hello_of(wants, settings);
  Backoff backoff;
  while (!stop.stop_requested()) {
    bool greeted = false;
    grpc::Status status;
    {
      Stream stream(settings, stop);
      status = stream.play(bot, hello);
      greeted = stream.greeted();
    }
    if (status.ok() || stop.stop_requested()) return;
    if (status.error_code() != grpc::StatusCode::UNAVAILABLE) throw StreamRefused(status);
    if (greeted) backoff.reset();
    const Backoff::Seconds delay = backoff.next();
    say_lost(settings, status, greeted, delay);
    pause(delay, stop);
  }
}

}  // namespace croupier
