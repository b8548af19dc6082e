// How the library speaks to whoever reads a bot's stderr.
#pragma once

#include <cstdio>
#include <string>

namespace croupier {

/// Writes one line, in one piece: several bots may share a terminal.
inline void say(const std::string& sentence) { std::fputs(("croupier: " + sentence + "\n").c_str(), stderr); }

}  // namespace croupier
