"""One decision, as a bot sees it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import overload

from google.protobuf.message import Message

from croupier.v1 import bots_pb2, turns_pb2
from croupier_client.payloads import unwrap


class Notations(Sequence[str]):
    """The notations of a turn's legal actions, read from the message only as far as they are looked at."""

    __slots__ = ("_legal",)

    def __init__(self, legal: Sequence[turns_pb2.LegalAction]) -> None:
        self._legal = legal

    def __len__(self) -> int:
        return len(self._legal)

    def __iter__(self) -> Iterator[str]:
        return (action.notation for action in self._legal)

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> list[str]: ...
    def __getitem__(self, at: int | slice) -> str | list[str]:
        if isinstance(at, slice):
            return [action.notation for action in self._legal[at]]
        return self._legal[at].notation

    def __repr__(self) -> str:
        return repr(list(self))


class Turn:
    """What a seat sees and may do now. What `run` did not ask for raises an AttributeError that says so."""

    __slots__ = ("_seating", "raw")

    def __init__(self, raw: turns_pb2.Turn, seating: bots_pb2.Seated | None = None) -> None:
        self.raw = raw
        self._seating = seating

    @property
    def session_id(self) -> str:
        """The session: different for every game."""
        return self.raw.session_id

    @property
    def seat(self) -> int:
        """The seat that decides, counting from 0."""
        return self.raw.seat

    @property
    def decision_id(self) -> int:
        """Names this decision among all of this seat in this session."""
        return self.raw.decision_id

    @property
    def seating(self) -> bots_pb2.Seated:
        """The table: game_id, options, seat_names, seed_commitment, …"""
        if self._seating is None:
            raise AttributeError(f"the service did not say who is seated in session {self.session_id}")
        return self._seating

    @property
    def view(self) -> Message:
        """What the seat sees: the game's own message, such as croupier.games.lie.v1.lie_pb2.View."""
        if not self.raw.HasField("view"):
            raise AttributeError("this turn has no view: ask for it with run(…, view=True)")
        return unwrap(self.raw.view)

    @property
    def legal(self) -> Notations:
        """The notations of the legal actions, in a fixed order: answer with one of them or its position."""
        legal = self.raw.legal
        if not legal and self.raw.legal_count:
            raise AttributeError("this turn only counts the legal actions: ask with run(…, legal='notation')")
        return Notations(legal)

    @property
    def legal_count(self) -> int:
        """How many legal actions there are, whatever was asked for."""
        return self.raw.legal_count

    @property
    def actions(self) -> list[Message]:
        """The legal actions as the game's own messages, in the order of `legal`."""
        legal = self.raw.legal
        if self.raw.legal_count and not (legal and legal[0].HasField("action")):
            raise AttributeError("this turn has no typed actions: ask for them with run(…, legal='typed')")
        return [unwrap(action.action) for action in legal]

    @property
    def events(self) -> list[Message]:
        """What happened since this seat's last decision, as the game's messages; empty if not asked for."""
        return [unwrap(event) for event in self.raw.events]

    @property
    def time_left_s(self) -> float | None:
        """Seconds left for this decision when the turn was sent; None if there is no limit."""
        return self.raw.time_left_ms / 1000 if self.raw.HasField("time_left_ms") else None

    def __repr__(self) -> str:
        return f"<Turn session {self.session_id} seat {self.seat} decision {self.decision_id}>"
