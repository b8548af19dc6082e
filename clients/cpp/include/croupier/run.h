// The door for bot programs: settings from arguments or the environment, signals, exit codes.
#pragma once

#include <functional>
#include <stop_token>

#include "croupier/bot.h"
#include "croupier/errors.h"
#include "croupier/settings.h"

namespace croupier {

/// A bot that is nothing but a function.
using PlayFunction = std::function<Choice(const Turn&)>;

/// Plays until the service closes the stream, or SIGTERM or SIGINT arrives, and returns the program's exit code.
///
/// Whatever ends it otherwise is said on stderr. Exceptions of the bot pass through.
int run(Bot& bot, const Wants& wants = {}, const Settings& settings = {});
int run(PlayFunction play, const Wants& wants = {}, const Settings& settings = {});

/// `run` inside a program of your own: leaves signals and exit codes to it, and ends early when asked to stop.
///
/// Throws SettingsError or StreamRefused.
void play_until_closed(Bot& bot, const Wants& wants, const Settings& settings, std::stop_token stop);

}  // namespace croupier
