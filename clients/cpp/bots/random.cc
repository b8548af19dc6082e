// A bot that plays any game at random; CROUPIER_BOT_SEED may be any text.
#include <cstdlib>

#include "croupier/run.h"
#include "random_bot.h"

int main() {
  const char* seed = std::getenv("CROUPIER_BOT_SEED");
  RandomBot bot(seed == nullptr ? "0" : seed);
  return croupier::run(bot, {.view = false, .legal = croupier::Legal::count, .events = false});
}
