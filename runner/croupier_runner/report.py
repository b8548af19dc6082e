"""What a tournament came to: a table for people, JSON for programs."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from croupier_runner.ratings import elo
from croupier_runner.standings import Standing

ESTIMATE = (
    "Elo here is online Elo: a first estimate, updated block by block in schedule order, without error bars. "
    "Small differences mean nothing."
)


@dataclass(frozen=True, slots=True)
class Report:
    """The end of a tournament."""

    name: str
    game_id: str
    seats: int
    blocks: int
    games: int
    standings: tuple[Standing, ...]
    crashes: Mapping[str, Sequence[str]]
    """For every bot whose process ended: how, each time."""
    records_verified: int
    moves_per_game: float
    """The mean over the games whose records were verified."""
    seconds: float

    @property
    def games_per_second(self) -> float:
        """How fast it went, from the first game to the last."""
        return self.games / self.seconds


def as_json(report: Report) -> str:
    """The report as JSON; docs/tournaments.md names its keys."""
    return json.dumps(
        {
            "name": report.name,
            "game": report.game_id,
            "seats": report.seats,
            "blocks": report.blocks,
            "games": report.games,
            "rating": {"kind": "online_elo", "start": elo.START, "k": elo.K, "intervals": False},
            "standings": [
                asdict(row) | {"elo": round(row.elo, 2), "win_percent": row.win_percent} for row in report.standings
            ],
            "crashes": {bot: list(endings) for bot, endings in report.crashes.items()},
            "records_verified": report.records_verified,
            "seconds": round(report.seconds, 3),
            "games_per_second": round(report.games_per_second, 1),
            "moves_per_second": round(report.games_per_second * report.moves_per_game),
        },
        indent=2,
    )


def show(report: Report, console: Console) -> None:
    """Prints the report for people."""
    console.print(_table(report))
    console.print(ESTIMATE, highlight=False)
    for bot, endings in report.crashes.items():
        for ending in endings:
            console.print(f"{bot} {ending}", markup=False, highlight=False)
    console.print(
        f"{report.games} games in {report.seconds:.1f} s: {report.games_per_second:.0f} games/s, "
        f"about {report.games_per_second * report.moves_per_game:.0f} moves/s. "
        f"{report.records_verified} records were replayed, and hold.",
        highlight=False,
    )


def _table(report: Report) -> Table:
    duels = report.seats == 2
    title = f"{report.name}: {report.game_id}, {report.seats} seats, {report.blocks} blocks per table"
    table = Table(title=escape(title))
    table.add_column("#", justify="right")
    table.add_column("bot")
    for heading in ("Elo", "games", "won", "drawn", "lost", "win %" if duels else "mean place"):
        table.add_column(heading, justify="right")
    table.add_column("faults")
    for row in report.standings:
        table.add_row(
            str(row.place),
            escape(row.bot),
            f"{row.elo:.0f}",
            *(str(figure) for figure in (row.games, row.wins, row.draws, row.losses)),
            _figure(row.win_percent, 1) if duels else _figure(row.mean_place, 2),
            ", ".join(f"{cause} {count}" for cause, count in row.faults.items()) or "none",
        )
    return table


def _figure(value: float | None, digits: int) -> str:
    return "" if value is None else f"{value:.{digits}f}"
