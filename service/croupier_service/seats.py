"""Who sits where: a `Holder` per token, a `Chair` per seat."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from croupier_service.errors import ServiceError
from croupier_service.store import ForfeitCause

if TYPE_CHECKING:
    from croupier_service.session import Session

OWNER = -1
"""Whoever created a session, where a seat is asked for."""

_REMEMBERED_REQUESTS = 256
"""Request ids kept per seat. A client that repeats a request does so within its next few decisions."""


class Stream(Protocol):
    """A connected bot, as the hall sees it."""

    def ask(self, session: Session, seat: int) -> None:
        """A seat has a decision to make."""

    def seat(self, session: Session, seat: int) -> None:
        """A game with this seat has started."""

    @property
    def gives_entropy(self) -> bool:
        """Whether the bot is asked for entropy before it is given a seat."""

    def want_entropy(self, session: Session, seat: int) -> None:
        """A seat is to commit to its entropy, or to reveal it."""

    def end(self, session: Session, seat: int) -> None:
        """A game with this seat has ended."""

    def lose(self, session: Session, seat: int) -> None:
        """The seat is not this bot's any more."""

    def close(self, why: ServiceError | None) -> None:
        """The service ends the stream, once what is ready has been written; with no reason, all is well."""


class Watcher(Protocol):
    """Somebody who follows a session."""

    whose: int | None
    """The seat it follows it for, OWNER, or None for a stranger."""

    def wake(self) -> None:
        """There is something new to see."""


class Holder:
    """Whoever presents one token: its streams, and the seats it holds."""

    __slots__ = ("gone_at", "seats", "streams", "token_hash")

    def __init__(self, token_hash: bytes) -> None:
        self.token_hash = token_hash
        self.streams: list[Stream] = []
        self.seats: dict[tuple[str, int], Session] = {}
        self.gone_at = 0.0


class Chair:
    """One seat of one session."""

    __slots__ = (
        "_answered",
        "asked_at",
        "bank_ms",
        "cause",
        "decisions",
        "entropy",
        "entropy_commitment",
        "holder",
        "illegal",
        "link",
        "name",
        "open",
        "prefix",
        "private_events",
        "taken",
        "told",
    )

    def __init__(self, name: str, holder: Holder | None) -> None:
        self.name = name
        self.holder = holder
        """Who has, or is to have, the seat; None: anybody may claim it."""
        self.taken = False
        self.entropy = b""
        self.entropy_commitment = b""
        """What it has to reveal; empty: nothing."""
        self.cause = ForfeitCause.NONE
        self.open = False
        """Whether the seat owes a decision."""
        self.decisions = 0
        """How many it was asked for: the id of the latest."""
        self.asked_at = 0.0
        self.link = b""
        """The latest link of the session's chain when it was asked."""
        self.bank_ms = 0
        self.illegal = 0
        self.told = 0
        """How much of the session's history was there when the seat last decided."""
        self.private_events = 0
        self.prefix = b""
        """The bytes that open every turn of this seat; the wire keeps them here."""
        self._answered: dict[str, tuple[int, str]] | None = None

    def take(self, holder: Holder, name: str, entropy: bytes, entropy_commitment: bytes) -> None:
        """Somebody sits down."""
        self.holder = holder
        self.name = name
        self.entropy = entropy
        self.entropy_commitment = entropy_commitment
        self.taken = True

    def held_by(self, token_hash: bytes) -> bool:
        """Whether the seat belongs to that token, also when the game is over and the hall has let its holder go."""
        return self.holder is not None and self.holder.token_hash == token_hash

    @property
    def owes_entropy(self) -> bool:
        """Whether it has committed to entropy and not revealed it."""
        return bool(self.entropy_commitment) and not self.entropy

    @property
    def connected(self) -> bool:
        """Whether a stream of its holder is open."""
        return self.holder is not None and bool(self.holder.streams)

    @property
    def answered(self) -> dict[str, tuple[int, str]]:
        """The decisions made by the latest request ids, and the notations played."""
        return self._answered or {}

    def remember(self, request_id: str, decision_id: int, notation: str) -> None:
        """Keeps the answer to a request, so that its repetition gets the same one."""
        if self._answered is None:
            self._answered = {}
        if len(self._answered) >= _REMEMBERED_REQUESTS:
            del self._answered[next(iter(self._answered))]
        self._answered[request_id] = decision_id, notation
