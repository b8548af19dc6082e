"""The hall: all sessions of a service, and who holds their seats.

The hall is the audience of its sessions; what they say goes through its herald.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress

import structlog

from croupier_games import Game
from croupier_games.chance import SEED_BYTES
from croupier_service.archive import Archive
from croupier_service.clock import Clock
from croupier_service.config import Limits
from croupier_service.errors import (
    BadRequest,
    Forbidden,
    LimitReached,
    SeatTaken,
    Unauthenticated,
    Unavailable,
    UnknownGame,
    UnknownSession,
)
from croupier_service.herald import Herald
from croupier_service.metrics import Metrics
from croupier_service.paging import Order, read_page_token, write_page_token
from croupier_service.plans import NAME_LENGTH, SALT_BYTES, Plan, check_entropy, check_name, check_plan
from croupier_service.restoring import CannotRestore, restored
from croupier_service.seats import Chair, Holder, Stream
from croupier_service.session import Phase, Session, check_seat
from croupier_service.shelf import Shelf
from croupier_service.store import Chooser, Created, Entry, ForfeitCause, Kept, Store
from croupier_service.tokens import hash_token, new_token, same_token
from croupier_service.waiting import WaitingRoom

_LOOKED_AT = 2_000
"""Sessions that are looked at for one page; if few of them are wanted the page is short, and the next one goes on."""

log = structlog.get_logger()


class Hall:
    """All sessions of a service."""

    def __init__(
        self,
        games: Mapping[str, Game],
        store: Store,
        clock: Clock,
        metrics: Metrics,
        limits: Limits,
    ) -> None:
        self.games = games
        self.store = store
        self.clock = clock
        self.metrics = metrics
        self.limits = limits
        self.draining = False
        self.make_id: Callable[[], str] = lambda: secrets.token_urlsafe(16)
        self._sessions: dict[str, Session] = {}
        self._ended = Shelf(limits.keep_finished)
        self._order = Order()
        self._waiting = WaitingRoom(clock, limits.waiting_s, self._expire)
        self._makers: dict[str, str] = {}
        """The peers that opened sessions have come from, where they count."""
        self._made: Counter[str] = Counter()
        self.actions = 0
        """How many actions have been played in all."""
        self._holders: dict[bytes, Holder] = {}
        self._created = 0
        self.herald = Herald(
            store,
            limits.max_watchers_per_session,
            limits.max_watchers_per_seat,
            lost=self.lose,
            recovered=self._go_on,
        )
        self.archive = Archive(store, self, limits.keep_finished)
        self._emptied = asyncio.Event()

    async def start(self) -> None:
        """Opens the store, and begins to bring back what is in it."""
        self._created = await self.archive.start()

    # ---- sessions ----

    def create(self, plan: Plan, peer: str = "") -> tuple[Session, str]:
        """Opens a session; returns it with its owner's token. It counts as that peer's, if there is one."""
        self._check_serving()
        self._check_room(peer)
        game = self.game(plan.game_id)
        options = check_plan(game, plan)
        hashes = [hash_token(token) if token else None for _, token in plan.seats]
        holders = [self._holder(token_hash) if token_hash else None for token_hash in hashes]
        owner_token = new_token()
        created = Created(
            game_id=game.id,
            game_version=game.version,
            options=options,
            seat_names=tuple(name for name, _ in plan.seats),
            token_hashes=tuple(hashes),
            owner_hash=hash_token(owner_token),
            service_seed=plan.seed or secrets.token_bytes(SEED_BYTES),
            seed_was_given=bool(plan.seed),
            commitment_salt=plan.commitment_salt or secrets.token_bytes(SALT_BYTES),
            time_control=plan.time_control,
            auto_play_forced=plan.auto_play_forced,
            illegal_limit=plan.illegal_limit or self.limits.illegal_limit,
            wall_s=self.clock.wall(),
            spectator_delay=plan.spectator_delay,
        )
        chairs = [Chair(name, holder) for (name, _), holder in zip(plan.seats, holders, strict=True)]
        self._created += 1
        session = Session(self.make_id(), self._created, game, created, chairs, self.store, self.clock, self)
        self._sessions[session.id] = session
        self._order.add(session)
        self._waiting.add(session)
        if peer:
            self._makers[session.id] = peer
            self._made[peer] += 1
        counted = self.metrics.game(game.id)
        counted.created.inc()
        counted.waiting.inc()
        log.debug("session_created", session=session.id, game=game.id, seats=len(chairs))
        for seat, holder in enumerate(holders):
            if holder is not None:
                holder.seats[session.id, seat] = session
                if any(_asks(session, stream) for stream in holder.streams):
                    self.herald.note(self.herald.tell_entropy_wanted, session, seat)
                elif holder.streams:
                    session.claim(seat, holder, "", b"")
        return session, owner_token

    def game(self, game_id: str) -> Game:
        """The game of that id."""
        try:
            return self.games[game_id]
        except KeyError:
            known = ", ".join(sorted(self.games))
            raise UnknownGame(f"there is no game {game_id[:NAME_LENGTH]!r}; there are {known}") from None

    @property
    def running(self) -> int:
        """How many games are being played."""
        return sum(session.phase is Phase.RUNNING for session in self._sessions.values())

    def held(self, session_id: str) -> Session | None:
        """The session of that id, if it is in memory."""
        return self._sessions.get(session_id) or self._ended.get(session_id)

    async def fetch(self, session_id: str) -> Session:
        """The session of that id, running or ended, from memory or from the store."""
        return self.held(session_id) or await self.archive.fetch(session_id)

    def find(self, session_id: str) -> Session:
        """The session of that id, which must be in memory."""
        session = self.held(session_id)
        if session is None:
            raise UnknownSession("there is no session of that id, or it ended long ago; check the id")
        return session

    def page(self, size: int, page_token: str, game_id: str, phase: int) -> tuple[list[Session], str]:
        """Sessions, newest first, and the token of the next page."""
        if game_id:
            self.game(game_id)
        before = read_page_token(page_token) if page_token else self._created + 1
        chosen: list[Session] = []
        last = before
        for looked_at, session in enumerate(self._order.before(before)):
            if len(chosen) == size or looked_at == _LOOKED_AT:
                return chosen, write_page_token(last)
            last = session.number
            if (not game_id or session.game.id == game_id) and (not phase or session.phase == phase):
                chosen.append(session)
        return chosen, ""

    # ---- seats and tokens ----

    def claim(
        self, session_id: str, seat: int | None, token: str, name: str, entropy: bytes, commitment: bytes = b""
    ) -> tuple[Session, int, str]:
        """Seats whoever presents the token, or a newcomer who gets a new one."""
        self._check_serving()
        session = self.find(session_id)
        check_name(name)
        check_entropy(entropy, commitment)
        token_hash = hash_token(token) if token else None
        if session.phase in (Phase.FINISHED, Phase.ABORTED):
            raise session.closed_error()
        if seat is None:
            seat = _first_free(session, token_hash)
        check_seat(session, seat)
        reserved_for = session.chairs[seat].holder
        if reserved_for is not None and not session.chairs[seat].taken and reserved_for.token_hash != token_hash:
            raise Forbidden(f"seat {seat} is reserved for another token; claim an open seat")
        if token_hash is None:
            token = new_token()
            token_hash = hash_token(token)
        holder = self._holder(token_hash)
        try:
            session.claim(seat, holder, name, entropy, commitment)
        finally:
            self._let_go(holder)
        return session, seat, token

    def rotate(self, session: Session, seat: int, token: str) -> str:
        """Puts a seat under another token, a new one if none is given; whoever had it loses it at once."""
        check_seat(session, seat)
        token = token or new_token()
        holder = self._holder(hash_token(token))
        try:
            former = session.rotate(seat, holder)
        finally:
            self._let_go(holder)
        for stream in former.streams:
            stream.lose(session, seat)
        self._let_go(former)
        self.herald.wake_watchers(session, seat)
        self.herald.note(self._rejoin_all, session, seat)
        log.info("seat_token_rotated", session=session.id, game=session.game.id, seat=seat)
        return token

    def seat_of(self, session: Session, token: str, seat: int | None) -> int:
        """The seat that the token holds: the given one, or its only one."""
        if not token:
            raise Unauthenticated("this call needs the seat's token in the metadata: authorization: Bearer TOKEN")
        token_hash = hash_token(token)
        if seat is not None:
            check_seat(session, seat)
            if not session.chairs[seat].held_by(token_hash):
                raise Forbidden(f"this token does not hold seat {seat} of this session")
            return seat
        held = [number for number, chair in enumerate(session.chairs) if chair.held_by(token_hash)]
        if not held:
            raise Forbidden("this token holds no seat of this session")
        if len(held) > 1:
            raise BadRequest(f"this token holds the seats {held}: say which one is meant")
        return held[0]

    def sits(self, session: Session, token: str) -> bool:
        """Whether the token holds a seat of the session."""
        token_hash = hash_token(token)
        return any(chair.held_by(token_hash) for chair in session.chairs)

    def check_owner(self, session: Session, token: str) -> None:
        """Refuses whoever did not create the session."""
        if not token:
            raise Unauthenticated("this call needs the owner's token in the metadata: authorization: Bearer TOKEN")
        if not self.owns(session, token):
            raise Forbidden("this token is not the one that CreateSession gave for this session")

    def owns(self, session: Session, token: str) -> bool:
        """Whether the token is that of the session's creator."""
        return same_token(token, session.created.owner_hash)

    def knows(self, token_hash: bytes) -> bool:
        """Whether somebody holds a seat, or has a stream, with that token."""
        return token_hash in self._holders

    def _holder(self, token_hash: bytes) -> Holder:
        holder = self._holders.get(token_hash)
        if holder is None:
            holder = self._holders[token_hash] = Holder(token_hash)
        return holder

    # ---- coming back, and going ----

    def bring_back(self, kept: Kept, entries: Sequence[Entry]) -> Session:
        """Takes a session up where its log ends; whoever of its seats is connected is told."""
        game = self.games.get(getattr(entries[0], "game_id", ""))
        if game is None:
            raise CannotRestore("there is no such game here")
        session = restored(kept, entries, game, Holder, self.store, self.clock, self)
        if session.phase in (Phase.FINISHED, Phase.ABORTED):
            self._keep(session)
            return session
        self._sessions[session.id] = session
        self._order.add(session)
        if session.phase is Phase.WAITING:
            self._waiting.add(session)
        counted = self.metrics.game(game.id)
        (counted.waiting if session.phase is Phase.WAITING else counted.running).inc()
        for seat, chair in enumerate(session.chairs):
            if chair.holder is not None:
                chair.holder = self._holder(chair.holder.token_hash)
                chair.holder.seats[session.id, seat] = session
                for stream in chair.holder.streams:
                    self._rejoin(session, seat, stream)
        self.herald.settle_soon()
        return session

    def _rejoin(self, session: Session, seat: int, stream: Stream) -> None:
        """A seat and its bot's stream have found each other."""
        chair = session.chairs[seat]
        if not chair.taken:
            if session.phase is Phase.WAITING and chair.holder is not None:
                if _asks(session, stream):
                    stream.want_entropy(session, seat)
                else:
                    session.claim(seat, chair.holder, "", b"")
        elif session.phase is Phase.WAITING and stream.gives_entropy:
            stream.want_entropy(session, seat)
        elif session.phase is Phase.RUNNING:
            stream.seat(session, seat)
            if chair.open:
                stream.ask(session, seat)

    def _rejoin_all(self, session: Session, seat: int) -> None:
        """A seat has found another bot, if that one is connected."""
        holder = session.chairs[seat].holder
        for stream in tuple(holder.streams) if holder is not None else ():
            self._rejoin(session, seat, stream)
        self.herald.settle_soon()

    def inherit(self, kept: Sequence[Kept]) -> None:
        """Takes over sessions of a replica that is dead; among those of this one they are the newest."""
        first = self._created + 1
        self._created += len(kept)
        self.archive.take([each._replace(number=number) for number, each in enumerate(kept, first)])

    def lose(self, session_ids: Collection[str]) -> None:
        """Other replicas have taken these sessions over."""
        for session_id in session_ids:
            if (ended := self._ended.take(session_id)) is not None:  # but not as far as anybody was told
                self._order.remove(ended)
                ended.fence()
            session = self._sessions.pop(session_id, None)
            if session is None:
                continue
            session.fence()
            self._order.remove(session)
            self._waiting.discard(session)
            self._forget_maker(session)
            counted = self.metrics.game(session.game.id)
            (counted.waiting if session.state is None else counted.running).dec()
            self._vacate(session)
            self.herald.wake_watchers(session, -1)
            self.herald.wake_waiters(session, -1)
            log.warning("session_lost", session=session_id)

    @property
    def suspended(self) -> bool:
        """Whether nothing can be played, because nothing can be stored."""
        return bool(self.herald.trouble)

    def _go_on(self) -> None:
        """The store works again: nobody's clock has run meanwhile."""
        for session in self._sessions.values():
            session.restart_clocks()

    # ---- streams ----

    def attach(self, token: str, stream: Stream) -> Holder:
        """A bot has connected: it takes the seats reserved for it and gets its open turns."""
        if self.draining and hash_token(token) not in self._holders:
            raise Unavailable("the service is draining and takes no new bots; connect elsewhere or later")
        holder = self._holder(hash_token(token))
        if len(holder.streams) >= self.limits.max_streams_per_token:
            raise LimitReached(
                f"this token already has {len(holder.streams)} streams open, which is the limit "
                "(max_streams_per_token); close one first",
                limit="max_streams_per_token",
            )
        holder.streams.append(stream)
        self.metrics.streams.inc()
        for (_, seat), session in list(holder.seats.items()):
            self._rejoin(session, seat, stream)
        return holder

    def detach(self, holder: Holder, stream: Stream) -> None:
        """A bot's stream is gone."""
        holder.streams.remove(stream)
        self.metrics.streams.dec()
        if not holder.streams:
            holder.gone_at = self.clock.now()
            for (_, seat), session in list(holder.seats.items()):
                session.disconnected(seat)
            self._let_go(holder)

    def dismiss(self, token: str) -> int:
        """Tells the bot of this token that there is nothing more to play; returns how many streams it had."""
        holder = self._holders.get(hash_token(token))
        streams = list(holder.streams) if holder is not None else []
        for stream in streams:
            stream.close(None)
        return len(streams)

    def expel(self, holder: Holder) -> None:
        """A bot does not keep to the protocol: it loses the games it is in, whatever it connects with next."""
        for (_, seat), session in list(holder.seats.items()):
            if session.phase is Phase.RUNNING and not session.chairs[seat].cause:
                session.forfeit(seat, ForfeitCause.PROTOCOL)

    def _vacate(self, session: Session) -> None:
        """Nobody holds a seat of it any more."""
        for seat, chair in enumerate(session.chairs):
            if chair.holder is not None:
                chair.holder.seats.pop((session.id, seat), None)
                self._let_go(chair.holder)

    def _let_go(self, holder: Holder) -> None:
        """Forgets a holder that has neither streams nor seats."""
        if not holder.streams and not holder.seats:
            self._holders.pop(holder.token_hash, None)

    # ---- the audience of the sessions ----

    def asked(self, session: Session, seat: int) -> None:
        """A seat has a decision to make."""
        self.herald.note(self.herald.tell_turn, session, seat)

    def moved(self, session: Session) -> None:
        """Something happened that watchers see."""
        if session.watchers or not self.store.instant:
            self.herald.note(self.herald.wake_watchers, session)

    def acted(self, session: Session, seat: int, chooser: Chooser, waited_s: float) -> None:
        """Counts an action."""
        self.actions += 1
        self.metrics.moves[session.game.id].acted(chooser, waited_s)

    def forfeited(self, session: Session, seat: int, cause: ForfeitCause) -> None:
        """Counts a seat given up; whoever was not waiting for the answer is told soon."""
        self.metrics.game(session.game.id).forfeits[cause].inc()
        log.info("seat_forfeited", session=session.id, game=session.game.id, seat=seat, cause=cause.name.lower())
        self.herald.settle_soon()

    @property
    def reveal_s(self) -> float:
        """How long seats have to reveal their entropy."""
        return self.limits.reveal_s

    def revealing(self, session: Session) -> None:
        """Asks every seat that committed to entropy for it."""
        for seat, chair in enumerate(session.chairs):
            if chair.owes_entropy:
                self.herald.note(self.herald.tell_entropy_wanted, session, seat)

    def not_revealed(self, session: Session) -> None:
        """Who did not reveal is known to the operator; everybody else sees it in the session."""
        seats = [seat for seat, chair in enumerate(session.chairs) if chair.owes_entropy]
        log.warning("entropy_not_revealed", session=session.id, game=session.game.id, seats=seats)
        self.herald.settle_soon()

    def started(self, session: Session) -> None:
        """The game was dealt."""
        self._waiting.discard(session)
        counted = self.metrics.game(session.game.id)
        counted.waiting.dec()
        counted.running.inc()
        log.debug("session_started", session=session.id, game=session.game.id)
        for seat in range(len(session.chairs)):
            self.herald.note(self.herald.tell_seated, session, seat)

    def ended(self, session: Session) -> None:
        """The game was finished or aborted."""
        counted = self.metrics.game(session.game.id)
        (counted.waiting if session.state is None else counted.running).dec()
        (counted.finished if session.phase is Phase.FINISHED else counted.aborted).inc()
        log.debug("session_ended", session=session.id, game=session.game.id, end=session.phase.name.lower())
        self._sessions.pop(session.id, None)
        self._waiting.discard(session)
        self._keep(session)
        for seat in range(len(session.chairs)):
            self.herald.note(self.herald.tell_over, session, seat)
        self._vacate(session)
        self.herald.note(self.herald.wake_watchers, session)
        self.herald.note(self.herald.wake_waiters, session)
        if not self._sessions:
            self._emptied.set()

    def _keep(self, session: Session) -> None:
        """A session that has ended can still be looked at, until there is no room for it."""
        self._order.add(session)
        if (gone := self._ended.put(session, self._forget_maker(session))) is not None:
            self._order.remove(gone)
            self.store.let_go(gone.id)

    def _forget_maker(self, session: Session) -> str:
        """It counts as nobody's open session any more; returns whose it was."""
        peer = self._makers.pop(session.id, "")
        if peer:
            self._made[peer] -= 1
            if not self._made[peer]:
                del self._made[peer]
        return peer

    def _expire(self, session: Session) -> None:
        """Its seats were not taken in time."""
        log.info("session_expired", session=session.id, game=session.game.id, waited_s=self.limits.waiting_s)
        with suppress(Unavailable):
            session.abort("expired")
        self.herald.settle_soon()

    async def settle(self, session: Session | None = None) -> None:
        """Returns when everything that happened so far, and all of `session`, is durable and announced."""
        await self.herald.settle(session)

    # ---- ending ----

    def _check_serving(self) -> None:
        self.herald.check_store()
        if self.draining:
            raise Unavailable("the service is draining and takes no new games; try another one or later")

    def _check_room(self, peer: str) -> None:
        if len(self._sessions) >= self.limits.max_sessions:
            raise LimitReached(
                f"{len(self._sessions)} sessions are open, which is the limit (max_sessions); wait until some have "
                "ended",
                limit="max_sessions",
            )
        if self._made[peer] >= self.limits.max_sessions_per_peer:
            raise LimitReached(
                f"{self._made[peer]} sessions from your address are open, which is the limit (max_sessions_per_peer); "
                "end some first",
                limit="max_sessions_per_peer",
            )

    async def drain(self, grace_s: float) -> int:
        """Takes nothing new. What a lasting store keeps is left to go on later; else running games get time to end.

        Returns how many had not ended in time, and were aborted."""
        self.draining = True
        aborted = await self._leave_all() if self.store.lasting else await self._end_all(grace_s)
        for stream in [stream for holder in list(self._holders.values()) for stream in holder.streams]:
            stream.close(Unavailable("the service is shutting down; connect again later"))
        return aborted

    async def _leave_all(self) -> int:
        """Nothing more happens to any session here; none is aborted."""
        for session in self._sessions.values():
            session.lose()
        await self.herald.settle_quietly()
        return 0

    async def _end_all(self, grace_s: float) -> int:
        await self._abort_all([s for s in self._sessions.values() if s.phase is Phase.WAITING])
        if self._sessions:
            self._emptied.clear()
            alarm = self.clock.call_at(self.clock.now() + grace_s, self._emptied.set)
            await self._emptied.wait()
            alarm.cancel()
        left = list(self._sessions.values())
        await self._abort_all(left)
        return len(left)

    async def _abort_all(self, sessions: Sequence[Session]) -> None:
        """Whether or not the store still works: who drains, ends."""
        for session in sessions:
            with suppress(Unavailable):
                session.abort()
        await self.herald.settle_quietly()


def _asks(session: Session, stream: Stream) -> bool:
    """Whether the bot is asked for entropy before it sits down; never where the deal is to be that of a given seed."""
    return stream.gives_entropy and not session.created.seed_was_given


def _first_free(session: Session, token_hash: bytes | None) -> int:
    """The first seat reserved for this token, else the first open one."""
    free = [(seat, chair.holder) for seat, chair in enumerate(session.chairs) if not chair.taken]
    for seat, holder in free:
        if holder is not None and holder.token_hash == token_hash:
            return seat
    for seat, holder in free:
        if holder is None:
            return seat
    raise SeatTaken("no seat of this session is open; create another session")
