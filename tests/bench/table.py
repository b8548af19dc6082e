"""The rows of the bench, their verdicts, and the table that people read."""

import os
import platform
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version

from rich import box
from rich.console import Console
from rich.table import Table


@dataclass(frozen=True, slots=True)
class Target:
    """What a row is to reach, in its ratio to the floor or in its value."""

    limit: float
    goal: float | None = None
    at_most: bool = True
    of_ratio: bool = True

    def __str__(self) -> str:
        goal = "" if self.goal is None else f" (goal {_number(self.goal)}{self._unit})"
        return f"{'≤' if self.at_most else '≥'} {_number(self.limit)}{self._unit}{goal}"

    @property
    def _unit(self) -> str:
        return " ×" if self.of_ratio else ""

    def verdict(self, figure: float) -> str:
        """In words, whether the figure reaches it."""
        if not self._reached(figure, self.limit):
            return "missed"
        if self.goal is None:
            return "met"
        return "met, the goal too" if self._reached(figure, self.goal) else "met, not the goal"

    def _reached(self, figure: float, limit: float) -> bool:
        return figure <= limit if self.at_most else figure >= limit


@dataclass(frozen=True, slots=True)
class Row:
    """One figure."""

    id: str
    """The number of its row in the plan, and a letter where there are several."""
    what: str
    value: float
    unit: str
    how: str
    """How it was measured, in a line."""
    floor: float | None = None
    target: Target | None = None
    floor_is: str = ""
    """Which floor: they differ."""

    @property
    def ratio(self) -> float | None:
        """The value in units of the floor."""
        return self.value / self.floor if self.floor else None

    @property
    def verdict(self) -> str:
        """In words, whether the target is reached; empty if there is none."""
        if self.target is None:
            return ""
        figure = self.ratio if self.target.of_ratio else self.value
        return "no floor" if figure is None else self.target.verdict(figure)

    def as_dict(self) -> dict[str, object]:
        """For JSON."""
        target = str(self.target) if self.target else None
        return asdict(self) | {"ratio": self.ratio, "target": target, "verdict": self.verdict}


def machine() -> dict[str, object]:
    """What the figures were measured on."""
    return {
        "cores": len(os.sched_getaffinity(0)),
        "load_average": round(os.getloadavg()[0], 1),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "python": platform.python_version(),
        **{name: version(name) for name in ("grpcio", "protobuf", "uvloop")},
    }


def show(console: Console, on: dict[str, object], rows: Sequence[Row]) -> None:
    """Prints the table, and below it how each figure was measured."""
    console.print(
        f"[bold]Croupier bench[/bold]: {on['cores']} cores (load {on['load_average']} at the start), {on['system']}, "
        f"Python {on['python']}, grpcio {on['grpcio']}, protobuf {on['protobuf']}, uvloop {on['uvloop']}",
        soft_wrap=True,
    )
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in ("", "what"):
        table.add_column(name, no_wrap=True)
    for name in ("value", "unit", "floor", "which", "ratio", "target", "verdict"):
        table.add_column(name, justify="right" if name in ("value", "floor", "ratio") else "left", no_wrap=True)
    for row in rows:
        table.add_row(
            row.id,
            row.what,
            _number(row.value),
            row.unit,
            "" if row.floor is None else _number(row.floor),
            row.floor_is,
            "" if row.ratio is None else f"{row.ratio:.2f} ×",
            "[dim]no target[/dim]" if row.target is None else str(row.target),
            _coloured(row.verdict),
        )
    console.print(table)
    for row in rows:
        console.print(f"[dim]{row.id:>3}  {row.how}[/dim]", soft_wrap=True, highlight=False)


def _coloured(verdict: str) -> str:
    return f"[red]{verdict}[/red]" if verdict == "missed" else f"[green]{verdict}[/green]" if verdict else ""


def _number(value: float) -> str:
    """Three significant digits or all before the point, thousands set apart."""
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 or value == round(value, 1) else f"{value:.2f}"
