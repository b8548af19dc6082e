"""Golden play-throughs: texts that show how a game plays, and that fail a test when it plays otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import unified_diff
from hashlib import sha256
from math import sqrt
from pathlib import Path

from croupier_games.conformance.case import Case, fits, values
from croupier_games.conformance.play import Play, everything
from croupier_games.game import Event, Game, OptionValue, Outcome, State

FULL_STEPS = 8
"""So many steps show the whole view; later ones only every so many, to keep the files readable."""


def golden_cases(game: Game) -> Iterator[Case]:
    """Every seat count with the default options; then each option changed once."""
    for seats in range(game.min_seats, game.max_seats + 1):
        yield Case(game, seats)
    # The geometric mean: most tables are small.
    middle = round(sqrt(game.min_seats * game.max_seats))
    for option in game.options:
        changed = [value for value in values(option) if value != option.default]
        tables = (middle, *range(game.min_seats, game.max_seats + 1))
        settings = ((seats, {option.name: value}) for seats in tables for value in reversed(changed))
        fitting = next(((seats, setting) for seats, setting in settings if fits(game, seats, setting)), None)
        if fitting is not None:
            yield Case(game, *fitting)


def file_name(case: Case) -> str:
    """Where a play-through is kept: `lie-3-seats.txt`, `lie-3-seats-joker_ones-true.txt`."""
    chosen = "".join(f"-{name}-{_in_a_name(value)}" for name, value in case.options.items())
    return f"{case.game.id}-{case.seats}-seats{chosen}.txt".lower()


def _in_a_name(value: OptionValue) -> str:
    """A value as part of a file's name: short words as they are, other texts by their hash."""
    text = str(value)
    return text if re.fullmatch(r"[A-Za-z0-9_-]{1,32}", text) else sha256(text.encode()).hexdigest()[:8]


def playthrough(case: Case) -> str:
    """The whole play-through of a case as text."""
    return "\n".join(_lines(Play(case))) + "\n"


def write(game: Game, folder: Path) -> list[str]:
    """Writes the game's golden files anew, removes those it no longer has, and returns the names of the written."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = {file_name(case): playthrough(case) for case in golden_cases(game)}
    for stale in _files(game, folder) - texts.keys():
        (folder / stale).unlink()
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    return list(texts)


def differences(game: Game, folder: Path) -> Iterator[str]:
    """What is wrong with the game's golden files: one text for each that is missing, stale or different."""
    texts = {file_name(case): playthrough(case) for case in golden_cases(game)}
    there = _files(game, folder)
    for name in sorted(there - texts.keys()):
        yield f"{name}: the game has no such play-through any more"
    for name, text in texts.items():
        if name not in there:
            yield f"{name}: missing"
        elif (kept := (folder / name).read_text(encoding="utf-8")) != text:
            diff = unified_diff(kept.splitlines(), text.splitlines(), "kept", "now", lineterm="", n=2)
            yield f"{name}: plays otherwise now\n" + "\n".join(list(diff)[:20])


def _files(game: Game, folder: Path) -> set[str]:
    return {path.name for path in folder.glob(f"{game.id}-*-seats*.txt")}


def _lines(play: Play) -> Iterator[str]:
    yield from _header(play.case, play.state)
    for state in play.steps():
        yield from _told(state.events)
        if not state.deciders:
            break
        seat, action = play.choice()
        yield ""
        yield f"## Step {play.step + 1}"
        yield f"deciders {', '.join(map(str, state.deciders))}; state {_digest(state)}"
        if play.step < FULL_STEPS or play.step % FULL_STEPS == 0:
            yield f"seat {seat} sees:"
            yield from (f"    {line}".rstrip() for line in play.case.game.render(state.view(seat)).split("\n"))
        yield f"seat {seat} has {_counted(len(state.legal(seat)), 'legal action')} and plays: {action}"
    if play.state.outcome is not None:
        yield from _footer(play.state.outcome, play)


def _header(case: Case, state: State) -> Iterator[str]:
    options = ", ".join(f"{name}={value}" for name, value in sorted(state.options.items()))
    yield f"# {case.game.title}, {case.seats} seats"
    yield f"game    {case.game.id}, version {case.game.version}"
    yield f"seats   {case.seats}"
    yield f"options {options or 'none'}"
    yield f"seed    {case.seed.hex()}"
    yield "Actions are chosen at random; `state` is the start of a hash over all that anybody sees."
    yield ""
    yield "## Opening"


def _told(events: tuple[Event, ...]) -> Iterator[str]:
    for what, audience in events:
        yield f"  to {'all' if audience is None else f'seat {audience}'}: {what}"


def _footer(outcome: Outcome, play: Play) -> Iterator[str]:
    yield ""
    yield f"## Outcome after {_counted(play.step, 'action')}: {outcome.reason}"
    yield f"state {_digest(play.state)}"
    yield "a spectator sees:"
    yield from (f"    {line}".rstrip() for line in play.case.game.render(play.state.view(None)).split("\n"))
    for seat, result in enumerate(outcome.results):
        figures = [] if result.points is None else [_counted(result.points, "point")]
        figures += [f"{name} {value}" for name, value in result.tie_breaks] + list(result.notes)
        yield f"seat {seat}: place {result.place}" + (f" ({'; '.join(figures)})" if figures else "")


def _digest(state: State) -> str:
    facts = everything(state)
    # How a state is stored may change without a change in behaviour.
    del facts["save"]
    return sha256(repr(facts).encode()).hexdigest()[:12]


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
