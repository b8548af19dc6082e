"""Where sessions are kept: a log per session, which is the truth.

An entry is appended in memory order and becomes durable with the next `flush`; nothing is announced before that. The
entries of one session are numbered from 0 without gaps, and a store refuses a number it already has: that fences a
stale owner.
"""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from enum import IntEnum
from typing import NamedTuple, Protocol, TypeAlias, runtime_checkable

from croupier_games import OptionValue


class ForfeitCause(IntEnum):
    """Why a seat was given up; the numbers are those of the wire."""

    NONE = 0
    RESIGNED = 1
    TIME = 2
    ILLEGAL = 3
    DISCONNECTED = 4
    CRASHED = 5
    PROTOCOL = 6


class Chooser(IntEnum):
    """Who chose an action; the numbers are those of the wire."""

    SEAT = 1
    FORCED = 2
    HOUSE = 3


class TimeControl(NamedTuple):
    """Time limits in milliseconds; 0: none."""

    move_ms: int = 0
    game_ms: int = 0
    increment_ms: int = 0
    reconnect_ms: int = 0


NO_LIMIT = TimeControl()

NO_SPECTATORS = -1
"""As a session's `spectator_delay`: nobody looks on."""


class Created(NamedTuple):
    """A session was created."""

    game_id: str
    game_version: int
    options: Mapping[str, OptionValue]
    seat_names: tuple[str, ...]
    token_hashes: tuple[bytes | None, ...]
    """By seat; None: open."""
    owner_hash: bytes
    service_seed: bytes
    seed_was_given: bool
    commitment_salt: bytes
    time_control: TimeControl
    auto_play_forced: bool
    illegal_limit: int
    wall_s: float
    spectator_delay: int = 0
    """How many events spectators are behind; NO_SPECTATORS: there are none."""


class Claimed(NamedTuple):
    """A seat was taken, by a claim or by the arrival of whoever it was reserved for."""

    seat: int
    name: str
    token_hash: bytes
    entropy: bytes
    entropy_commitment: bytes = b""
    """What the seat will reveal when every seat is taken; empty: nothing."""


class Revealed(NamedTuple):
    """A seat revealed the entropy that it had committed to."""

    seat: int
    entropy: bytes


class Acted(NamedTuple):
    """A seat acted."""

    at_ms: int
    seat: int
    notation: str
    chooser: Chooser
    think_us: int
    """From being asked to acting; 0 where the seat did not choose."""
    request_id: str = ""
    """What the seat called its answer; a repetition gets the same result."""


class Rotated(NamedTuple):
    """A seat was put under another token."""

    at_ms: int
    seat: int
    token_hash: bytes


class Forfeited(NamedTuple):
    """A seat was given up."""

    at_ms: int
    seat: int
    cause: ForfeitCause


class Aborted(NamedTuple):
    """The session was ended with no result."""

    at_ms: int
    why: str = ""
    """Where nobody asked for it."""


class Finished(NamedTuple):
    """The game was played to its end; the result follows from what was played."""

    at_ms: int


Entry: TypeAlias = Created | Claimed | Revealed | Rotated | Acted | Forfeited | Aborted | Finished


class Kept(NamedTuple):
    """A session that the store has, without its log."""

    session_id: str
    number: int
    """In the order of creation."""
    over: bool


class Retention(NamedTuple):
    """How long a store that outlives the process keeps ended sessions; the oldest go first."""

    days: float = 30.0
    """Since the end; 0: for ever."""
    sessions: int = 100_000
    """At most so many; 0: any number."""


class StoreError(Exception):
    """The store cannot keep what it was given, for now or for ever."""


class Fenced(StoreError):
    """Somebody else has taken over some of the sessions; everything else was stored."""

    def __init__(self, session_ids: Collection[str]) -> None:
        super().__init__(f"{len(session_ids)} sessions have another owner by now")
        self.session_ids = frozenset(session_ids)


class Heir(Protocol):
    """Whoever is told which sessions come to this replica, and which go."""

    def inherit(self, kept: Sequence[Kept]) -> None:
        """These sessions are this replica's from now on."""

    def lose(self, session_ids: Collection[str]) -> None:
        """Other replicas have taken these sessions over."""


class Circle(Protocol):
    """The replicas that share a store, as one of them sees it."""

    @property
    def id(self) -> str:
        """This replica."""

    @property
    def key(self) -> str:
        """What the replicas of one store know each other by; a secret."""

    @property
    def living(self) -> Mapping[str, str]:
        """The addresses of the others, by id."""

    @property
    def changed(self) -> asyncio.Event:
        """Is set when it has been looked next who lives."""

    def introduce(self, address: str, heir: Heir) -> None:
        """Says where the others reach this replica, and who takes sessions over; before the store is started."""


class Store(Protocol):
    """The interface of every store."""

    instant: bool
    """Whether an entry is as durable as it will ever be once `append` returns, so that `flush` has nothing to do."""
    lasting: bool
    """Whether it outlives the process: then a service that stops leaves its sessions open, to go on when it is back."""

    async def start(self) -> Sequence[Kept]:
        """Makes it ready; returns what this process is to go on with, and what has ended, the newest last."""

    def append(self, session_id: str, number: int, entry: Entry) -> None:
        """Takes the entry; raises StoreError if it can tell at once that the session has one of that number."""

    async def flush(self) -> None:
        """Returns when everything appended before the call is durable.

        Raises StoreError if it is not: then it is kept, and the next flush tries again. Raises Fenced when all is done
        but for sessions that somebody else has taken over: what was appended to those is gone."""

    async def load(self, session_id: str) -> Sequence[Entry]:
        """The log of a session as far as it is durable, oldest first; empty if there is none."""

    def let_go(self, session_id: str) -> None:
        """The session has ended and is no longer kept in memory; a store that outlives the process keeps it on."""

    async def close(self) -> None:
        """Flushes and lets go of everything."""


@runtime_checkable
class Shared(Store, Protocol):
    """A store that several replicas share; each session has one owner."""

    @property
    def replicas(self) -> Circle:
        """Who they are."""

    async def owner(self, session_id: str) -> str | None:
        """The replica that has this open session; None: it has ended, or there is none."""
