"""What a tournament came to, as plain values: the terminal, the JSON, the CSV and the HTML all show this and no more.

Nothing in here depends on the machine, the time of day or the order in which games ended: the same results give the
same bytes. What does (seconds, games per second) is in `Pace`, which no standings file holds.
"""

from dataclasses import dataclass, field

from croupier_runner.results import THINK_BOUNDS_MS

__all__ = [
    "THINK_BOUNDS_MS",
    "Duel",
    "Event",
    "Fault",
    "Interval",
    "LuckShown",
    "OverallRow",
    "Pace",
    "Row",
    "Sequential",
    "Summary",
]


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate with its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Row:
    """One bot in the standings."""

    place: int
    bot: str
    elo: Interval
    """The published rating: the fit over all counted blocks."""
    online_elo: float
    p_first: float | None
    """How likely it is that this bot is the strongest, 0 to 1; None if it met nobody."""
    blocks: int
    games: int
    wins: int
    """First place alone."""
    shared: int
    """First place shared."""
    mean_place: float | None
    mean_points: float | None
    """None where the game knows no points."""
    places_by_seat: tuple[tuple[int, ...], ...]
    """For each seat, how often the bot came in at place 1, 2, … from there."""
    faults: dict[str, int]
    """How often, by cause: crash, timeout, illegal, protocol, memory, …"""
    decisions: int
    think_ms_mean: float | None
    think_ms_p50: float | None
    think_ms_p99: float | None
    think_histogram: tuple[int, ...]
    """Decisions by how long they took; the bounds are `THINK_BOUNDS_MS`, the last entry is what took longer."""
    eliminated: bool = False
    achieved: str = ""
    """What the format ranks by, once it is over: the score (swiss), or how far it got (knockout)."""
    note: str = ""
    """What must be known to read the row, such as that the bot never met the others."""


@dataclass(frozen=True, slots=True)
class Duel:
    """How two bots did against each other, over all games in which both sat."""

    one: str
    other: str
    games: int
    wins: int
    """Games in which `one` was placed before `other`."""
    ties: int
    superiority: float
    """How likely it is that `one` is the stronger, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A seat that was given up."""

    bot: str
    cause: str
    stage: str
    """Where in the schedule, for people: "block 12, game 3"."""
    detail: str
    """How it came to it, in a sentence."""
    last_words: str
    """The end of what the bot wrote to stderr."""
    replay: str = ""
    """The key of the game's record: EVENT/BLOCK/ORDER."""


@dataclass(frozen=True, slots=True)
class LuckShown:
    """What duplicate deals were worth."""

    ratio: float | None
    """Variance of block means against that of as many independent games; None if the data does not tell."""
    games_saved: int | None
    sentence: str


@dataclass(frozen=True, slots=True)
class Sequential:
    """The state of a sequential test."""

    llr: float
    lower: float
    upper: float
    decision: str
    """running, H0 or H1."""
    blocks: int
    sentence: str


@dataclass(frozen=True, slots=True)
class Event:
    """The part of a tournament that plays one game."""

    game_id: str
    title: str
    seats: int
    options: dict[str, bool | int | str]
    format: str
    description: str
    """The schedule in words: "round robin: 4 bots, tables of 3, …"."""
    blocks: int
    """Counted so far."""
    games: int
    rows: tuple[Row, ...]
    seat_effects: tuple[Interval, ...]
    """In Elo, by seat, against the average seat; empty if there are none to tell."""
    duels: tuple[Duel, ...]
    faults: tuple[Fault, ...]
    luck: LuckShown
    sequential: Sequential | None = None
    history: tuple[tuple[float, ...], ...] = ()
    """Online Elo as it went: some hundred points at most, each with a rating per row of `rows`."""


@dataclass(frozen=True, slots=True)
class OverallRow:
    """One bot that plays in all events."""

    place: int
    bot: str
    elo: float
    """The mean of its ratings in the events that have begun."""
    by_event: tuple[float | None, ...]
    """None where nothing has been played yet."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast it went, on this machine."""

    seconds: float
    games: int
    moves: int

    @property
    def games_per_second(self) -> float:
        """Games per second."""
        return self.games / self.seconds if self.seconds else 0.0

    @property
    def moves_per_second(self) -> float:
        """Moves per second."""
        return self.moves / self.seconds if self.seconds else 0.0


@dataclass(frozen=True, slots=True)
class Summary:
    """The whole tournament."""

    name: str
    complete: bool
    events: tuple[Event, ...]
    overall: tuple[OverallRow, ...] = ()
    """With several events only."""
    clock: str = ""
    """The limits in words."""
    sandbox: str = "off"
    """What the bots were kept in: off, basic or strict (docs/limits.md)."""
    seed_revealed: str = ""
    """The key of all deals in hex, once the tournament is complete: with it anybody can deal every block again."""
    versions: dict[str, str] = field(default_factory=dict)
    """croupier and the games, for those who want to repeat it."""
