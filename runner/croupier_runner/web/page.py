"""The report as one HTML page that needs nothing else: no network, no files beside it.

Names and last words come from bots and are not to be trusted: jinja2 escapes every value, and the page's own policy
lets no script run but ours, no style apply but ours and nothing be loaded, whatever got into it.
"""

import base64
import hashlib
import math
from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from croupier_runner.summary import THINK_BOUNDS_MS, Event, Fault, Interval, Pace, Summary
from croupier_runner.web import charts, wording

FAULTS_SHOWN = 10
"""For each bot and cause: a bot that fails in every game must not make the page too long to open."""
LAST_WORDS_SHOWN = 4000


class Frame(NamedTuple):
    """A position of a game as the spectators see it."""

    caption: str
    """What was just played."""
    text: str
    """The position, for a monospace type."""


class Replay(NamedTuple):
    """A game that can be stepped through."""

    key: str
    """EVENT/BLOCK/ORDER, as in `Fault.replay`."""
    title: str
    frames: tuple[Frame, ...]


class Meeting(NamedTuple):
    """One cell of the cross table, as the bot of its row sees it."""

    score: float | None
    superiority: float
    games: int

    @property
    def shade(self) -> int:
        """From 0 (surely the weaker) over 4 (nobody knows) to 8 (surely the stronger)."""
        return 4 if math.isnan(self.superiority) else min(max(round(self.superiority * 8), 0), 8)


class EventView(NamedTuple):
    """An event with all that is drawn of it."""

    number: int
    event: Event
    ratings: charts.IntervalPlot | None
    history: charts.LineChart | None
    seats: charts.IntervalPlot | None
    gauge: charts.Gauge | None
    meetings: Mapping[tuple[str, str], Meeting]
    fullest: float
    faults: tuple[Fault, ...]
    """Those that are shown."""
    has_points: bool
    has_achieved: bool

    @property
    def anchor(self) -> str:
        """Its id in the page."""
        return f"event-{self.number}"


def html(summary: Summary, replays: Mapping[str, Replay], pace: Pace | None) -> str:
    """The report as one self-contained page; `replays` are the games that can be stepped through in it, by key."""
    environment = _environment()
    style, script = _source("style.css"), _source("stepper.js")
    return environment.get_template("report.html.j2").render(
        summary=summary,
        views=[_view(number, event) for number, event in enumerate(summary.events)],
        replays=replays,
        replay_data=[_replay_data(key, replay) for key, replay in replays.items()],
        pace=pace,
        style=Markup(style),  # noqa: S704  our own file
        script=Markup(script),  # noqa: S704  our own file
        policy=f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; base-uri 'none'",
    )


def _view(number: int, event: Event) -> EventView:
    return EventView(
        number=number,
        event=event,
        ratings=charts.intervals([(row.bot, row.elo) for row in event.rows], _rating),
        history=charts.history(event),
        seats=charts.intervals([(f"seat {seat}", effect) for seat, effect in enumerate(event.seat_effects)], _effect),
        gauge=charts.gauge(event.sequential) if event.sequential else None,
        meetings=_meetings(event),
        fullest=charts.fullest(event.rows),
        faults=_first_of_each(event.faults),
        has_points=any(row.mean_points is not None for row in event.rows),
        has_achieved=any(row.achieved for row in event.rows),
    )


def _meetings(event: Event) -> dict[tuple[str, str], Meeting]:
    """Every duel from both sides."""
    meetings = {}
    for duel in event.duels:
        score = (duel.wins + duel.ties / 2) / duel.games if duel.games else None
        turned = None if score is None else 1 - score
        meetings[duel.one, duel.other] = Meeting(score, duel.superiority, duel.games)
        meetings[duel.other, duel.one] = Meeting(turned, 1 - duel.superiority, duel.games)
    return meetings


def _first_of_each(faults: tuple[Fault, ...]) -> tuple[Fault, ...]:
    seen: Counter[tuple[str, str]] = Counter()
    shown = []
    for fault in faults:
        seen[fault.bot, fault.cause] += 1
        if seen[fault.bot, fault.cause] <= FAULTS_SHOWN:
            shown.append(fault)
    return tuple(shown)


def _replay_data(key: str, replay: Replay) -> dict[str, object]:
    frames = [(wording.visible(frame.caption), wording.visible(frame.text)) for frame in replay.frames]
    return {"key": key, "title": wording.visible(replay.title), "frames": frames}


def _rating(estimate: Interval) -> str:
    return f"{wording.rating(estimate.value)} {wording.margin(estimate)}"


def _effect(estimate: Interval) -> str:
    return f"{wording.signed(estimate.value)} {wording.margin(estimate)}"


def _last_words(text: str) -> str:
    return wording.visible(text[-LAST_WORDS_SHOWN:]).strip("\n")


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("croupier_runner.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "counted": wording.counted,
        "histogram": charts.histogram,
        "last_words": _last_words,
        "margin": wording.margin,
        "milliseconds": wording.milliseconds,
        "number": wording.number,
        "percent": wording.percent,
        "rating": wording.rating,
        "stacked": charts.stacked,
        "visible": wording.visible,
    }
    environment.globals |= {"think_bounds_ms": THINK_BOUNDS_MS, "coloured": charts.STYLES}
    return environment


def _source(name: str) -> str:
    environment = _environment()
    assert environment.loader is not None  # noqa: S101  it was given one above
    return environment.loader.get_source(environment, name)[0]


def _digest(source: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()
