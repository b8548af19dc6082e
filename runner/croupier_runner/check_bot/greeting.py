"""Checks of how a bot begins: its greeting, and what it does when it is not let in."""

import asyncio

from croupier_client.relay import RelayedStream
from croupier_runner.check_bot.findings import NotApplicable
from croupier_runner.check_bot.guest import Guest
from croupier_runner.check_bot.stage import Stage
from croupier_runner.check_bot.tables import against_the_house
from croupier_runner.check_bot.watcher import Watcher

NAME_CHARACTERS = 64


async def greets(stage: Stage) -> str:
    """The greeting, over TCP: the other checks use a Unix socket."""
    advice = "see “Playing on a stream” in docs/protocol.md"
    if stage.subject.protocol == "stdio":
        advice = 'its first line must be {"want": {}}, flushed (docs/stdio.md)'
    async with stage.guest(advice=advice, over_tcp=True) as guest:
        startup_s = stage.patience.startup_s
        greetings = guest.watcher.greetings
        nothing = f"it said nothing on CROUPIER_TARGET={guest.relay.target} within {startup_s:g} s"
        await guest.until(lambda: bool(greetings), startup_s, nothing)
        _complain_of_greeting(guest)
        await guest.comes()
        await guest.play([against_the_house(stage.subject.games[0])])
        return f"as {greetings[0].first.hello.name!r}"


def _complain_of_greeting(guest: Guest) -> None:
    greeting = guest.watcher.greetings[0]
    if greeting.authorization != guest.authorization:
        shown = greeting.authorization or "none"
        raise guest.fault(f"expected the metadata 'authorization: Bearer' and CROUPIER_TOKEN, got {shown[:40]!r}")
    if not greeting.first.HasField("hello"):
        raise guest.fault("its first message carries no hello; PlayRequest.hello comes before any answer")
    name = greeting.first.hello.name
    if len(name) > NAME_CHARACTERS:
        raise guest.fault(
            f"its name has {len(name)} characters, and may have {NAME_CHARACTERS}: shorten {name[:20]!r}…"
        )


class Bouncer(Watcher):
    """Lets nobody in."""

    def __init__(self, status: str) -> None:
        super().__init__()
        self._status = status

    async def opened(self, stream: RelayedStream) -> None:
        """Refuses the stream."""
        await super().opened(stream)
        stream.end(self._status, "this token holds nothing here; ask the organiser for another one")


async def denied(stage: Stage) -> str:
    """A wrong token, said in both ways there are."""
    if stage.subject.protocol == "stdio":
        raise NotApplicable("the bridge shows the token")
    await asyncio.gather(*(_denied_as(stage, status) for status in ("UNAUTHENTICATED", "PERMISSION_DENIED")))
    return ""


async def _denied_as(stage: Stage, status: str) -> None:
    advice = (
        "print the status's message to stderr and end with an exit code other than 0; try again only if UNAVAILABLE"
    )
    async with stage.guest(Bouncer(status), advice=advice) as guest:
        startup_s = stage.patience.startup_s
        nothing = f"it opened no stream within {startup_s:g} s"
        await guest.until(lambda: guest.watcher.opened_streams > 0, startup_s, nothing)
        code = await guest.ends(f"its stream was ended with {status}, as for a wrong token")
        if code == 0:
            raise guest.fault(f"its stream was ended with {status}, and it ended with exit code 0, as if all were well")
        if not guest.program.stderr:
            raise guest.fault(f"its stream was ended with {status}, and it ended without a word on stderr")
