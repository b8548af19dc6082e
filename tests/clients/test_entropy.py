"""A bot that gives entropy: it commits, and reveals only what it committed to, when it is asked rightly."""

from croupier.v1 import bots_pb2
from croupier_client import entropy_commitment
from croupier_client.entropy import Entropy


def asked(*commitments: bytes) -> bots_pb2.EntropyWanted:
    return bots_pb2.EntropyWanted(session_id="s", seat=1, entropy_commitments=commitments)


def test_it_reveals_what_it_committed_to() -> None:
    entropy = Entropy()
    committed = entropy.answer(asked())
    assert committed is not None
    revealed = entropy.answer(asked(b"", committed.commitment))
    assert revealed is not None

    assert entropy_commitment("s", revealed.entropy) == committed.commitment
    assert len(revealed.entropy) == 32


def test_asked_again_it_commits_to_the_same() -> None:
    entropy = Entropy()
    assert entropy.answer(asked()) == entropy.answer(asked())
    assert entropy.answer(asked()) != Entropy().answer(asked())


def test_it_reveals_nothing_where_it_is_said_to_have_committed_to_something_else() -> None:
    entropy = Entropy()
    committed = entropy.answer(asked())
    assert committed is not None

    assert entropy.answer(asked(committed.commitment, bytes(32))) is None
    assert entropy.answer(asked(committed.commitment)) is None
    assert Entropy().answer(asked(b"", committed.commitment)) is None


def test_of_a_game_that_is_over_nothing_is_kept() -> None:
    entropy = Entropy()
    committed = entropy.answer(asked())
    assert committed is not None
    entropy.forget("s", 1)

    assert entropy.answer(asked(b"", committed.commitment)) is None
