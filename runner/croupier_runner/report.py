"""What a tournament came to: a table for people, JSON for programs."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from croupier_runner.clock import Clock
from croupier_runner.ratings import elo
from croupier_runner.standings import Standing

ESTIMATE = (
    "Elo here is online Elo: a first estimate, updated block by block in schedule order, without error bars. "
    "Small differences mean nothing."
)
_LAST_LINES = 12
"""How many of a bot's last lines people are shown; JSON has all that was kept."""


@dataclass(frozen=True, slots=True)
class Report:
    """The end of a tournament."""

    name: str
    game_id: str
    seats: int
    blocks: int
    games: int
    clock: Clock
    standings: tuple[Standing, ...]
    crashes: Mapping[str, Sequence[str]]
    """For every bot whose process ended: how, each time."""
    last_words: Mapping[str, str]
    """For every bot whose process did not end: the end of what it wrote to stderr, if anything."""
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
            "last_words": _explanations(report),
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
    for sentence in _faults(report):
        console.print(sentence, markup=False, highlight=False, soft_wrap=True)
    console.print(
        f"{report.games} games in {report.seconds:.1f} s: {report.games_per_second:.0f} games/s, "
        f"about {report.games_per_second * report.moves_per_game:.0f} moves/s. "
        f"{report.records_verified} records were replayed, and hold.",
        highlight=False,
    )


def _faults(report: Report) -> Iterator[str]:
    """What there is to say about the faults of the bots."""
    for row in report.standings:
        if "time" in row.faults:
            yield f"{row.bot} ran out of time; the limit was {report.clock}"
    for bot, endings in report.crashes.items():
        yield from (f"{bot} {ending}" for ending in endings)
    for bot, words in _explanations(report).items():
        yield f"{bot} wrote last to stderr:\n" + "\n".join(words.splitlines()[-_LAST_LINES:])


def _explanations(report: Report) -> dict[str, str]:
    """The last words of the bots that had faults."""
    faulty = [row.bot for row in report.standings if row.faults]
    return {bot: report.last_words[bot] for bot in faulty if bot in report.last_words}


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
