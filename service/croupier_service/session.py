"""One session: an authoritative game, its seats, decisions, clocks and log.

A session validates, applies, appends to the log, and only then lets its `Audience` tell everybody. It knows nothing of
streams, protobuf or who is connected.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from hashlib import sha256
from typing import NamedTuple, Protocol, cast

from croupier_games import Action, Chance, Event, Game, IllegalAction, NotationError, Outcome, State
from croupier_service.chain import Chain, entropy_commitment
from croupier_service.clock import Alarm, Clock
from croupier_service.errors import (
    BadChoice,
    BadRequest,
    IllegalChoice,
    OutOfTurn,
    SeatForfeited,
    SeatTaken,
    ServiceError,
    SessionAborted,
    SessionOver,
    SessionWaiting,
    StaleDecision,
    Unavailable,
)
from croupier_service.seats import Chair, Holder, Watcher
from croupier_service.spectators import Lag
from croupier_service.standing import final_outcome
from croupier_service.store import (
    Aborted,
    Acted,
    Chooser,
    Claimed,
    Created,
    Entry,
    Finished,
    ForfeitCause,
    Forfeited,
    Revealed,
    Rotated,
    Store,
    StoreError,
)


class Phase(IntEnum):
    """Where a session stands; the numbers are those of the wire."""

    WAITING = 1
    RUNNING = 2
    FINISHED = 3
    ABORTED = 4


class Choice(NamedTuple):
    """What a seat answers: at most one of these is set."""

    position: int | None = None
    notation: str | None = None
    action: Action | None = None
    wrong: BadChoice | None = None
    """What is wrong with a typed action that could not be read."""


class Audience(Protocol):
    """Whoever a session tells what happened; it passes it on when it is durable."""

    @property
    def suspended(self) -> bool:
        """Whether nothing can be played for now, for a reason that is no seat's fault."""

    def asked(self, session: Session, seat: int) -> None:
        """A seat has a new decision to make."""

    def moved(self, session: Session) -> None:
        """Something happened that watchers see."""

    @property
    def reveal_s(self) -> float:
        """How long seats have to reveal the entropy that they committed to."""

    def revealing(self, session: Session) -> None:
        """Every seat is taken, and those that committed to entropy are to reveal it."""

    def not_revealed(self, session: Session) -> None:
        """Seats did not reveal their entropy in time, and the session was aborted."""

    def started(self, session: Session) -> None:
        """The game was dealt."""

    def ended(self, session: Session) -> None:
        """The game was finished or aborted."""

    def acted(self, session: Session, seat: int, chooser: Chooser, waited_s: float) -> None:
        """A seat acted; for the statistics."""

    def forfeited(self, session: Session, seat: int, cause: ForfeitCause) -> None:
        """A seat was given up."""


class Session:
    """A game at a table."""

    __slots__ = (
        "__weakref__",
        "_alarm",
        "_alarm_at",
        "_audience",
        "_clock",
        "_entries",
        "_lost",
        "_pace",
        "_store",
        "_wants_time",
        "chain",
        "chairs",
        "created",
        "fenced",
        "forfeits",
        "game",
        "history",
        "id",
        "lag",
        "number",
        "outcome",
        "phase",
        "public_events",
        "started_at",
        "state",
        "waiters",
        "watchers",
    )

    def __init__(
        self,
        session_id: str,
        number: int,
        game: Game,
        created: Created,
        chairs: list[Chair],
        store: Store,
        clock: Clock,
        audience: Audience,
        chain: Chain | None = None,
    ) -> None:
        self.id = session_id
        self.number = number
        self.game = game
        self.created = created
        self.chairs = chairs
        self.phase = Phase.WAITING
        self.state: State | None = None
        self.outcome: Outcome | None = None
        self.history: list[Event] = []
        self.public_events = 0
        self.forfeits: list[int] = []
        self.watchers: set[Watcher] | None = None
        """Who follows every event."""
        self.waiters: set[Watcher] | None = None
        """Who waits for nothing but the end."""
        self.started_at = 0.0
        self.lag = Lag(created.spectator_delay) if created.spectator_delay > 0 else None
        """What spectators see while they are behind."""
        self._store = store
        self._clock = clock
        self._audience = audience
        self._entries = 0
        self._alarm: Alarm | None = None
        self._alarm_at = 0.0
        self._pace = created.time_control
        self._wants_time = clock.ticking and any(created.time_control)
        self._lost = False
        self.fenced = False
        """Whether somebody else has taken it over: what was not stored by then never happened."""
        self.chain = chain or Chain()
        self._append(created)

    # ---- taking seats ----

    def claim(self, seat: int, holder: Holder, name: str, entropy: bytes, commitment: bytes = b"") -> None:
        """Seats somebody; with the last seat taken the game is dealt, or what seats committed to is asked for."""
        chair = self.chairs[seat]
        if self.phase is not Phase.WAITING or chair.taken:
            raise SeatTaken(f"seat {seat} is taken; GetSession shows which seats are open")
        name = name or chair.name or f"seat {seat}"
        self._append(Claimed(seat, name, holder.token_hash, entropy, commitment))
        chair.take(holder, name, entropy, commitment)
        holder.seats[self.id, seat] = self
        if not all(chair.taken for chair in self.chairs):
            return
        if any(chair.owes_entropy for chair in self.chairs):
            self._await_entropy()
            self._audience.revealing(self)
        else:
            self._deal()

    def reveal(self, seat: int, entropy: bytes) -> None:
        """Takes what a seat committed to; with the last of it the game is dealt."""
        self._check_kept()
        chair = self.chairs[seat]
        if not chair.entropy_commitment or entropy_commitment(self.id, entropy) != chair.entropy_commitment:
            raise BadRequest(f"this is not what seat {seat} committed to; docs/chance.md says how a commitment is made")
        if chair.entropy and self.phase in (Phase.WAITING, Phase.RUNNING):
            return
        if self.phase is not Phase.WAITING:
            raise self.closed_error()
        if not self.revealing:
            raise SessionWaiting("entropy is revealed when every seat is taken, not before; wait until it is wanted")
        self._append(Revealed(seat, entropy))
        chair.entropy = entropy
        if not any(chair.owes_entropy for chair in self.chairs):
            self._deal()

    @property
    def revealing(self) -> bool:
        """Whether it is dealt as soon as seats have revealed their entropy."""
        return self.phase is Phase.WAITING and all(chair.taken for chair in self.chairs)

    def _await_entropy(self) -> None:
        """Gives the seats their time to reveal: a deal without what is missing would be a choice between deals."""
        if self._clock.ticking:
            self._cancel_alarm()
            self._alarm = self._clock.call_at(self._clock.now() + self._audience.reveal_s, self._give_up_revealing)

    def _give_up_revealing(self) -> None:
        self._alarm = None
        if self.revealing and not self._lost and not self._audience.suspended:
            self.abort()
            self._audience.not_revealed(self)

    def rotate(self, seat: int, holder: Holder) -> Holder:
        """Puts a seat under another token; returns whoever had it."""
        self._check_kept()
        if self.phase in (Phase.FINISHED, Phase.ABORTED):
            raise self.closed_error()
        chair = self.chairs[seat]
        former = chair.holder
        if former is None:
            raise BadRequest(f"seat {seat} is open and has no token yet; ClaimSeat takes it")
        if former.token_hash == holder.token_hash:
            raise BadRequest(f"seat {seat} is under this token already; send a new one, or none to have one made")
        now = self._clock.now()
        self._append(Rotated(self._ms(now) if self.phase is Phase.RUNNING else 0, seat, holder.token_hash))
        former.seats.pop((self.id, seat), None)
        chair.holder = holder
        holder.seats[self.id, seat] = self
        if not holder.streams:
            holder.gone_at = now
            self.disconnected(seat)
        return former

    @property
    def deal_seed(self) -> bytes:
        """The seed of the deal: the service's, mixed with what the seats contributed (docs/chance.md)."""
        if not any(chair.entropy for chair in self.chairs):
            return self.created.service_seed
        contributions = b"".join(bytes((len(chair.entropy),)) + chair.entropy for chair in self.chairs)
        return sha256(b"croupier/deal/1" + self.created.service_seed + contributions).digest()

    def _deal(self) -> None:
        self._cancel_alarm()
        chairs = self.chairs
        self.chain.begin(self.id, self.created, [each.name for each in chairs], [each.entropy for each in chairs])
        self.state = self.game.deal(len(self.chairs), self.created.options, self.deal_seed)
        self.phase = Phase.RUNNING
        self.started_at = self._clock.now()
        for chair in self.chairs:
            chair.bank_ms = self._pace.game_ms
        self._audience.started(self)
        self._record_events(self.state)
        self._go_on(self.state)

    # ---- deciding ----

    def submit(self, seat: int, decision_id: int, choice: Choice, request_id: str = "", dry_run: bool = False) -> str:
        """Plays a seat's choice and returns its notation, or raises what is wrong with it and changes nothing."""
        chair = self.chairs[seat]
        if request_id and (answered := chair.answered.get(request_id)) is not None:
            return _repeated(answered, decision_id)
        state = self._running()
        self._check_decision(seat, chair, decision_id)
        if self._wants_time:
            self._check_time(seat, chair)
        try:
            action = self._resolve(state, seat, choice)
            if dry_run:
                state.clone().play(seat, action)
                return str(action)
            state.play(seat, action)
        except (IllegalAction, IllegalChoice, BadChoice) as error:
            refusal = error if isinstance(error, ServiceError) else IllegalChoice(str(error))
            if not dry_run:
                self._count_illegal(seat, chair)
            raise refusal from None
        notation = str(action)
        if request_id:
            chair.remember(request_id, decision_id, notation)
        self._applied(state, seat, notation, Chooser.SEAT, request_id)
        self._go_on(state)
        return notation

    def _check_kept(self) -> None:
        """Refuses what could not be stored."""
        if self._lost:
            raise Unavailable("this service has lost hold of the session; another one may have it: connect again")
        if self._audience.suspended:
            raise Unavailable(
                "the service cannot store what happens, and nothing can be played until it can; try again"
            )

    def _running(self) -> State:
        self._check_kept()
        if self.phase is Phase.RUNNING:
            return cast(State, self.state)
        raise self.closed_error()

    def closed_error(self) -> ServiceError:
        """Why nothing can be played in a session that is not running."""
        if self.phase is Phase.WAITING:
            return SessionWaiting("the game starts when every seat is taken; wait for the first turn")
        if self.phase is Phase.ABORTED:
            return SessionAborted("the session was aborted; nothing more can be played")
        return SessionOver("the game is over; GetSession has its outcome")

    def _check_decision(self, seat: int, chair: Chair, decision_id: int) -> None:
        if chair.cause:
            raise SeatForfeited(f"seat {seat} was forfeited ({chair.cause.name}); the house plays it")
        if not chair.open:
            if 0 < decision_id <= chair.decisions:
                raise StaleDecision(f"decision {decision_id} of seat {seat} was made already; wait for the next turn")
            raise OutOfTurn(f"seat {seat} has nothing to decide now; wait for its next turn")
        if decision_id != chair.decisions:
            raise StaleDecision(f"seat {seat} is at decision {chair.decisions}, the answer was for {decision_id}")

    def _check_time(self, seat: int, chair: Chair) -> None:
        """A busy service may ring an alarm late: who answers after the deadline has lost all the same."""
        deadline = self._deadline(chair)
        if deadline is not None and deadline[0] <= self._clock.now():
            self.forfeit(seat, deadline[1])
            raise SeatForfeited(f"the answer came too late: seat {seat} was forfeited; the house plays it")

    def _resolve(self, state: State, seat: int, choice: Choice) -> Action:
        if choice.position is not None:
            legal = state.legal(seat)
            if choice.position >= len(legal):
                raise IllegalChoice(
                    f"there are {len(legal)} legal actions, 0 to {len(legal) - 1}; got {choice.position}"
                )
            return legal[choice.position]
        if choice.action is not None:
            return choice.action
        if choice.wrong is not None:
            raise choice.wrong
        if choice.notation is None:
            raise BadChoice("the answer has no choice: set index, notation or action")
        try:
            return self.game.parse(choice.notation)
        except NotationError as error:
            raise BadChoice(str(error)) from None

    def _count_illegal(self, seat: int, chair: Chair) -> None:
        chair.illegal += 1
        if chair.illegal >= self.created.illegal_limit:
            self.forfeit(seat, ForfeitCause.ILLEGAL)

    def _applied(self, state: State, seat: int, notation: str, chooser: Chooser, request_id: str = "") -> None:
        """Logs an action that the rules have taken, and settles the seat's clock."""
        now = self._clock.now()
        chair = self.chairs[seat]
        waited_s = now - chair.asked_at
        think_us = int(waited_s * 1e6) if chooser is Chooser.SEAT else 0
        self._append(Acted(self._ms(now), seat, notation, chooser, think_us, request_id))
        if chair.open:
            chair.open = False
            if self._pace.game_ms:
                chair.bank_ms = max(0, chair.bank_ms - int(waited_s * 1000)) + self._pace.increment_ms
        if chooser is Chooser.SEAT:
            chair.told = len(self.history)
        self._record_events(state)
        self._audience.acted(self, seat, chooser, waited_s)

    def _record_events(self, state: State) -> None:
        for event in state.events:
            self.history.append(event)
            if event.audience is None:
                self.public_events += 1
            else:
                self.chairs[event.audience].private_events += 1
        if self.lag is not None:
            self.lag.add(self.public_events, state.view(None))

    def _go_on(self, state: State) -> None:
        """Plays what needs nobody's thought, then asks whoever must decide."""
        if self.forfeits or self.created.auto_play_forced:
            self._play_automatic(state)
        if not state.deciders:
            self._finish(state.outcome)
            return
        now = self._clock.now()
        for seat in state.deciders:
            chair = self.chairs[seat]
            if not chair.open:
                chair.open = True
                chair.decisions += 1
                chair.asked_at = now
                chair.link = self.chain.link
                if self._wants_time:
                    self._wake_for(chair)
                self._audience.asked(self, seat)
        self._audience.moved(self)

    def _play_automatic(self, state: State) -> None:
        while (ready := self._automatic(state)) is not None:
            seat, action, chooser = ready
            state.play(seat, action)
            self._applied(state, seat, str(action), chooser)

    def _automatic(self, state: State) -> tuple[int, Action, Chooser] | None:
        """The next action that the engine or the house plays, if there is one."""
        if self.forfeits:
            for seat in state.deciders:
                if self.chairs[seat].cause:
                    legal = state.legal(seat)
                    name = f"house/{seat}/{self._entries}"
                    return seat, legal[Chance(self.deal_seed).below(name, len(legal))], Chooser.HOUSE
        if self.created.auto_play_forced:
            for seat in state.deciders:
                legal = state.legal(seat)
                if len(legal) == 1:
                    return seat, legal[0], Chooser.FORCED
        return None

    # ---- time ----

    def time_left_ms(self, seat: int) -> int | None:
        """What is left for the seat's open decision; None if there is no limit."""
        chair = self.chairs[seat]
        limit_ms = self._limit_ms(chair)
        if limit_ms is None or not chair.open:
            return None
        return max(0, limit_ms - int((self._clock.now() - chair.asked_at) * 1000))

    def _limit_ms(self, chair: Chair) -> int | None:
        move_ms = self._pace.move_ms
        if not self._pace.game_ms:
            return move_ms or None
        return min(move_ms, chair.bank_ms) if move_ms else chair.bank_ms

    def _deadline(self, chair: Chair) -> tuple[float, ForfeitCause] | None:
        """When the chair's open decision is lost, and why."""
        deadlines = []
        if (limit_ms := self._limit_ms(chair)) is not None:
            deadlines.append((chair.asked_at + limit_ms / 1000, ForfeitCause.TIME))
        if self._pace.reconnect_ms and not chair.connected:
            gone_at = max(chair.asked_at, chair.holder.gone_at if chair.holder else 0.0)
            deadlines.append((gone_at + self._pace.reconnect_ms / 1000, ForfeitCause.DISCONNECTED))
        return min(deadlines, default=None)

    def _wake_for(self, chair: Chair) -> None:
        """Sees to it that the alarm rings no later than the chair's deadline.

        A chair that has acted leaves its alarm standing: it rings in vain and is set for the next deadline. That is far
        cheaper than cancelling and setting one with every move."""
        deadline = self._deadline(chair)
        if deadline is None or (self._alarm is not None and self._alarm_at <= deadline[0]):
            return
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm_at = deadline[0]
        self._alarm = self._clock.call_at(deadline[0], self._ring)

    def _ring(self) -> None:
        self._alarm = None
        if self._audience.suspended:  # nobody can answer: when that is over, all time begins anew
            return
        now = self._clock.now()
        for seat, chair in enumerate(self.chairs):
            if self.phase is Phase.RUNNING and chair.open:
                deadline = self._deadline(chair)
                if deadline is not None and deadline[0] <= now:
                    self.forfeit(seat, deadline[1])
        for chair in self.chairs:
            if self.phase is Phase.RUNNING and chair.open:
                self._wake_for(chair)

    def disconnected(self, seat: int) -> None:
        """The seat's last stream is gone: if it owes a decision, its time to come back runs."""
        chair = self.chairs[seat]
        if self._pace.reconnect_ms and self.phase is Phase.RUNNING and chair.open:
            self._wake_for(chair)

    # ---- giving up and ending ----

    def forfeit(self, seat: int, cause: ForfeitCause) -> None:
        """Gives a seat up: the house plays it from here on, or the game ends if at most one seat is left."""
        state = self._running()
        chair = self.chairs[seat]
        if chair.cause:
            raise SeatForfeited(f"seat {seat} was forfeited already ({chair.cause.name})")
        self._append(Forfeited(self._ms(self._clock.now()), seat, cause))
        chair.cause = cause
        chair.open = False
        self.forfeits.append(seat)
        self._audience.forfeited(self, seat, cause)
        if len(self.forfeits) >= max(1, len(self.chairs) - 1):
            self._finish(None)
        else:
            self._go_on(state)

    def abort(self, why: str = "") -> None:
        """Ends the session with no result."""
        if self.phase in (Phase.FINISHED, Phase.ABORTED):
            raise self.closed_error()
        self._append(Aborted(self._ms(self._clock.now()) if self.phase is Phase.RUNNING else 0, why))
        self._close(Phase.ABORTED)

    def _finish(self, outcome: Outcome | None) -> None:
        self.outcome = final_outcome(len(self.chairs), outcome, self.forfeits)
        self._append(Finished(self._ms(self._clock.now())))
        self._close(Phase.FINISHED)

    def _close(self, phase: Phase) -> None:
        self.phase = phase
        self.lag = None
        self.chain.end(phase, self.outcome, [chair.cause for chair in self.chairs])
        for chair in self.chairs:
            chair.open = False
        self._cancel_alarm()
        self._audience.ended(self)

    # ---- changing hands ----

    def hand_over(self, store: Store, clock: Clock, audience: Audience, at_ms: int) -> None:
        """From here on the session is kept, timed and heard by these; its last entry was written at that time.

        Whoever owes a decision gets the time for it anew: nobody pays for a service that was not there."""
        self._store, self._clock, self._audience = store, clock, audience
        self._wants_time = clock.ticking and any(self._pace)
        self.started_at = clock.now() - at_ms / 1000
        self.restart_clocks()

    def restart_clocks(self) -> None:
        """The time for every open decision, and for what is to be revealed, begins anew."""
        if self.revealing:
            self._await_entropy()
        for chair in self.chairs:
            if chair.open:
                chair.asked_at = self._clock.now()
                if self._wants_time:
                    self._wake_for(chair)

    def fence(self) -> None:
        """Somebody else has taken it over: what this one believes of it is worth nothing."""
        self.fenced = True
        self.lose()

    def check_fence(self) -> None:
        """Refuses to tell anything of a session that somebody else has taken over."""
        if self.fenced:
            raise Unavailable("another service has taken this session over; connect again, or ask again")

    def lose(self) -> None:
        """Nothing more can be done with it here."""
        self._lost = True
        self._cancel_alarm()

    def _cancel_alarm(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    # ---- what can be seen ----

    def seen_events(self, seat: int | None) -> int:
        """How many events this seat (None: a spectator) has been able to see."""
        return self.public_events + (0 if seat is None else self.chairs[seat].private_events)

    def events_since_decision(self, seat: int) -> Sequence[Event]:
        """What happened since the seat's last decision, as far as it may know."""
        return [event for event in self.history[self.chairs[seat].told :] if event.audience in (None, seat)]

    def _append(self, entry: Entry) -> None:
        try:
            self._store.append(self.id, self._entries, entry)
        except StoreError as error:
            self.lose()
            raise Unavailable("the service has lost hold of this session; open another one") from error
        self._entries += 1
        if self.state is not None:
            self.chain.add(entry)

    def _ms(self, now: float) -> int:
        return int((now - self.started_at) * 1000)


def _repeated(answered: tuple[int, str], decision_id: int) -> str:
    """The answer that a request id got before; the id of one decision cannot be used for another."""
    if answered[0] != decision_id:
        raise BadRequest(f"this request_id was used for decision {answered[0]}; use a new one for each decision")
    return answered[1]


def check_seat(session: Session, seat: int) -> None:
    """Refuses a seat number that the session does not have."""
    if not 0 <= seat < len(session.chairs):
        raise BadRequest(f"this session has seats 0 to {len(session.chairs) - 1}, got {seat}")
