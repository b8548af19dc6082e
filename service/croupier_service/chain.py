"""The chain of hashes that binds the service to a record; docs/records.md specifies it.

A record is a list of lines, from which anybody can compute every link. While a game is on links are secret: what is
told of one is its `head`, which tells nothing about what was done, and binds the service to it.
"""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256

from croupier_games import Outcome
from croupier_service.store import NO_SPECTATORS, Acted, Created, Entry, ForfeitCause, Forfeited

_CHAIN_LABEL = b"croupier/chain/1"
_HEAD_LABEL = b"croupier/head/1"
_ENTROPY_LABEL = b"croupier/entropy/1"

_DELAYED, _CLOSED = 2, 3
"""The wire's numbers of who may look on."""


def head_of(link: bytes) -> bytes:
    """What is told of a link; empty before the deal."""
    return sha256(_HEAD_LABEL + link).digest() if link else b""


def entropy_commitment(session_id: str, entropy: bytes) -> bytes:
    """What binds a seat to its entropy; empty where there is none."""
    return sha256(_ENTROPY_LABEL + session_id.encode() + b"\0" + entropy).digest() if entropy else b""


class Chain:
    """The latest link of a session; nothing is linked before the deal."""

    __slots__ = ("link",)

    def __init__(self, link: bytes = b"") -> None:
        self.link = link

    def begin(self, session_id: str, created: Created, names: Iterable[str], entropy: Iterable[bytes]) -> None:
        """The game is about to be dealt."""
        self.link = sha256(_CHAIN_LABEL + created.commitment_salt + created.service_seed).digest()
        for line in _opening(session_id, created, names, entropy):
            self._add(line)

    def add(self, entry: Entry) -> None:
        """Something has happened; what the record does not show is passed over."""
        if isinstance(entry, Acted):
            at_ms, seat, notation, chooser, think_us, _ = entry
            self._add(f"act {at_ms} {seat} {chooser:d} {think_us} {notation}")
        elif isinstance(entry, Forfeited):
            self._add(f"forfeit {entry.at_ms} {entry.seat} {entry.cause:d}")

    def end(self, state: int, outcome: Outcome | None, causes: Sequence[ForfeitCause]) -> None:
        """The session has ended."""
        if self.link:
            for line in _ending(state, outcome, causes):
                self._add(line)

    def _add(self, line: str) -> None:
        self.link = sha256(_CHAIN_LABEL + self.link + line.encode()).digest()


def _opening(session_id: str, created: Created, names: Iterable[str], entropy: Iterable[bytes]) -> Iterator[str]:
    yield f"session {session_id}"
    yield f"game {created.game_id}"
    yield f"version {created.game_version}"
    for name, value in sorted(created.options.items(), key=lambda item: item[0].encode()):
        yield f"option {name}"
        kind = "flag" if isinstance(value, bool) else "number" if isinstance(value, int) else "text"
        yield f"{kind} {int(value) if isinstance(value, bool) else value}"
    if any(created.time_control):
        yield f"time {' '.join(map(str, created.time_control))}"
    if created.spectator_delay == NO_SPECTATORS:
        yield f"spectators {_CLOSED} 0"
    elif created.spectator_delay:
        yield f"spectators {_DELAYED} {created.spectator_delay}"
    seconds, milliseconds = divmod(int(created.wall_s * 1000), 1000)
    yield f"created {seconds} {milliseconds * 1_000_000}"
    yield f"seed_was_given {created.seed_was_given:d}"
    yield f"auto_play_forced {created.auto_play_forced:d}"
    for name in names:
        yield f"seat {name}"
    for each in entropy:
        yield f"entropy {each.hex()}"


def _ending(state: int, outcome: Outcome | None, causes: Sequence[ForfeitCause]) -> Iterator[str]:
    yield f"end {state:d}"
    if outcome is None:
        return
    yield f"outcome {outcome.reason}"
    for result, cause in zip(outcome.results, causes, strict=True):
        points = "-" if result.points is None else result.points
        yield f"result {result.place} {points} {cause:d}"
        for name, value in result.tie_breaks:
            yield f"tie {value} {name}"
        for note in result.notes:
            yield f"note {note}"
