"""The contract between a game and everything else.

A `Game` says what it is and opens states; a `State` is one play of it. Nothing here does I/O, reads a clock, or draws
randomness other than through `Chance`. The suite in `croupier_games.conformance` holds every game to these words.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, TypeAlias

from croupier_games.chance import SEED_BYTES
from croupier_games.errors import OptionError, SeatsError

OptionValue: TypeAlias = "bool | int | str"
View: TypeAlias = "tuple[object, ...]"
"""What a seat sees: a NamedTuple of numbers, texts and further NamedTuples, named as in the game's proto `View`.

Parts that did not change since the last view should be the very same objects: the wire encodes those only once."""


class Action(ABC):
    """One choice of one seat: a small frozen dataclass, named as in the game's proto `Action`."""

    __slots__ = ()

    @abstractmethod
    def __str__(self) -> str:
        """The short, stable notation, unique among the legal actions of a seat; `Game.parse` reads it back."""


class Event(NamedTuple):
    """Something that happened, and who sees it.

    `what` is a NamedTuple named as in the game's proto `Event`; its `str()` is a sentence for people. What several
    seats see differently is several events."""

    what: tuple[object, ...]
    audience: int | None = None
    """The only seat that sees it; None: everybody, spectators included."""


@dataclass(frozen=True, slots=True)
class Option:
    """One setting of a game. Its type is that of `kind`; None as default means "not set".

    A text is one of `choices`, or, if there are none, any text of at most `max_length` characters: what it says is then
    checked by `Game.check`, and `examples` are texts that pass."""

    name: str
    kind: type[bool] | type[int] | type[str]
    default: OptionValue | None
    meaning: str
    minimum: int | None = None
    maximum: int | None = None
    choices: tuple[str, ...] = ()
    max_length: int | None = None
    examples: tuple[str, ...] = ()

    def check(self, value: object) -> OptionValue:
        """Returns the value if this option takes it, else raises OptionError with what would have been right."""
        if isinstance(value, bool | int | str) and type(value) is self.kind and self._takes(value):
            return value
        raise OptionError(f"option {self.name!r} takes {self.expected}, got {_echo(value)}")

    @property
    def expected(self) -> str:
        """In words, what the option takes."""
        if self.kind is bool:
            return "true or false"
        if self.kind is str:
            return (
                "one of " + ", ".join(self.choices) if self.choices else f"a text of 1 to {self.max_length} characters"
            )
        if self.minimum is None and self.maximum is None:
            return "a whole number"
        if self.maximum is None:
            return f"a whole number from {self.minimum}"
        return f"a whole number from {self.minimum} to {self.maximum}"

    def _takes(self, value: OptionValue) -> bool:
        """Whether a value of the right type is one of those that are taken."""
        if isinstance(value, str):
            return value in self.choices if self.choices else 1 <= len(value) <= (self.max_length or 0)
        above = self.minimum is None or value >= self.minimum
        return above and (self.maximum is None or value <= self.maximum)


_LONGEST_ECHO = 60


def _echo(value: object) -> str:
    """A value as it stands in an error: what somebody sent, but not all of it."""
    text = repr(value)
    return text if len(text) <= _LONGEST_ECHO else text[:_LONGEST_ECHO] + "..."


@dataclass(frozen=True, slots=True)
class SeatResult:
    """How one seat ended. Place 1 is best; equal places are shared and the next ones skipped (1, 1, 3).

    A lone seat plays against the game itself: 1 if it won, 2 if it lost; 1 where there is nothing to lose."""

    place: int
    points: int | None = None
    tie_breaks: tuple[tuple[str, int], ...] = ()
    """The figures that decided among equal points, by name, in the order they were compared."""
    notes: tuple[str, ...] = ()
    """What a person wants to see of how the points came about, in short sentences."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game, seat by seat, and why it ended."""

    results: tuple[SeatResult, ...]
    reason: str
    """A short sentence: what ended the game."""


class State(ABC):
    """One play of a game: authoritative, complete, hidden parts included."""

    __slots__ = ()

    game: ClassVar[Game]
    seats: int
    options: Mapping[str, OptionValue]
    deciders: tuple[int, ...]
    """The seats that must decide now, ascending; several decide simultaneously; () when the game is over.

    While a seat stays a decider, what others choose changes neither its view nor its legal actions."""
    outcome: Outcome | None
    """None while the game goes on."""
    events: tuple[Event, ...]
    """What the latest `play` (or `Game.new`) made happen, in order. Empty after `Game.restore`."""

    @abstractmethod
    def legal(self, seat: int) -> tuple[Action, ...]:
        """The seat's legal actions in a fixed order; () for whoever need not decide. Short: a few hundred at most."""

    @abstractmethod
    def play(self, seat: int, action: Action) -> None:
        """Applies the action, or raises IllegalAction and changes nothing."""

    @abstractmethod
    def view(self, seat: int | None) -> View:
        """What that seat sees, and nothing else; None: what a spectator sees."""

    @abstractmethod
    def clone(self) -> State:
        """An independent copy."""

    @abstractmethod
    def resample(self, seat: int | None, seed: bytes) -> State:
        """A copy with all that `seat` does not know drawn anew, the future included.

        The seat, remembering all it has seen, cannot tell it from this state; None: a spectator cannot."""

    @abstractmethod
    def save(self) -> bytes:
        """The whole state as bytes, equal for equal states; `Game.restore` reads them back."""


class Game(ABC):
    """What a game is, and the door to its states. One instance per game, in `GAMES`."""

    id: ClassVar[str]
    """The name in the API: lower case, digits and underscores."""
    title: ClassVar[str]
    summary: ClassVar[str]
    """One or two sentences for somebody who does not know the game."""
    version: ClassVar[int]
    """Rises when behaviour changes; records name it."""
    min_seats: ClassVar[int]
    max_seats: ClassVar[int]
    options: ClassVar[tuple[Option, ...]]
    action_types: ClassVar[tuple[type[Action], ...]]
    """The classes of all actions, one per alternative of the proto `Action`."""
    max_actions: ClassVar[int]
    """No play takes more actions than this, whatever the players do."""
    wire_package: ClassVar[str]
    """The protobuf package that holds this game's messages Action, View and Event."""

    def new(self, *, seats: int, options: Mapping[str, OptionValue] | None = None, seed: bytes) -> State:
        """Opens a state: checks seats and options, then deals from the seed."""
        if len(seed) != SEED_BYTES:
            raise ValueError(f"a seed has {SEED_BYTES} bytes, got {len(seed)}")
        return self.deal(seats, self.check(seats, options or {}), seed)

    def check(self, seats: int, options: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
        """The complete options of such a game, defaults filled in, or an error that says what is wrong.

        An option that is neither given nor has a default is left out. Games override this to check combinations."""
        if not self.min_seats <= seats <= self.max_seats:
            raise SeatsError(f"{self.id} has {self.min_seats} to {self.max_seats} seats, got {seats}")
        known = {option.name: option for option in self.options}
        for name in options:
            if name not in known:
                raise OptionError(f"{self.id} has no option {name!r}; it has {', '.join(known) or 'none'}")
        complete = {name: option.default for name, option in known.items()}
        complete |= {name: known[name].check(value) for name, value in options.items()}
        start = complete.get("start_seat")
        if isinstance(start, int) and start >= seats:
            raise OptionError(f"option 'start_seat' names seat {start}, but the seats are 0 to {seats - 1}")
        return {name: value for name, value in complete.items() if value is not None}

    @abstractmethod
    def deal(self, seats: int, options: Mapping[str, OptionValue], seed: bytes) -> State:
        """Opens a state; seats and options have been checked and completed."""

    @abstractmethod
    def parse(self, text: str) -> Action:
        """Reads a notation, or raises NotationError with what was expected."""

    @abstractmethod
    def restore(self, data: bytes) -> State:
        """The state that `State.save` wrote, or RestoreError."""

    @abstractmethod
    def render(self, view: View) -> str:
        """The view as text for people, at most 80 columns wide."""
