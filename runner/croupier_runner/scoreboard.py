"""The standings on a terminal: tables and sentences, from the summary and nothing else."""

from collections.abc import Iterator, Sequence

from rich.console import Console, Group, RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from croupier_runner.summary import Event, Interval, Pace, Row, Summary

_BAR = 10
"""The width of a drawn interval."""
_FAULTS_SHOWN = 8
_LONGEST_LINE = 200
_LAST_LINES = 8
"""Of a bot's last words people are shown so much; the report has all that was kept."""


def show(summary: Summary, console: Console, pace: Pace | None = None) -> None:
    """Prints what a tournament came to."""
    for event in summary.events:
        console.print(f"{summary.name}: {event.title}, {event.description}", markup=False, highlight=False)
        console.print(standings_table(event))
        for sentence in _sentences(event):
            console.print(sentence, markup=False, highlight=False, soft_wrap=True)
    if summary.overall:
        console.print(_overall(summary))
    if not summary.complete:
        console.print("The tournament is not over: these are the standings so far.", highlight=False)
    if pace is not None and pace.games:
        console.print(
            f"{pace.games} games in {pace.seconds:.1f} s: {pace.games_per_second:.0f} games/s, "
            f"{pace.moves_per_second:.0f} moves/s.",
            highlight=False,
        )


def live_view(name: str, events: Sequence[Event], lines: Sequence[str]) -> RenderableType:
    """What is shown while a tournament runs."""
    parts: list[RenderableType] = []
    for event in events:
        parts += [Text(f"{name}: {event.title}, {event.description}"), standings_table(event)]
    return Group(*parts, *(Text(line) for line in lines))


def standings_table(event: Event) -> Table:
    """The standings of one event, ratings with their intervals drawn to scale."""
    table = Table(padding=(0, 1, 0, 0))
    points = any(row.mean_points is not None for row in event.rows)
    faults = any(row.faults for row in event.rows)
    table.add_column("#", justify="right")
    table.add_column("bot", overflow="fold")
    achieved = any(row.achieved for row in event.rows)
    if achieved:
        table.add_column("score" if event.format == "swiss" else "got to", no_wrap=True)
    table.add_column("Elo ± 95 %", justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    for heading in ("best %", "games", "won", "place", *(["points"] if points else [])):
        table.add_column(heading, justify="right", no_wrap=True)
    if faults:
        table.add_column("faults")
    scale = _Scale(event.rows)
    for row in event.rows:
        table.add_row(
            str(row.place),
            escape(row.bot) + (" [red](out)[/]" if row.eliminated else ""),
            *([row.achieved] if achieved else []),
            _rating(row.elo),
            scale.drawn(row.elo),
            "" if row.p_first is None else f"{100 * row.p_first:.1f}",
            str(row.games),
            str(row.wins),
            _figure(row.mean_place),
            *([_figure(row.mean_points)] if points else []),
            *([", ".join(f"{cause} {count}" for cause, count in row.faults.items()) or "none"] if faults else []),
        )
    return table


class _Scale:
    """Where ratings stand between the lowest and the highest bound."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._low = min((row.elo.low for row in rows), default=0.0)
        self._width = max((row.elo.high for row in rows), default=1.0) - self._low or 1.0

    def drawn(self, elo: Interval) -> Text:
        """The interval as a line with the rating on it."""
        low, value, high = (
            min(_BAR - 1, int((bound - self._low) / self._width * _BAR)) for bound in (elo.low, elo.value, elo.high)
        )
        line = ["─" if low <= place <= high else " " for place in range(_BAR)]
        line[value] = "●"
        return Text("".join(line), style="cyan")


def _sentences(event: Event) -> Iterator[str]:
    if event.sequential is not None:
        yield event.sequential.sentence
    yield event.luck.sentence
    yield from dict.fromkeys(f"{row.bot}: {row.note}" for row in event.rows if row.note)
    for fault in event.faults[:_FAULTS_SHOWN]:
        yield f"{fault.bot}, {fault.stage}: {fault.cause}, {fault.detail}"
    if len(event.faults) > _FAULTS_SHOWN:
        yield f"… and {len(event.faults) - _FAULTS_SHOWN} more faults, all of them in the report"
    told = set()
    for fault in event.faults:
        if fault.last_words and fault.bot not in told:
            told.add(fault.bot)
            lines = fault.last_words.splitlines()[-_LAST_LINES:]
            yield f"{fault.bot} wrote last to stderr:\n" + "\n".join(line[:_LONGEST_LINE] for line in lines)


def _overall(summary: Summary) -> Table:
    table = Table(
        title=escape(f"{summary.name}: overall, the mean of the ratings of those who play all games"),
        title_justify="left",
    )
    table.add_column("#", justify="right")
    table.add_column("bot")
    for heading in ("Elo", *(event.title for event in summary.events)):
        table.add_column(escape(heading), justify="right")
    for row in summary.overall:
        ratings = ["" if elo is None else f"{elo:.0f}" for elo in row.by_event]
        table.add_row(str(row.place), escape(row.bot), f"{row.elo:.0f}", *ratings)
    return table


def _rating(elo: Interval) -> str:
    return f"{elo.value:.0f} ± {(elo.high - elo.low) / 2:.0f}"


def _figure(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"
