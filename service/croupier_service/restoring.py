"""Brings a session back from its log: everything in it is done once more, by the same code, at the time it was done.

What the session then wants to write must be what was written; if it is not, the log is not of these rules.
"""

from collections.abc import Callable, Sequence

from croupier_games import Game
from croupier_service.chain import Chain
from croupier_service.clock import Alarm, Clock
from croupier_service.errors import ServiceError
from croupier_service.seats import Chair, Holder
from croupier_service.session import Audience, Choice, Session
from croupier_service.store import (
    Aborted,
    Acted,
    Chooser,
    Claimed,
    Created,
    Entry,
    ForfeitCause,
    Forfeited,
    Kept,
    Revealed,
    Rotated,
    Store,
    StoreError,
)


class CannotRestore(Exception):
    """The log does not lead to a session."""


def restored(
    kept: Kept,
    entries: Sequence[Entry],
    game: Game,
    holder_of: Callable[[bytes], Holder],
    store: Store,
    clock: Clock,
    audience: Audience,
) -> Session:
    """The session of that log, where it stopped; from here on `store` keeps it, and `audience` hears of it."""
    replay = _Replay(entries)
    created = _created(entries, game)
    chairs = [
        Chair(name, holder_of(token_hash) if token_hash else None)
        for name, token_hash in zip(created.seat_names, created.token_hashes, strict=True)
    ]
    try:
        chain = _WrittenChain(replay)
        session = Session(kept.session_id, kept.number, game, created, chairs, replay, replay, _Nobody(), chain)
        while (entry := replay.next) is not None:
            replay.begin(session, entry)
            _repeat(session, entry, holder_of)
    except (ServiceError, StoreError) as error:
        raise CannotRestore(f"entry {replay.done} of its log cannot be repeated: {error}") from None
    session.chain = Chain(session.chain.link)
    session.hand_over(store, clock, audience, replay.at_ms)
    return session


def _created(entries: Sequence[Entry], game: Game) -> Created:
    if not entries or not isinstance(entries[0], Created):
        raise CannotRestore("its log has no beginning")
    if entries[0].game_version != game.version:
        raise CannotRestore(
            f"it was played by version {entries[0].game_version} of {game.id}, here is version {game.version}"
        )
    return entries[0]


def _repeat(session: Session, entry: Entry, holder_of: Callable[[bytes], Holder]) -> None:
    if isinstance(entry, Claimed):
        holder = holder_of(entry.token_hash)
        session.claim(entry.seat, holder, entry.name, entry.entropy, entry.entropy_commitment)
    elif isinstance(entry, Revealed):
        session.reveal(entry.seat, entry.entropy)
    elif isinstance(entry, Acted):
        decision_id = session.chairs[entry.seat].decisions
        session.submit(entry.seat, decision_id, Choice(notation=entry.notation), entry.request_id)
    elif isinstance(entry, Rotated):
        session.rotate(entry.seat, holder_of(entry.token_hash))
    elif isinstance(entry, Forfeited):
        session.forfeit(entry.seat, entry.cause)
    elif isinstance(entry, Aborted):
        session.abort(entry.why)
    else:
        raise StoreError(f"a session does not end by itself with {entry!r}")


class _Replay:
    """The log that is repeated, as the store and the clock of the session that it is repeated with."""

    instant = True
    lasting = True
    ticking = False

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._entries = entries
        self._now = 0.0
        self.done = 0
        self.at_ms = 0

    @property
    def latest(self) -> Entry:
        """What has just been repeated."""
        return self._entries[self.done - 1]

    @property
    def next(self) -> Entry | None:
        """What is to be repeated next."""
        return self._entries[self.done] if self.done < len(self._entries) else None

    def begin(self, session: Session, entry: Entry) -> None:
        """Sets the time to when it happened: to the microsecond, where a seat thought so long."""
        if isinstance(entry, Acted) and entry.chooser is Chooser.SEAT:
            self._now = session.chairs[entry.seat].asked_at + entry.think_us / 1e6
        elif isinstance(entry, Acted | Rotated | Forfeited | Aborted):
            self._now = session.started_at + entry.at_ms / 1000

    # ---- as a store ----

    def append(self, session_id: str, number: int, entry: Entry) -> None:
        """Holds what the session writes against what was written."""
        written = self.next
        if written is None or _essence(entry) != _essence(written):
            raise StoreError(f"these rules lead to {entry!r}, which is not what was written")
        self.at_ms = getattr(written, "at_ms", 0)
        self.done += 1

    async def start(self) -> Sequence[Kept]:
        """Nothing but this log is here."""
        return ()

    async def flush(self) -> None:
        """It is written already."""

    async def load(self, session_id: str) -> Sequence[Entry]:
        """The log."""
        return self._entries

    def let_go(self, session_id: str) -> None:
        """Others keep it."""

    async def close(self) -> None:
        """There is nothing to let go of."""

    # ---- as a clock ----

    def now(self) -> float:
        """When the entry at hand happened."""
        return self._now

    def wall(self) -> float:
        """Nobody asks."""
        return 0.0

    def call_at(self, when: float, call: Callable[[], None]) -> Alarm:
        """Nothing rings in the past."""
        raise RuntimeError("a session that is being restored sets no alarms")


def _essence(entry: Entry) -> tuple[object, ...]:
    """What must be the same when it is repeated: all but the times, which are measured."""
    if isinstance(entry, Acted):
        return (Acted, entry.seat, entry.notation, entry.chooser, entry.request_id)
    if isinstance(entry, Created | Claimed | Revealed):
        return (type(entry), *entry)
    return (type(entry), *entry[1:])


class _WrittenChain(Chain):
    """Links what was written: repeated, an action may seem to have taken a microsecond more."""

    __slots__ = ("_replay",)

    def __init__(self, replay: _Replay) -> None:
        super().__init__()
        self._replay = replay

    def add(self, entry: Entry) -> None:
        """Links the written entry instead of the one that it led to now."""
        super().add(self._replay.latest)


class _Nobody:
    """An audience for what everybody has heard."""

    suspended = False
    reveal_s = 0.0

    def revealing(self, session: Session) -> None:
        """Heard already."""

    def not_revealed(self, session: Session) -> None:
        """Heard already."""

    def asked(self, session: Session, seat: int) -> None:
        """Heard already."""

    def moved(self, session: Session) -> None:
        """Heard already."""

    def started(self, session: Session) -> None:
        """Heard already."""

    def ended(self, session: Session) -> None:
        """Heard already."""

    def acted(self, session: Session, seat: int, chooser: Chooser, waited_s: float) -> None:
        """Heard already."""

    def forfeited(self, session: Session, seat: int, cause: ForfeitCause) -> None:
        """Heard already."""
