"""What a bot or a backend may answer, and how it goes onto the wire."""

from __future__ import annotations

from operator import index
from typing import SupportsIndex, TypeAlias

from google.protobuf.message import Message

from croupier.v1 import bots_pb2, turns_pb2
from croupier_client.payloads import wrap

Choice: TypeAlias = "SupportsIndex | str | Message"
"""A position in `turn.legal`, a notation, or the game's own message `Action`."""


def add_answer(request: bots_pb2.PlayRequest, turn: turns_pb2.Turn, choice: Choice) -> None:
    """Puts the answer to a turn into the request, or raises TypeError or ValueError with what is accepted."""
    kind = type(choice)
    if kind is str:
        request.answers.add(session_id=turn.session_id, seat=turn.seat, decision_id=turn.decision_id, notation=choice)
    elif kind is int and 0 <= choice < turn.legal_count:  # type: ignore[operator]  # it is an int
        request.answers.add(session_id=turn.session_id, seat=turn.seat, decision_id=turn.decision_id, index=choice)
    else:
        answer = request.answers.add(session_id=turn.session_id, seat=turn.seat, decision_id=turn.decision_id)
        set_choice(answer, choice, turn.legal_count)


def set_choice(answer: turns_pb2.Answer, choice: object, legal_count: int | None = None) -> None:
    """Sets the choice, in whichever form it comes; an index is checked where `legal_count` is known."""
    if isinstance(choice, str):
        answer.notation = choice
    elif isinstance(choice, Message):
        answer.action.CopyFrom(wrap(choice))
    elif isinstance(choice, SupportsIndex) and not isinstance(choice, bool):
        position = index(choice)
        if position < 0 or (legal_count is not None and position >= legal_count):
            raise ValueError(f"expected a position in turn.legal, 0 to {_last(legal_count)}, got {position}")
        answer.index = position
    else:
        raise TypeError(
            "expected a position in turn.legal (int), a notation (str) or the game's message Action, "
            f"got {choice!r} of type {type(choice).__name__}"
        )


def _last(legal_count: int | None) -> str:
    return "the last" if legal_count is None else str(legal_count - 1)
