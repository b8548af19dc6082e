"""The table of all checks, in the order they are made."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from croupier_runner.check_bot.ending import closes, terminates
from croupier_runner.check_bot.greeting import denied, greets
from croupier_runner.check_bot.load import batches, hurry
from croupier_runner.check_bot.newer import newer
from croupier_runner.check_bot.playing import detail, games, seats
from croupier_runner.check_bot.spoken import quiet
from croupier_runner.check_bot.stage import Stage
from croupier_runner.check_bot.trouble import abort, again, reconnect, refused, stranger


@dataclass(frozen=True, slots=True)
class Check:
    """Something that is promised of every bot, and how to see whether it holds."""

    id: str
    promise: str
    run: Callable[[Stage], Awaitable[str]]
    """Returns a figure worth showing, or nothing; raises Fault or NotApplicable."""


CHECKS = (
    Check("greets", "It connects, shows its token, and says hello first and only once.", greets),
    Check("games", "It plays every game to the end, with every option, and no answer is refused.", games),
    Check("seats", "It plays several seats at one table, which may decide at the same time.", seats),
    Check("detail", "It plays as well when turns say more than it asked for.", detail),
    Check("quiet", "Whatever it writes to stdout is an answer to an open turn.", quiet),
    Check("batches", "It answers 64 turns that come together once each, and not one message at a time.", batches),
    Check("hurry", "It plays 32 games at once with a second for each decision.", hurry),
    Check("reconnect", "When the stream is lost it comes back by itself and plays on.", reconnect),
    Check("again", "A turn that comes again after a reconnect is answered again.", again),
    Check("refused", "A turn that comes again after a refused answer is answered again.", refused),
    Check("stranger", "Refusals of what it never sent, or has done with, do not disturb it.", stranger),
    Check("abort", "When games are aborted it plays the others on.", abort),
    Check("newer", "It does not mind what a newer service says.", newer),
    Check("closes", "When the service closes the stream it ends by itself, with exit code 0.", closes),
    Check("terminates", "SIGTERM ends it promptly, and it leaves no process behind.", terminates),
    Check("denied", "When its token is refused it says so and ends, with an exit code other than 0.", denied),
)
