#include "croupier/run.h"

#include <cstdlib>
#include <utility>

#include "say.h"
#include "signals.h"

namespace croupier {

namespace {

constexpr int exit_usage = 2;

class FunctionBot : public Bot {
 public:
  explicit FunctionBot(PlayFunction function) : function_(std::move(function)) {}
  Choice play(const Turn& turn) override { return function_(turn); }

 private:
  PlayFunction function_;
};

}  // namespace

int run(Bot& bot, const Wants& wants, const Settings& given) {
  std::stop_source stop;
  try {
    const Settings settings = completed(given);
    const SignalWatch signals(stop);
    play_until_closed(bot, wants, settings, stop.get_token());
  } catch (const SettingsError& error) {
    say(error.what());
    return exit_usage;
  } catch (const StreamRefused& error) {
    say(std::string("the service refuses this bot: ") + error.what());
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}

int run(PlayFunction play, const Wants& wants, const Settings& settings) {
  FunctionBot bot(std::move(play));
  return run(bot, wants, settings);
}

}  // namespace croupier
