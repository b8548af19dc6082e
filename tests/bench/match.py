"""What is played: a game with so many seats, who sits there, and how sessions of it are opened."""

from dataclasses import dataclass
from typing import Any

from grpc import aio

from croupier.v1 import sessions_pb2
from croupier_games import Game, installed_games

USUAL_SEATS = 2
CREATE_SESSION = "/croupier.v1.SessionService/CreateSession"


def token(name: str) -> str:
    """The token of the bot of that name."""
    return f"token-of-{name}".ljust(32, "-")


@dataclass(frozen=True, slots=True)
class Match:
    """A game, with default options, and its number of seats."""

    game_id: str
    seats: int

    def plans(self, *names: str) -> list[sessions_pb2.SeatPlan]:
        """The seats, dealt out to these bots in turn."""
        sitting = [names[seat % len(names)] for seat in range(self.seats)]
        return [sessions_pb2.SeatPlan(name=name, token=token(name)) for name in sitting]

    def request(self, *names: str) -> bytes:
        """The call that opens a session of it for these bots."""
        return sessions_pb2.CreateSessionRequest(game_id=self.game_id, seats=self.plans(*names)).SerializeToString()


LIE = Match("lie", USUAL_SEATS)
"""What is played wherever one game has to stand for all."""


def smallest(game: Game) -> Match:
    """Two seats, or as close to it as the game allows."""
    return Match(game.id, min(game.max_seats, max(USUAL_SEATS, game.min_seats)))


def lettered_games(number: int) -> list[tuple[str, Game]]:
    """Every installed game, with the id of its row of that number: the same game has the same letter everywhere."""
    return [(f"{number}{chr(ord('a') + place)}", game) for place, game in enumerate(installed_games().values())]


class Opener:
    """Opens sessions of a match with the least work on our side: neither requests nor replies are built or parsed."""

    def __init__(self, channel: aio.Channel, match: Match, *names: str) -> None:
        self._create: Any = channel.unary_unary(CREATE_SESSION, None, None)
        self._request = match.request(*names)

    async def open(self) -> None:
        """Opens one; its bots are connected, so it is dealt at once."""
        await self._create(self._request)
