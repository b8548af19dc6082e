"""The conformance kit for bots, `croupier check-bot` (docs/check-bot.md): a real service, a relay, and the bot.

`checks` is the table of all checks; each family of them has a module. `stage` is what they play on, `guest` the bot,
`watcher` what the relay sees of it, `batcher` the relay's script for most checks, `tables` what is played,
`findings` what comes out.
"""

from croupier_runner.check_bot.checking import check_bot, listed
from croupier_runner.check_bot.stage import Patience, Protocol, Subject

__all__ = ["Patience", "Protocol", "Subject", "check_bot", "listed"]
