"""Where sessions are kept: a log per session, which is the truth.

An entry is appended in memory order and becomes durable with the next `flush`; nothing is announced before that. The
entries of one session are numbered from 0 without gaps, and a store refuses a number it already has: that fences a
stale owner.
"""

from collections.abc import Collection, Mapping, Sequence
from enum import IntEnum
from typing import NamedTuple, Protocol, TypeAlias

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


class Claimed(NamedTuple):
    """A seat was taken, by a claim or by the arrival of whoever it was reserved for."""

    seat: int
    name: str
    token_hash: bytes
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


class Forfeited(NamedTuple):
    """A seat was given up."""

    at_ms: int
    seat: int
    cause: ForfeitCause


class Aborted(NamedTuple):
    """The session was ended with no result."""

    at_ms: int


class Finished(NamedTuple):
    """The game was played to its end; the result follows from what was played."""

    at_ms: int


Entry: TypeAlias = Created | Claimed | Acted | Forfeited | Aborted | Finished


class Kept(NamedTuple):
    """A session that the store has, without its log."""

    session_id: str
    number: int
    """In the order of creation."""
    over: bool


class StoreError(Exception):
    """The store cannot keep what it was given, for now or for ever."""


class Fenced(StoreError):
    """Somebody else has taken over some of the sessions; everything else was stored."""

    def __init__(self, session_ids: Collection[str]) -> None:
        super().__init__(f"{len(session_ids)} sessions have another owner by now")
        self.session_ids = frozenset(session_ids)


class Store(Protocol):
    """The interface of every store."""

    instant: bool
    """Whether an entry is as durable as it will ever be once `append` returns, so that `flush` has nothing to do."""

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
