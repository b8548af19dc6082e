"""What the figures and names of the report read like."""

import pytest

from croupier_runner.summary import Interval
from croupier_runner.web import wording

INFINITE = float("inf")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Zoë 🤖", "Zoë 🤖"),
        ("👩\u200d🚀", "👩\u200d🚀"),
        ("a\u202eb\u200f", "a\\u202eb\\u200f"),
        ("\x1b[1;31mred\x1b[0m\x07", "red\\u0007"),
        ("one\r\ntwo\tthree\r", "one\ntwo\tthree\\u000d"),
        ("\ud800", "\\ud800"),
    ],
)
def test_what_cannot_be_seen_is_written_out(text: str, shown: str) -> None:
    assert wording.visible(text) == shown


@pytest.mark.parametrize(
    ("share", "shown"),
    [
        (None, "–"),
        (0.0, "0.0 %"),
        (0.0002, "< 0.1 %"),
        (0.0005, "0.1 %"),
        (0.5, "50.0 %"),
        (0.9996, "> 99.9 %"),
        (1.0, "100.0 %"),
    ],
)
def test_nearly_nothing_does_not_read_as_nothing(share: float | None, shown: str) -> None:
    assert wording.percent(share) == shown


@pytest.mark.parametrize(
    ("estimate", "shown"),
    [
        (Interval(1500, 1488, 1512), "± 12"),
        (Interval(1500, 1490, 1514), "+14 −10"),
        (Interval(1500, -INFINITE, INFINITE), "± ∞"),
        (Interval(1500, float("nan"), float("nan")), ""),
    ],
)
def test_a_margin_says_when_it_is_uneven(estimate: Interval, shown: str) -> None:
    assert wording.margin(estimate) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [(None, "–"), (0.04, "0.04 ms"), (72.93, "72.9 ms"), (656.1, "656 ms"), (1968.3, "1.97 s"), (30000.0, "30.0 s")],
)
def test_a_duration_has_the_unit_that_suits_it(value: float | None, shown: str) -> None:
    assert wording.milliseconds(value) == shown


@pytest.mark.parametrize(("value", "shown"), [(3.2, "+3"), (-3.2, "−3"), (-0.2, "0"), (0.2, "0"), (None, "–")])
def test_a_difference_has_its_sign(value: float | None, shown: str) -> None:
    assert wording.signed(value) == shown


@pytest.mark.parametrize("name", ["W" * 64, "i" * 64, "🤖" * 64, "short"])
def test_a_name_is_cut_to_the_width_it_is_given(name: str) -> None:
    cut = wording.fitting(name, 150)
    assert wording.width_of(cut) <= 150
    assert cut == name or (cut.endswith("…") and name.startswith(cut[:-1]))


def test_one_block_is_no_blocks() -> None:
    assert [wording.counted(count, "block") for count in (0, 1, 1200)] == ["0 blocks", "1 block", "1,200 blocks"]
