"""Tables of Doppelt so clever as a test wants them: particular dice and sheets, set up through `restore`."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

import pytest

from croupier_games import saving
from croupier_games.chance import Chance
from croupier_games.twice_as_clever import TWICE_AS_CLEVER
from croupier_games.twice_as_clever.data import ROUNDS, Color
from croupier_games.twice_as_clever.rules import TwiceAsCleverState
from croupier_games.twice_as_clever.saved import Marks, Saved, marks_of, sheets_of
from croupier_games.twice_as_clever.sheet import EMPTY, CellMark, Sheet
from croupier_games.twice_as_clever.view import Dice, Phase, Step, Task, Turn
from croupier_games.twice_as_clever.windows import opening

LETTERS = {"w": Color.WHITE, "s": Color.SILVER, "y": Color.YELLOW, "b": Color.BLUE, "g": Color.GREEN, "p": Color.PINK}
MARKS = {".": CellMark.OPEN, "o": CellMark.CIRCLED, "x": CellMark.CROSSED}


def seed(number: int) -> bytes:
    return sha256(b"twice_as_clever/%d" % number).digest()


def open_table(seats: int, number: int = 0, **options: Any) -> TwiceAsCleverState:
    state = TWICE_AS_CLEVER.new(seats=seats, options=options, seed=seed(number))
    assert isinstance(state, TwiceAsCleverState)
    return state


def colors(letters: str) -> tuple[Color, ...]:
    return tuple(LETTERS[letter] for letter in letters)


def marks(
    silver: Sequence[str] = ("", "", "", ""),
    yellow: str = "." * 10,
    blue: Sequence[int] = (),
    green: Sequence[int] = (),
    pink: Sequence[int] = (),
    used: Sequence[int] = (0, 0, 0),
) -> Marks:
    """What is on a sheet. `silver`: the crossed values of each row, like "135"; `yellow`: its cells in reading order
    (3 6 1 2 4 3 2 5 5 4), `.` open, `o` circled, `x` crossed; `used`: re-rolls, returns, extra dice."""
    rows = tuple(tuple(map(int, row)) for row in silver)
    cells = tuple(MARKS[letter] for letter in yellow)
    return Marks(rows, cells, tuple(blue), tuple(green), tuple(pink), tuple(used))


def table(
    seats: int = 2,
    pips: str = "123456",
    *,
    available: str | None = None,
    chosen: str = "",
    tray: str = "",
    round_: int = 1,
    roll: int = 1,
    rerolls: int = 0,
    active: int = 0,
    starter: int = 0,
    phase: Phase = Phase.ACTIVE,
    solo_passive: bool = False,
    sheets: Mapping[int, Marks] | None = None,
    task: Task | None = None,
    **options: Any,
) -> TwiceAsCleverState:
    """A table with these dice (white, silver, yellow, blue, green, pink), in the middle of the active player's choice
    or as a window opens. Dice that are not said to lie elsewhere are available, or on the tray in a window."""
    window = phase in (Phase.GRANT, Phase.PASSIVE, Phase.EXTRA)
    rest = "".join(letter for letter in LETTERS if letter not in chosen + tray) if available is None else available
    lying = ("", chosen, tray + rest) if window else (rest, chosen, tray)
    free, fields, lower = map(colors, lying)
    dice = Dice(tuple(map(int, pips)), tuple(sorted(free)), fields, tuple(sorted(lower)))
    turn = Turn(round_, ROUNDS[seats], starter, active, roll, rerolls, solo_passive, ())
    on_sheets = tuple((sheets or {}).get(seat, marks_of(EMPTY)) for seat in range(seats))
    tasks: tuple[Task | None, ...] = tuple(
        (task or Task(Step.CHOOSE)) if seat == active else None for seat in range(seats)
    )
    saved = Saved(
        TWICE_AS_CLEVER.id,
        TWICE_AS_CLEVER.version,
        seats,
        TWICE_AS_CLEVER.check(seats, options),
        seed(0).hex(),
        phase,
        turn,
        dice,
        on_sheets,
        on_sheets if window else (),
        tasks,
    )
    if window:
        saved = saved._replace(tasks=opening(phase, turn, sheets_of(on_sheets, round_)))
    return TWICE_AS_CLEVER.restore(saving.dump(saved))


def say(state: TwiceAsCleverState, *lines: str) -> TwiceAsCleverState:
    """Plays lines such as "0 pick white as pink": a seat and a notation."""
    for line in lines:
        seat, notation = line.split(" ", 1)
        state.play(int(seat), TWICE_AS_CLEVER.parse(notation))
    return state


def legal(state: TwiceAsCleverState, seat: int = 0) -> list[str]:
    return [str(action) for action in state.legal(seat)]


class Scripted(Chance):
    """Chance whose rolls are written down by name; whatever is not, falls as the seed has it."""

    __slots__ = ("script",)

    def __init__(self, script: Mapping[str, str]) -> None:
        super().__init__(seed(0))
        self.script = script

    def rolls(self, name: str, sides: int, count: int) -> tuple[int, ...]:
        written = self.script.get(name)
        return tuple(map(int, written)) if written else super().rolls(name, sides, count)


def rig(state: TwiceAsCleverState, **script: str) -> TwiceAsCleverState:
    """Writes down what falls later: `rig(state, roll_2="123456")` for the next roll of the turn, and so on."""
    turn = state.turn
    names = {
        f"roll/round/{turn.round}/seat/{turn.active}/{key.removeprefix('roll_')}/0": faces
        for key, faces in script.items()
    }
    state.chance = Scripted(names)
    return state


def told(state: TwiceAsCleverState, kind: type) -> list[Any]:
    """The events of a kind, whoever is told."""
    return [event.what for event in state.events if isinstance(event.what, kind)]


def crossed(sheet: Sheet) -> set[str]:
    """The crosses in silver, like "green 2"."""
    names = ("yellow", "blue", "green", "pink")
    return {f"{name} {value}" for name, row in zip(names, sheet.silver.rows, strict=True) for value in row}


@pytest.fixture
def clever() -> Any:
    """The ways above, under one name."""

    class Ways:
        pass

    ways = (seed, colors, marks, table, say, legal, rig, told, crossed, Scripted)
    for way in ways:
        setattr(Ways, way.__name__, staticmethod(way))
    Ways.open = staticmethod(open_table)  # type: ignore[attr-defined]
    return Ways
