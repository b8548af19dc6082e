// A bot that plays LIE by the odds. It asks for no legal list: it answers with the game's own typed messages.
#include "croupier/run.h"
#include "lie_bot.h"

int main() {
  lie::LieBot bot;
  return croupier::run(bot, {.legal = croupier::Legal::count, .events = false});
}
