"""A person may choose by number, by notation, or by how it begins; long lists come in pages that fit the screen."""

from collections.abc import Callable
from typing import Any

import pytest

from croupier_runner.errors import ConfigError
from croupier_runner.person import read_options
from croupier_runner.person.choices import Choices, Wish, in_columns

Scripted = Callable[..., Any]
LEGAL = [f"bid {number}" for number in range(1, 201)] + ["pass", "Play on"]


@pytest.mark.parametrize(
    ("typed", "position"),
    [("1", 0), ("202", 201), ("bid 7", 6), ("  BID   7 ", 6), ("pass", 200), ("play on", 201)],
)
async def test_a_number_or_a_notation_plays(typed: str, position: int, scripted: Scripted) -> None:
    assert await Choices(LEGAL, scripted(typed)).ask("> ") == position


@pytest.mark.parametrize("wish", Wish)
async def test_wishes_are_heard(wish: Wish, scripted: Scripted) -> None:
    assert await Choices(LEGAL, scripted(wish.name.lower())).ask("> ") is wish


async def test_an_action_wins_over_a_wish_of_the_same_name(scripted: Scripted) -> None:
    assert await Choices(["table", "chair"], scripted("table")).ask("> ") == 0


async def test_the_end_of_input_is_a_wish_to_quit(scripted: Scripted) -> None:
    assert await Choices(LEGAL, scripted(then=None)).ask("> ") is Wish.QUIT


async def test_a_beginning_lists_what_begins_so_under_the_same_numbers(scripted: Scripted) -> None:
    terminal = scripted("p", "201")
    assert await Choices(LEGAL, terminal).ask("> ") == 200
    assert terminal.written[1] == "201 pass   202 Play on"


async def test_a_long_list_comes_in_pages_that_together_show_everything(scripted: Scripted) -> None:
    terminal = scripted(*[""] * 20, "1", columns=40, height=14)
    choices = Choices(LEGAL, terminal)
    choices.show()
    await choices.ask("> ")
    pages = [page for page in terminal.written if page.strip() != ">" and page != "> 1"]
    lines = [line for page in pages for line in page.splitlines()]
    assert max(map(len, lines)) <= 60
    assert max(page.count("\n") for page in pages) <= 4
    shown = " ".join(lines)
    assert [notation for at, notation in enumerate(LEGAL, 1) if f"{at:>3} {notation}" not in shown] == []
    assert "more lines: press Enter" in pages[0]


@pytest.mark.parametrize("width", [1, 10, 33, 80, 500])
def test_columns_fit_the_width_and_lose_nothing(width: int) -> None:
    entries = [f"{number} {'x' * (number % 5)}".strip() for number in range(50)]
    lines = in_columns(entries, width)
    assert sorted("  ".join(lines).replace("   ", "\n").split()) == sorted(" ".join(entries).split())
    if width >= 10:
        assert max(map(len, lines)) <= width


def test_options_are_read_as_the_game_types_them() -> None:
    assert read_options("lie", ["joker_ones=true", "start_seat=1", "bid_order=count_first"]) == {
        "joker_ones": True,
        "start_seat": 1,
        "bid_order": "count_first",
    }


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("joker_ones", "'joker_ones' is no option; write NAME=VALUE"),
        ("jokers=true", "lie has no option 'jokers'"),
        ("joker_ones=yes", "option 'joker_ones' takes true or false, got 'yes'"),
        ("start_seat=one", "option 'start_seat' takes a whole number"),
    ],
)
def test_an_option_that_cannot_be_read_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(ConfigError, match=sentence):
        read_options("lie", [text])
