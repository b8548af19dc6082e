"""Checks of how a bot plays: every game, several seats at a table, turns that say more than it asked for."""

from croupier.v1 import bots_pb2, turns_pb2
from croupier_client.relay import RelayedStream
from croupier_runner.check_bot.findings import NotApplicable
from croupier_runner.check_bot.stage import Stage
from croupier_runner.check_bot.tables import against_the_house, alone, variety
from croupier_runner.check_bot.watcher import Watcher


async def games(stage: Stage) -> str:
    """Every game with the fewest and the most seats, and with each of its options; one seat at each table."""
    advice = "answer every turn with a position in its legal list, a notation from it, or the game's typed action"
    async with stage.guest(advice=advice) as guest:
        await guest.comes()
        tables = [table for game in stage.subject.games for table in variety(game)]
        await guest.play(tables)
        names = ", ".join(game.id for game in stage.subject.games)
        return f"{len(tables)} games of {names}; {guest.watcher.answered.total()} answers"


async def seats(stage: Stage) -> str:
    """All seats of a table, which in some games decide at the same time."""
    advice = "keep what you remember of a game under session and seat, not under the session alone"
    async with stage.guest(advice=advice) as guest:
        await guest.comes()
        tables = [table for game in stage.subject.games for table in alone(game)]
        if not tables:
            raise NotApplicable("these games have one seat only")
        await guest.play(tables)
        together = guest.watcher.simultaneous
        return f"{together} times several at once" if together else "none of these games has simultaneous decisions"


class Generous(Watcher):
    """Asks the service for everything, whatever the bot asked for."""

    async def from_bot(self, stream: RelayedStream, request: bots_pb2.PlayRequest) -> None:
        """Changes the greeting on its way."""
        self.note_request(stream, request)
        if request.HasField("hello"):
            request.hello.detail.CopyFrom(turns_pb2.TurnDetail(legal=turns_pb2.LEGAL_DETAIL_TYPED))
        await stream.to_service(request)


async def detail(stage: Stage) -> str:
    """What a bot asked for is the least it gets."""
    if stage.subject.protocol == "stdio":
        raise NotApplicable("the bridge sends just what the bot wants")
    advice = "Hello.detail says what a bot can do without; leave unread whatever else a turn carries"
    async with stage.guest(Generous(), advice=advice) as guest:
        await guest.comes()
        asked = guest.watcher.greetings[0].first.hello.detail
        if asked.legal not in turns_pb2.LegalDetail.values():
            raise guest.fault(f"it asked for the legal actions as {asked.legal}, which LegalDetail does not have")
        await guest.play(against_the_house(game) for game in stage.subject.games)
        return f"it asked for {_wanted(asked)}"


def _wanted(asked: turns_pb2.TurnDetail) -> str:
    typed = asked.legal == turns_pb2.LEGAL_DETAIL_TYPED
    counted = asked.legal == turns_pb2.LEGAL_DETAIL_COUNT
    wanted = ["typed actions" if typed else "the number of legal actions" if counted else "notations"]
    wanted += [] if asked.omit_view else ["the view"]
    wanted += [] if asked.omit_events else ["events"]
    return ", ".join(wanted)
