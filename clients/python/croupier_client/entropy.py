"""A bot's or backend's part in the deal: entropy that it commits to, and reveals when everybody else is bound."""

from __future__ import annotations

import secrets
from hashlib import sha256

from croupier.v1 import bots_pb2

_LABEL = b"croupier/entropy/1"
_BYTES = 32


def entropy_commitment(session_id: str, entropy: bytes) -> bytes:
    """What binds to that entropy in that session: the `entropy_commitment` of `claim_seat` (docs/chance.md)."""
    return sha256(_LABEL + session_id.encode() + b"\0" + entropy).digest()


class Entropy:
    """What a bot contributes to its deals, kept across reconnects."""

    def __init__(self) -> None:
        self._given: dict[tuple[str, int], bytes] = {}

    def answer(self, wanted: bots_pb2.EntropyWanted) -> bots_pb2.SeatEntropy | None:
        """A commitment, or the entropy; None if it is not asked for rightly, which ends the session without a deal."""
        key = wanted.session_id, wanted.seat
        answer = bots_pb2.SeatEntropy(session_id=wanted.session_id, seat=wanted.seat)
        if not wanted.entropy_commitments:
            self._given.setdefault(key, secrets.token_bytes(_BYTES))
            answer.commitment = entropy_commitment(wanted.session_id, self._given[key])
            return answer
        entropy = self._given.get(key, b"")
        commitments = dict(enumerate(wanted.entropy_commitments))
        if not entropy or commitments.get(wanted.seat) != entropy_commitment(wanted.session_id, entropy):
            return None
        answer.entropy = entropy
        return answer

    def forget(self, session_id: str, seat: int) -> None:
        """The game is over."""
        self._given.pop((session_id, seat), None)
