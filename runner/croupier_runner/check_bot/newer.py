"""The check of a bot against a service newer than its stubs."""

from google.protobuf.message import Message

from croupier.v1 import bots_pb2, turns_pb2
from croupier_client.relay import RelayedStream
from croupier_runner.check_bot.stage import Stage
from croupier_runner.check_bot.tables import against_the_house
from croupier_runner.check_bot.watcher import Watcher

UNKNOWN_FIELDS = bytes.fromhex("c0bb01 07 cabb01 03 616263 d1bb01 0102030405060708".replace(" ", ""))
"""Fields 3000 (a number), 3001 (the text "abc") and 3002 (eight bytes), which no message has."""
UNKNOWN_CAUSE = 99
"""No value of ForfeitCause."""


class Newer(Watcher):
    """Makes every message one of a newer service."""

    async def from_service(self, stream: RelayedStream, response: bots_pb2.PlayResponse) -> None:
        """Adds what the bot cannot know, and messages that have nothing for it."""
        for result in response.games_over:
            for other in result.outcome.results[result.seat + 1 :]:
                other.forfeit_cause = UNKNOWN_CAUSE  # type: ignore[assignment]  # that is the point
        for turn in response.turns:
            _add_event(turn)
        add_unknown_fields(response)
        await self.tell(stream, response)
        await self.tell(stream, bots_pb2.PlayResponse())
        await self.tell(stream, bots_pb2.PlayResponse.FromString(UNKNOWN_FIELDS))


def add_unknown_fields(message: Message) -> None:
    """Adds them to the message and to all messages in it."""
    for field, value in message.ListFields():
        kind = field.message_type
        if kind is None or kind.GetOptions().map_entry or kind.file.package == "google.protobuf":
            continue  # of an Any, what is in it is its game's
        for part in value if field.is_repeated else [value]:
            add_unknown_fields(part)
    message.MergeFromString(UNKNOWN_FIELDS)


def _add_event(turn: turns_pb2.Turn) -> None:
    """An event of a kind that is not known yet, if the bot gets events of a game whose messages we know."""
    game = turn.events[0].WhichOneof("game") if turn.events else None
    if game not in (None, "other"):
        getattr(turn.events.add(), game).MergeFromString(UNKNOWN_FIELDS)


async def newer(stage: Stage) -> str:
    """Unknown fields everywhere, an unknown enum value, an unknown event, messages with nothing in them."""
    advice = "leave unread what you do not know: fields, enum values, kinds of events, and messages that have nothing"
    if stage.subject.protocol == "stdio":
        advice = "leave unread the keys and the types of lines that you do not know; try croupier bridge --as-newer"
    async with stage.guest(Newer(), advice=advice, as_newer=True) as guest:
        await guest.comes()
        await guest.play(against_the_house(game) for game in stage.subject.games)
    return ""
