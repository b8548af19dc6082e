"""How a run shows that it is getting on: a live view on a terminal, plain lines elsewhere, JSON lines for programs."""

import time
from types import TracebackType
from typing import Protocol

import orjson
from rich.console import Console
from rich.live import Live

from croupier_runner.scoreboard import live_view
from croupier_runner.summary import Event
from croupier_runner.summing import summarize
from croupier_runner.tables import Played
from croupier_runner.tournament import Audience, Run

_LINES = 10
"""Lines that a whole run prints where there is no terminal."""
_FAULT_LINES = 20
"""And the most lines about faults."""
_REFRESH_S = 0.25
_REFIT_EVERY = 20.0
"""The published ratings are fitted again when so many times the time that it took has passed since."""
_REFIT_UP_TO = 20_000
"""Games; beyond that fitting takes long enough to be felt, and the live view shows online Elo only."""
_SHOWN = 8
"""Running tables and faults that the live view shows."""


class Show(Audience, Protocol):
    """An audience that lasts as long as its context."""

    def __enter__(self) -> "Show": ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class Lines:
    """A line for every tenth of the run, and one for every fault."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._printed = 0
        self._faults = 0
        self._begun_s = 0.0

    def __enter__(self) -> "Lines":
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing to end."""

    def begin(self, run: Run) -> None:
        """Says what is to come."""
        self._begun_s = time.monotonic()
        if run.over:
            self._say(f"all {run.resumed_games} games have been played already")
        elif run.resumed_games:
            self._say(f"going on after {run.resumed_games} games")

    def game_over(self, run: Run, played: Played) -> None:
        """Prints a line when another tenth is done."""
        for fault in played.faults[: max(0, _FAULT_LINES - self._faults)]:
            self._say(f"fault: {played.job.lineup[fault.seat]}, {played.job.place}: {fault.cause}, {fault.detail}")
        if self._faults < _FAULT_LINES <= self._faults + len(played.faults):
            self._say("more faults are counted in the standings and told in the report")
        self._faults += len(played.faults)
        total = run.games_planned
        tenths = run.games_done * _LINES // total if total else 0
        if tenths > self._printed:
            self._printed = tenths
            self._say(f"{_so_far(run, self._begun_s)}; {_leader(run, played)}")

    def trouble(self, sentence: str) -> None:
        """Prints it."""
        self._say(sentence)

    def _say(self, sentence: str) -> None:
        self._console.print(sentence, markup=False, highlight=False, soft_wrap=True)


class JsonLines:
    """Every happening as a line of JSON; docs/tournaments.md names the keys."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def __enter__(self) -> "JsonLines":
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing to end."""

    def begin(self, run: Run) -> None:
        """What is to come."""
        self.line(
            event="begin",
            name=run.tournament.name,
            games=run.games_planned,
            resumed=run.resumed_games,
            sandbox=run.tournament.limits.sandbox,
        )

    def game_over(self, run: Run, played: Played) -> None:
        """Another game, and its faults."""
        job, result = played.job, played.result
        self.line(
            event="game",
            key=str(job.key),
            game=job.event.section.id,
            lineup=job.lineup,
            places=result.places,
            points=result.points,
            moves=result.moves,
            done=run.games_done,
        )
        for fault in played.faults:
            bot = job.lineup[fault.seat]
            self.line(
                event="fault",
                key=str(job.key),
                bot=bot,
                cause=fault.cause,
                detail=fault.detail,
                last_words=fault.last_words,
            )

    def trouble(self, sentence: str) -> None:
        """What the organiser should know."""
        self.line(event="trouble", sentence=sentence)

    def line(self, **entry: object) -> None:
        """Prints one line."""
        self._console.file.write(orjson.dumps(entry).decode() + "\n")
        self._console.file.flush()


class LiveView:
    """Progress with the time left, standings with error bars, the tables being played, the latest faults."""

    def __init__(self, console: Console) -> None:
        self._live = Live(console=console, auto_refresh=False, transient=True)
        self._begun_s = 0.0
        self._shown_s = 0.0
        self._fit_again_s = 0.0
        self._faults: list[str] = []
        self._events: list[Event] = []
        """As they were when the ratings were fitted last."""

    def __enter__(self) -> "LiveView":
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def begin(self, run: Run) -> None:
        """The clock of the run starts."""
        self._begun_s = time.monotonic()

    def game_over(self, run: Run, played: Played) -> None:
        """Draws it anew, a few times a second."""
        for fault in played.faults:
            self._faults.append(f"  {played.job.lineup[fault.seat]}, {played.job.place}: {fault.cause}, {fault.detail}")
        del self._faults[:-_SHOWN]
        now = time.monotonic()
        if now - self._shown_s >= _REFRESH_S:
            self._shown_s = now
            self._draw(run, played, now)

    def trouble(self, sentence: str) -> None:
        """Stays on the screen."""
        self._live.console.print(sentence, markup=False, highlight=False)

    def _draw(self, run: Run, played: Played, now: float) -> None:
        if now >= self._fit_again_s and run.games_done <= _REFIT_UP_TO:
            run.journal.commit()
            self._events = list(summarize(run.tournament, run.journal).events)
            self._fit_again_s = time.monotonic() + max(1.0, _REFIT_EVERY * (time.monotonic() - now))
        lines = [_so_far(run, self._begun_s) + f"; {_leader(run, played)}"]
        tables = sorted(run.playing.items(), key=lambda item: item[1])[:_SHOWN]
        lines += [f"  {job.place}: {', '.join(job.lineup)}, {now - since:.1f} s" for job, since in tables]
        if self._faults:
            lines += ["latest faults:", *self._faults]
        self._live.update(live_view(run.tournament.name, self._events, lines), refresh=True)


def show_for(console: Console) -> Show:
    """What suits that console."""
    return LiveView(console) if console.is_terminal else Lines(console)


def _so_far(run: Run, begun_s: float) -> str:
    done, total = run.games_done, run.games_planned
    if total is None:
        return f"{done} games played"
    total = max(total, done)  # a sequential test may be decided while games are under way
    elapsed_s = time.monotonic() - begun_s
    left_s = elapsed_s / run.counts.games * (total - done) if run.counts.games else 0.0
    return f"{done} of {total} games played, {_duration(left_s)} left"


def _duration(seconds: float) -> str:
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {seconds} s" if minutes else f"{seconds} s"


def _leader(run: Run, played: Played) -> str:
    """Who leads where the last game was played."""
    event = played.job.event
    standings = run.standings[event.number]
    if not standings.games:
        return "no block is complete yet"
    bot, elo = next(iter(standings.elo.items()))
    where = f" in {event.section.id}" if len(run.events) > 1 else ""
    return f"{bot} leads{where} with online Elo {elo:.0f}"
