"""Every deal follows from the key, and nothing but the key gives it away."""

from itertools import product

import pytest

from croupier_runner.errors import ConfigError
from croupier_runner.schedule import block_seed, describe, key_of, scheduler

KEY = key_of(1)


def test_names_that_run_together_do_not_share_a_deal() -> None:
    assert block_seed(KEY, "lie", ("a", "bc"), 1) != block_seed(KEY, "lie", ("ab", "c"), 1)


def test_every_part_of_a_block_changes_its_deal() -> None:
    parts = product((KEY, key_of(2)), ("lie", "ten"), (("a", "b"), ("a", "c")), (1, 2), ("", "final"))

    deals = [block_seed(*each) for each in parts]

    assert len(set(deals)) == len(deals) == 32


def test_a_stage_is_not_taken_for_a_name_or_a_number() -> None:
    assert block_seed(KEY, "lie", ("1", "a"), 2, "") != block_seed(KEY, "lie", ("a",), 1, "2")


def test_a_seed_always_gives_its_own_key() -> None:
    assert key_of(7) == key_of(7)
    assert len({key_of(seed) for seed in range(100)}) == 100
    assert len(key_of(7)) == 32


def test_without_a_seed_the_key_is_another_each_time() -> None:
    assert key_of(None) != key_of(None)
    assert len(key_of(None)) == 32


def test_a_deal_of_a_known_key_never_changes() -> None:
    """Journals are resumed by later versions too, so what a key deals is fixed."""
    expected = "0866c072e4191f189d24a26207d7e2dbeae4fb94f604ce7e1cccc2d991b42d86"
    assert block_seed(key_of(20261118), "lie", ("ann", "bob"), 3, "round 2").hex() == expected


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"seats": 1}, "seats must be at least 2, got 1"),
        ({"blocks": 0}, "blocks must be at least 1, got 0"),
        ({"bots": ("ann", "ann")}, "two bots have the same name"),
        ({"seats": 3}, "2 bots cannot fill 3 seats"),
        ({"key": b"short"}, "has 32 bytes, got 5"),
    ],
)
def test_settings_that_cannot_be_played_are_refused(changes: dict[str, object], sentence: str) -> None:
    settings = {"bots": ("ann", "bob"), "game_id": "lie", "seats": 2, "blocks": 1, "key": KEY, **changes}

    with pytest.raises(ConfigError, match=sentence):
        scheduler("round_robin", **settings)  # type: ignore[arg-type]


def test_a_description_refuses_what_the_scheduler_refuses() -> None:
    with pytest.raises(ConfigError, match="cannot fill"):
        describe("swiss", bots=("ann", "bob"), seats=3, blocks=1)
