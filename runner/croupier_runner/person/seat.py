"""A person in one or more seats: is shown what the service sends to them, and asked when the service asks."""

import asyncio
from collections.abc import Awaitable, Sequence
from typing import NamedTuple

from croupier.v1 import bots_pb2, games_pb2, sessions_pb2
from croupier_client import AsyncClient, Bot, Turn, WrongMoment
from croupier_games import Game
from croupier_runner.person.choices import Choices, Wish
from croupier_runner.person.reading import Reader
from croupier_runner.sessions import options_of
from croupier_runner.terminal import Terminal

_PATIENCE_S = 1.5
"""After this long the person is told that the others are thinking."""


class _Asked(NamedTuple):
    turn: Turn
    answer: "asyncio.Future[int]"


class Person(Bot):
    """To the service just another bot. Several seats are asked one after the other, even when all decide at once."""

    def __init__(
        self,
        game: Game,
        session: sessions_pb2.Session,
        seats: Sequence[int],
        token: str,
        client: AsyncClient,
        terminal: Terminal,
    ) -> None:
        self._game = game
        self._session = session
        self._seats = seats
        self.token = token
        self._client = client
        self._terminal = terminal
        self._reader = Reader(game, len(session.seats), options_of(session))
        self._asked: asyncio.Queue[_Asked] = asyncio.Queue()
        self._next_event = dict.fromkeys(seats, 0)
        """By seat: the first event that it has not been told."""
        self._at_terminal = seats[0]

    # ---- what the service says ----

    def play(self, turn: Turn) -> Awaitable[int]:
        """A decision is due."""
        answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._asked.put_nowait(_Asked(turn, answer))
        return answer

    def refused(self, refusal: bots_pb2.Refusal) -> None:
        """An answer came too late."""
        self._terminal.write(refusal.message)

    # ---- what the person sees ----

    def welcome(self) -> None:
        """Says what is played, and who sits where."""
        session = self._session
        lines = [f"{self._game.title}. You sit in seat {', '.join(map(str, self._seats))}."]
        lines += [f"  seat {seat}: {chair.name}" for seat, chair in enumerate(session.seats)]
        lines += [f"The deal is committed to by {session.seed_commitment.hex()}.", "Type ? for help."]
        self._terminal.write("\n".join(lines))

    async def play_on(self) -> bool:
        """Until the game is over; False if the person wants to leave before."""
        over = asyncio.ensure_future(self._client.get_session(self._session.session_id, wait_until_over=True))
        try:
            while (asked := await self._next(over)) is not None:
                if not await self._decided(asked):
                    return False
            await self._show_end()
            return True
        finally:
            over.cancel()
            await asyncio.wait({over})

    async def _next(self, over: "asyncio.Future[sessions_pb2.Session]") -> _Asked | None:
        """The next decision; None when the game is over."""
        asked = asyncio.ensure_future(self._asked.get())
        waited: set[asyncio.Future[_Asked] | asyncio.Future[sessions_pb2.Session]] = {asked, over}
        try:
            await asyncio.wait(waited, timeout=_PATIENCE_S, return_when=asyncio.FIRST_COMPLETED)
            if not asked.done() and not over.done():
                self._terminal.write("The others are thinking …")
                await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
            if over.done():
                over.result()  # or the error that it was
                return None
            return asked.result()
        finally:
            asked.cancel()

    async def _decided(self, asked: _Asked) -> bool:
        """Shows the table and asks; False if the person wants to leave."""
        turn = asked.turn
        if not await self._hand_over(turn.seat):
            return False
        self._tell(turn.raw.events)
        self._next_event[turn.seat] = turn.raw.next_event
        choices = Choices(turn.legal, self._terminal)
        self._show(turn.raw.view)
        choices.show()
        while True:
            answer = await choices.ask(f"seat {turn.seat}> " if len(self._seats) > 1 else "> ")
            if answer is Wish.TABLE:
                self._show(turn.raw.view)
            elif answer is Wish.RULES:
                self._terminal.write(_about(self._game, self._session))
            elif answer is Wish.RESIGN:
                await self._resign(turn.seat)
                return True
            elif isinstance(answer, int):
                asked.answer.set_result(answer)
                return True
            else:
                return False

    async def _hand_over(self, seat: int) -> bool:
        """With several people at one terminal, none shall see what the others hold."""
        if seat != self._at_terminal:
            self._terminal.write("\n" * self._terminal.size.lines)
            try:
                await self._terminal.read_line(f"Seat {seat} is asked: press Enter when the others look away. ")
            except EOFError:
                return False
            self._at_terminal = seat
        return True

    async def _resign(self, seat: int) -> None:
        try:
            await self._client.forfeit_seat(self._session.session_id, self.token, seat)
        except WrongMoment as error:  # the game ended while the person thought
            self._terminal.write(str(error))
        else:
            self._terminal.write("You resign; the house plays on for you.")

    async def _show_end(self) -> None:
        """What happened since the last decision, and the last position, as the person's first seat sees it."""
        seat = self._seats[0]
        events, view = [], None
        async for step in self._client.watch(self._session.session_id, self.token, seat, self._next_event[seat]):
            if step.HasField("event"):
                events.append(step.event.event)
            elif step.HasField("start"):
                view = step.start.view
        self._tell(events)
        if view is not None:
            self._show(view)

    def _tell(self, events: Sequence[games_pb2.GameEvent]) -> None:
        if events:
            self._terminal.write("\n".join(["", *(f"· {self._reader.sentence(event)}" for event in events)]))

    def _show(self, view: games_pb2.GameView) -> None:
        self._terminal.write(f"\n{self._reader.shown(view)}\n")


def _about(game: Game, session: sessions_pb2.Session) -> str:
    options = [f"  {name} = {str(value).lower()}" for name, value in sorted(options_of(session).items())]
    lines = [game.title, game.summary, f"The rules: docs/rules/{game.id}.md in the source of Croupier."]
    return "\n".join([*lines, *(["Options of this game:", *options] if options else [])])
