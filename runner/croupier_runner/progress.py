"""How a run shows that it is getting on: a bar on a terminal, plain lines elsewhere, or nothing."""

from types import TracebackType
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as RichProgress

from croupier_runner.standings import Standings

_LINES = 10
"""Lines that a whole run prints where there is no terminal."""


class Progress(Protocol):
    """Whoever is told that another game is over."""

    def __enter__(self) -> "Progress": ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def advance(self, games: int, standings: Standings) -> None:
        """So many games have been played."""


class Silence:
    """Shows nothing."""

    def __enter__(self) -> "Silence":
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing to end."""

    def advance(self, games: int, standings: Standings) -> None:
        """Shows nothing."""


class Lines:
    """A line for every tenth of the run."""

    def __init__(self, console: Console, games: int) -> None:
        self._console = console
        self._total = games
        self._printed = 0

    def __enter__(self) -> "Lines":
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing to end."""

    def advance(self, games: int, standings: Standings) -> None:
        """Prints a line when another tenth is done."""
        tenths = games * _LINES // self._total
        if tenths > self._printed:
            self._printed = tenths
            self._console.print(f"{games} of {self._total} games played; {_leader(standings)}", highlight=False)


class Bar:
    """A bar with the leader beside it."""

    def __init__(self, console: Console, games: int) -> None:
        columns = (
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.description}", markup=False),
        )
        self._bar = RichProgress(*columns, console=console, transient=True)
        self._task = self._bar.add_task("", total=games)

    def __enter__(self) -> "Bar":
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def advance(self, games: int, standings: Standings) -> None:
        """Moves the bar."""
        self._bar.update(self._task, completed=games, description=_leader(standings))


def progress_for(console: Console, games: int) -> Progress:
    """What suits that console."""
    return Bar(console, games) if console.is_terminal else Lines(console, games)


def _leader(standings: Standings) -> str:
    if not standings.games:
        return "no block is complete yet"
    first = standings.rows()[0]
    return f"{first.bot} leads with Elo {first.elo:.0f}"
