"""Replays: a record played again by the rules, as positions that people can step through.

A replay shows what a record says as far as that can be played. Whether it is true is for `verify` to say.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from croupier.v1 import records_pb2, sessions_pb2
from croupier_games import Game, GameError, State, installed_games
from croupier_runner.errors import RecordFault
from croupier_runner.sessions import cause_in_words, options_of, seat_name
from croupier_runner.terminal import Terminal
from croupier_runner.web import Frame

HELP = "Enter or n: next, p: previous, g NUMBER: go there, q: quit"

_CHOOSERS = {records_pb2.CHOOSER_FORCED: " (forced)", records_pb2.CHOOSER_HOUSE: " (the house)"}


def frames(record: records_pb2.Record, seat: int | None = None) -> tuple[Frame, ...]:
    """The deal, every entry of the record, and the end: as spectators saw it, or as a seat did."""
    if seat is not None and not 0 <= seat < len(record.session.seats):
        raise RecordFault(f"there is no seat {seat}; the seats are 0 to {len(record.session.seats) - 1}")
    return tuple(_frames(record, seat))


def _frames(record: records_pb2.Record, seat: int | None) -> Iterator[Frame]:
    session = record.session
    state = _dealt(record)
    yield _frame(f"{state.game.title} is dealt.", state, seat)
    for number, entry in enumerate(record.entries, 1):
        if entry.HasField("forfeit"):
            caption = f"{seat_name(session, entry.forfeit.seat)} {cause_in_words(entry.forfeit.cause)} and forfeits."
            yield Frame(caption, _shown(state, seat))
            continue
        taken = entry.action
        try:
            state.play(taken.seat, state.game.parse(taken.notation))
        except GameError as error:
            raise RecordFault(f"entry {number} of the record cannot be played: {error}; see croupier verify") from None
        who = seat_name(session, taken.seat)
        yield _frame(f"{who} plays {taken.notation}{_CHOOSERS.get(taken.chooser, '')}.", state, seat)
    if session.HasField("outcome"):
        yield Frame(_ending(session), _shown(state, seat))


@cache
def _games() -> Mapping[str, Game]:
    """Looked up once, for who makes many replays."""
    return installed_games()


def _dealt(record: records_pb2.Record) -> State:
    session = record.session
    game = _games().get(session.game_id)
    if game is None:
        raise RecordFault(f"there is no game {session.game_id!r} here to replay it with; install the package it is in")
    if game.version != session.game_version:
        raise RecordFault(
            f"it was played by version {session.game_version} of {game.id}, and here is version {game.version}; "
            "replay it with the croupier that played it"
        )
    try:
        return game.new(seats=len(session.seats), options=options_of(session), seed=record.deal_seed)
    except (GameError, ValueError) as error:
        raise RecordFault(f"the record cannot be dealt again: {error}; see croupier verify") from None


def _frame(caption: str, state: State, seat: int | None) -> Frame:
    """What was done, what came of it in sentences, and the position."""
    told = [str(event.what) for event in state.events if event.audience is None or event.audience == seat]
    return Frame(" ".join([caption, *told]), _shown(state, seat))


def _shown(state: State, seat: int | None) -> str:
    return state.game.render(state.view(seat))


def _ending(session: sessions_pb2.Session) -> str:
    outcome = session.outcome
    order = sorted(range(len(outcome.results)), key=lambda seat: outcome.results[seat].place)
    places = [f"{outcome.results[seat].place}. {seat_name(session, seat)}{_points(outcome, seat)}" for seat in order]
    return f"The game is over: {outcome.reason}. {', '.join(places)}."


def _points(outcome: sessions_pb2.Outcome, seat: int) -> str:
    result = outcome.results[seat]
    return f" with {result.points} points" if result.HasField("points") else ""


async def step_through(steps: Sequence[Frame], terminal: Terminal) -> None:
    """Shows the positions one by one, as the person asks; all of them where nobody can ask."""
    if not terminal.interactive:
        for at in range(len(steps)):
            terminal.write(_page(steps, at))
        return
    at, show = 0, True
    while True:
        if show:
            terminal.write(_page(steps, at))
        try:
            typed = (await terminal.read_line(f"{at + 1}/{len(steps)} > ")).strip().lower()
        except EOFError:
            return
        if typed in ("q", "quit"):
            return
        wanted = _wanted(typed, at, len(steps))
        show = isinstance(wanted, int)
        if isinstance(wanted, int):
            at = wanted
        else:
            terminal.write(wanted)


def _page(steps: Sequence[Frame], at: int) -> str:
    return f"\n{at + 1}/{len(steps)}  {steps[at].caption}\n\n{steps[at].text}\n"


def _wanted(typed: str, at: int, count: int) -> int | str:
    """Where to go, or why not."""
    if typed in ("", "n", "next"):
        return at + 1 if at + 1 < count else "This is the end; p goes back, q quits."
    if typed in ("p", "previous"):
        return at - 1 if at else "This is the beginning; Enter goes on, q quits."
    number = typed.removeprefix("g").strip()
    if not number.isdecimal():
        return f"{typed!r} is not known here. {HELP}."
    return int(number) - 1 if 1 <= int(number) <= count else f"There is no {number}; the positions are 1 to {count}."
