"""Where the marks of the charts go: plain geometry, which templates/charts.j2 draws as SVG."""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from croupier_runner.summary import Event, Interval, Row, Sequential
from croupier_runner.web.wording import fitting, number, width_of

WIDTH = 560
STYLES = 12
"""As many lines can be told apart, by colour and dashes; the rest is drawn in grey."""
_ROW = 28
_NAME_WIDTH = 156


class Tick(NamedTuple):
    """A value on an axis."""

    at: float
    label: str


class Whisker(NamedTuple):
    """An estimate with its interval, clipped to the plot."""

    name: str
    label: str
    y: float
    low: float
    at: float
    high: float
    figure: str


class IntervalPlot(NamedTuple):
    """Estimates under each other on one axis."""

    width: float
    height: float
    left: float
    right: float
    bottom: float
    ticks: tuple[Tick, ...]
    whiskers: tuple[Whisker, ...]


class Line(NamedTuple):
    """A bot's way through the tournament."""

    name: str
    label: str
    style: int | None
    points: str
    end: float
    label_y: float


class LineChart(NamedTuple):
    """Lines over the blocks of an event."""

    width: float
    height: float
    left: float
    right: float
    top: float
    bottom: float
    ticks: tuple[Tick, ...]
    lines: tuple[Line, ...]


class Segment(NamedTuple):
    """A part of a stacked bar."""

    x: float
    width: float
    place: int
    times: int


class Bar(NamedTuple):
    """A column of a histogram."""

    x: float
    y: float
    height: float
    decisions: int
    share: float


class Gauge(NamedTuple):
    """Where a sequential test stands between its two bounds."""

    width: float
    left: float
    right: float
    zero: float
    at: float


class _Scale(NamedTuple):
    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """The position of a value; what lies outside stays at the edge."""
        if math.isnan(value):
            return self.start
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return round(self.start + share * (self.end - self.start), 1)


def intervals(estimates: Sequence[tuple[str, Interval]], figure: Callable[[Interval], str]) -> IntervalPlot | None:
    """Estimates with their intervals; None if no estimate is a number."""
    shown = [(name, estimate) for name, estimate in estimates if math.isfinite(estimate.value)]
    if not shown:
        return None
    labels = [fitting(name, _NAME_WIDTH) for name, _ in shown]
    figures = [figure(estimate) for _, estimate in shown]
    left = 14 + max(width_of(label) for label in labels)
    right = WIDTH - 18 - max(width_of(text) for text in figures)
    steps = _steps([end for _, (value, low, high) in _triples(shown) for end in (value, low, high)], 5)
    scale = _Scale(steps[0], steps[-1], left, right)
    bottom = 12 + _ROW * len(shown)
    whiskers = tuple(
        Whisker(name, label, 12 + _ROW * (row + 0.5), scale.at(low), scale.at(value), scale.at(high), text)
        for row, ((name, (value, low, high)), label, text) in enumerate(
            zip(_triples(shown), labels, figures, strict=True)
        )
    )
    return IntervalPlot(WIDTH, bottom + 28, left, right, bottom, _ticks(steps, scale), whiskers)


def history(event: Event) -> LineChart | None:
    """Online Elo block by block; None as long as there is no line to draw."""
    if len(event.history) < 2 or not event.rows:
        return None
    height, top, bottom, left = 320.0, 12.0, 288.0, 52.0
    labels = [fitting(row.bot, _NAME_WIDTH) for row in event.rows]
    right = WIDTH - 16 - max(width_of(label) for label in labels[:STYLES])
    steps = _steps([value for point in event.history for value in point], 6)
    upright = _Scale(steps[0], steps[-1], bottom, top)
    along = _Scale(0, len(event.history) - 1, left, right)
    ends = [upright.at(value) for value in event.history[-1]]
    places = _spread(ends[:STYLES], 15, top, bottom)
    lines = tuple(
        Line(
            name=row.bot,
            label=labels[column],
            style=column if column < STYLES else None,
            points=" ".join(f"{along.at(x)},{upright.at(point[column])}" for x, point in enumerate(event.history)),
            end=ends[column],
            label_y=places[column] if column < STYLES else 0.0,
        )
        for column, row in enumerate(event.rows)
    )
    return LineChart(WIDTH, height, left, right, top, bottom, _ticks(steps, upright), lines)


def stacked(counts: Sequence[int], width: float = 132) -> tuple[Segment, ...]:
    """How often each place was reached, as the parts of one bar."""
    total = sum(counts)
    segments, before = [], 0
    for place, count in enumerate(counts, start=1):
        if count:
            segments.append(Segment(round(width * before / total, 1), round(width * count / total, 1), place, count))
        before += count
    return tuple(segments)


def histogram(row: Row, fullest: float, step: float = 20, height: float = 34) -> tuple[Bar, ...]:
    """A bot's decisions by how long they took; `fullest` is the share that reaches the top."""
    return tuple(
        Bar(column * step, round(height * (1 - share / fullest), 1), round(height * share / fullest, 1), count, share)
        for column, (count, share) in enumerate(zip(row.think_histogram, _shares(row.think_histogram), strict=True))
        if count
    )


def fullest(rows: Sequence[Row]) -> float:
    """The largest share of decisions that any bot has in one column of its histogram."""
    return max((share for row in rows for share in _shares(row.think_histogram)), default=0.0) or 1.0


def gauge(test: Sequential) -> Gauge | None:
    """A sequential test between its bounds; None if they are no interval."""
    if not test.lower < test.upper or not math.isfinite(test.upper - test.lower):
        return None
    scale = _Scale(test.lower, test.upper, 12, WIDTH - 12)
    return Gauge(WIDTH, scale.start, scale.end, scale.at(0), scale.at(test.llr))


def _triples(shown: Sequence[tuple[str, Interval]]) -> Iterator[tuple[str, tuple[float, float, float]]]:
    return ((name, (estimate.value, estimate.low, estimate.high)) for name, estimate in shown)


def _shares(counts: Sequence[int]) -> list[float]:
    total = sum(counts)
    return [count / total if total else 0.0 for count in counts]


def _steps(values: Sequence[float], most: int) -> list[float]:
    """Round values, evenly apart, that enclose all those given; at most `most` + 1 of them, and at least two."""
    finite = [value for value in values if math.isfinite(value)] or [0.0]
    low, high = min(finite), max(finite)
    if high - low < 1e-9:
        low, high = low - 10, high + 10
    step = 10.0 ** math.floor(math.log10((high - low) / most))
    for factor in (1, 2, 5, 10, 20):
        first, last = math.floor(low / (step * factor)), math.ceil(high / (step * factor))
        if last - first <= most:
            break
    return [index * step * factor for index in range(first, last + 1)]


def _ticks(steps: Sequence[float], scale: _Scale) -> tuple[Tick, ...]:
    digits = max(0, -math.floor(math.log10(steps[1] - steps[0]) + 1e-9))
    return tuple(Tick(scale.at(value), number(value, digits).replace(",", "")) for value in steps)


def _spread(wanted: Sequence[float], gap: float, top: float, bottom: float) -> list[float]:
    """Positions as near to those wanted as goes with a gap between any two."""
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    placed = [0.0] * len(wanted)
    floor = top
    for index in order:
        placed[index] = floor = max(wanted[index], floor)
        floor += gap
    ceiling = bottom
    for index in reversed(order):
        placed[index] = ceiling = min(placed[index], ceiling)
        ceiling -= gap
    return placed
