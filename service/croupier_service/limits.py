"""As much as one client may ask for: how often, and how much at the same time.

Calls that come faster than their rate wait for their turn, so that whoever asks in a loop is slowed down and not
refused; those that would have to wait too long are refused, no sooner than they could have been served.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import lru_cache
from ipaddress import IPv6Address, ip_network
from types import TracebackType

from croupier_service.clock import Clock
from croupier_service.config import Limits
from croupier_service.errors import LimitReached

BURST_S = 0.1
"""What a rate lets through at once after a rest, as time."""
LONGEST_DELAY_S = 1.0
"""What would have to wait longer for its turn is refused."""
MOST_KEYS = 16_384
"""Tokens and peers that a rate remembers; the one that was quiet the longest is forgotten first."""
HELD_BYTES = 67_108_864
"""Requests that may wait in memory for their turn or their refusal; what is beyond is refused at once."""
BYTES_PER_CALL = 4_096
"""A request costs as much as one more call for each of these."""
BYTES_PER_ANSWER = 512
"""A stream's messages may be so long for each action they play; each of these beyond is as good as a refused answer."""
ANSWERS_PER_CALL = 8
"""So many answers that play nothing are as much work as a call."""
PLAYERS_SHARE = 4
"""How many times as much as strangers an address may ask for with tokens that hold seats."""
FINE = 500.0
"""What it costs, in calls, to have a stream ended for what was sent on it."""

_IPV6_CLIENT_BITS = 64
"""A household or a virtual machine has a whole network of that length."""


def peer_key(peer: str) -> str:
    """Who a peer is, of gRPC's "ipv4:HOST:PORT", "ipv6:[HOST]:PORT" or "unix:PATH": its address without the port."""
    kind, _, rest = peer.partition(":")
    if kind == "unix":
        return kind
    return _host_key(kind, rest.rpartition(":")[0])


@lru_cache(MOST_KEYS)
def _host_key(kind: str, host: str) -> str:
    if kind != "ipv6":
        return host
    try:
        address = IPv6Address(host.replace("%5B", "").replace("%5D", "").strip("[]"))
    except ValueError:
        return host
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ip_network((address, _IPV6_CLIENT_BITS), strict=False).network_address)


class Rate:
    """So much per second for every key.

    Of each key is kept only until when what it has asked for fills its time (the generic cell rate algorithm)."""

    def __init__(self, per_s: float, most_keys: int = MOST_KEYS) -> None:
        self._second = 1.0 / per_s
        self._most_keys = most_keys
        self._filled: OrderedDict[Hashable, float] = OrderedDict()

    def __len__(self) -> int:
        return len(self._filled)

    def charge(self, key: Hashable, cost: float, now: float) -> float:
        """Counts it, come what may; returns in how many seconds it is due, 0 or less for at once."""
        filled = self._filled.pop(key, 0.0)
        self._filled[key] = max(filled, now) + cost * self._second
        if len(self._filled) > self._most_keys:
            self._filled.popitem(last=False)
        return filled - BURST_S - now

    def delay(self, key: Hashable, cost: float, now: float) -> float:
        """As `charge`, but what would have to wait too long is not counted, for it will not be served."""
        wait_s = self._filled.get(key, 0.0) - BURST_S - now
        return wait_s if wait_s > LONGEST_DELAY_S else self.charge(key, cost, now)


class Gate:
    """Where every call comes in: counts those underway and paces them, by peer and by token."""

    def __init__(self, limits: Limits, clock: Clock) -> None:
        self._limits = limits
        self._clock = clock
        self._strangers = Rate(limits.calls_per_s_per_peer)
        self._players = Rate(PLAYERS_SHARE * limits.calls_per_s_per_peer)
        self._tokens = Rate(limits.calls_per_s_per_token)
        self._refused = Rate(limits.refused_per_s_per_token)
        self._underway: dict[str, int] = {}
        self._total = 0
        self._held_bytes = 0

    @property
    def underway(self) -> int:
        """How many calls and streams there are."""
        return self._total

    def enter(self, peer: str) -> None:
        """Counts a call of that peer, or refuses it."""
        limits, own = self._limits, self._underway.get(peer, 0)
        if own >= limits.max_calls_per_peer:
            raise LimitReached(
                f"{own} calls and streams from your address are open, which is the limit (max_calls_per_peer); "
                "end some first",
                limit="max_calls_per_peer",
                retry_s=LONGEST_DELAY_S,
            )
        if self._total >= limits.max_calls:
            raise LimitReached(
                f"{self._total} calls and streams are open, which is the limit (max_calls); try again later",
                limit="max_calls",
                retry_s=LONGEST_DELAY_S,
            )
        self._underway[peer] = own + 1
        self._total += 1

    def leave(self, peer: str) -> None:
        """The call that entered has ended."""
        self._total -= 1
        left = self._underway[peer] - 1
        if left:
            self._underway[peer] = left
        else:
            del self._underway[peer]

    async def turn(self, peer: str, token_hash: bytes | None, known: bool, cost: float, size: int = 0) -> None:
        """Returns when it is the call's turn, or refuses it.

        A token that holds a seat has a share of its own: strangers of the same address cannot use it up."""
        now, cost = self._clock.now(), cost + size / BYTES_PER_CALL
        wait_s, limit = self._peers(known).delay(peer, cost, now), "calls_per_s_per_peer"
        if token_hash is not None and wait_s <= LONGEST_DELAY_S:
            of_token_s = self._tokens.delay(token_hash, cost, now)
            if of_token_s > wait_s:
                wait_s, limit = of_token_s, "calls_per_s_per_token"
        if wait_s > 0:
            await self._hold(min(wait_s, LONGEST_DELAY_S), size)
        if wait_s > LONGEST_DELAY_S:
            raise too_fast(limit, getattr(self._limits, limit), wait_s)

    async def _hold(self, seconds: float, size: int) -> None:
        if self._held_bytes + size > HELD_BYTES:
            raise LimitReached(
                "too many large requests wait for their turn; send smaller ones, and fewer",
                limit="held_bytes",
                retry_s=LONGEST_DELAY_S,
            )
        self._held_bytes += size
        try:
            await pause(self._clock, seconds)
        finally:
            self._held_bytes -= size

    def _peers(self, known: bool) -> Rate:
        return self._players if known else self._strangers

    async def slow_down(self, peer: str, token_hash: bytes, known: bool, wasted: float) -> None:
        """A bot's message had so many answers that played nothing: its next one is read when it is due."""
        now = self._clock.now()
        wait_s = max(
            self._refused.charge(token_hash, wasted, now),
            self._peers(known).charge(peer, wasted / ANSWERS_PER_CALL, now),
        )
        if wait_s > 0:
            await pause(self._clock, wait_s)

    def fine(self, peer: str, known: bool) -> None:
        """A stream was ended for what it sent, which may have been much: the next calls from there wait for it."""
        self._peers(known).charge(peer, FINE, self._clock.now())


def wasted_answers(answers: int, played: int, size: int) -> float:
    """How many answers of a bot's message played nothing; an empty message counts as one, padding by its length."""
    padding = size - BYTES_PER_ANSWER * max(1, played)
    if padding <= 0 and answers <= played and played:
        return 0.0
    return max(0, answers - played, 0 if played else 1) + max(0, padding) / BYTES_PER_ANSWER


def too_fast(limit: str, per_s: int, retry_s: float) -> LimitReached:
    """Refuses a call for which there would have been no turn."""
    whose = "token" if limit.endswith("token") else "address"
    return LimitReached(
        f"your {whose} sends more calls than {per_s:,} a second, which is the limit ({limit}); "
        "send fewer, or play on a bot's stream",
        limit=limit,
        retry_s=retry_s,
    )


async def pause(clock: Clock, seconds: float) -> None:
    """Returns when so much time has passed on that clock."""
    passed = asyncio.Event()
    alarm = clock.call_at(clock.now() + seconds, passed.set)
    try:
        await passed.wait()
    finally:
        alarm.cancel()


class Within:
    """What is done inside must be done in time, or it is cancelled and the error raised."""

    def __init__(self, clock: Clock, seconds: float, error: Callable[[], LimitReached]) -> None:
        self._clock = clock
        self._seconds = seconds
        self._error = error
        self._late = False

    def __enter__(self) -> "Within":
        self._task = asyncio.current_task()
        self._alarm = self._clock.call_at(self._clock.now() + self._seconds, self._ring)
        return self

    def _ring(self) -> None:
        self._late = True
        if self._task is not None:
            self._task.cancel()

    def __exit__(self, kind: type[BaseException] | None, *_: BaseException | TracebackType | None) -> None:
        self._alarm.cancel()
        if self._late and self._task is not None:
            others = self._task.uncancel()
            if kind is asyncio.CancelledError and not others:
                raise self._error() from None
