"""The words of the contract: options, seats, seeds, and the table of installed games."""

from importlib.metadata import EntryPoint

import pytest
from outside_sealed import SEALED, SealedGame

import croupier_games
from croupier_games import GAMES, Game, Option, OptionError, SeatsError, installed_games

FLAG = Option("flag", bool, False, "A flag.")
NUMBER = Option("number", int, 3, "A number.", minimum=2, maximum=5)
OPEN_NUMBER = Option("open_number", int, None, "A number with a least value.", minimum=0)
ANY_NUMBER = Option("any_number", int, None, "Any number.")
TEXT = Option("text", str, "one", "A text.", choices=("one", "two"))
FREE_TEXT = Option("free_text", str, None, "Any short text.", max_length=5, examples=("ab",))


class Seated(SealedGame):
    """The outside game with an option that names a seat, and one that may be unset."""

    options = (*SEALED.options, Option("start_seat", int, None, "Who starts.", minimum=0, maximum=3))  # type: ignore[assignment]


@pytest.mark.parametrize(
    ("option", "value"),
    [
        (FLAG, True),
        (FLAG, False),
        (NUMBER, 2),
        (NUMBER, 5),
        (OPEN_NUMBER, 10**9),
        (ANY_NUMBER, -7),
        (TEXT, "two"),
        (FREE_TEXT, "a"),
        (FREE_TEXT, "a b\nc"),
    ],
)
def test_an_option_takes_its_values(option: Option, value: bool | int | str) -> None:
    taken = option.check(value)
    assert taken == value
    assert type(taken) is type(value)


@pytest.mark.parametrize(
    ("option", "value", "expected"),
    [
        (FLAG, 1, "true or false"),
        (FLAG, "true", "true or false"),
        (NUMBER, 1, "a whole number from 2 to 5"),
        (NUMBER, 6, "a whole number from 2 to 5"),
        (NUMBER, True, "a whole number from 2 to 5"),
        (NUMBER, 3.0, "a whole number from 2 to 5"),
        (OPEN_NUMBER, -1, "a whole number from 0"),
        (ANY_NUMBER, "7", "a whole number"),
        (TEXT, "three", "one of one, two"),
        (TEXT, 1, "one of one, two"),
        (TEXT, None, "one of one, two"),
        (FREE_TEXT, "", "a text of 1 to 5 characters"),
        (FREE_TEXT, "abcdef", "a text of 1 to 5 characters"),
        (FREE_TEXT, 12345, "a text of 1 to 5 characters"),
        (FREE_TEXT, None, "a text of 1 to 5 characters"),
    ],
)
def test_an_option_says_what_it_takes_when_it_refuses(option: Option, value: object, expected: str) -> None:
    with pytest.raises(OptionError) as refused:
        option.check(value)
    assert str(refused.value) == f"option {option.name!r} takes {expected}, got {value!r}"


def test_an_option_does_not_echo_all_of_a_long_value() -> None:
    for option in (FREE_TEXT, TEXT, NUMBER):
        with pytest.raises(OptionError) as refused:
            option.check("x" * 10**6)
        assert len(str(refused.value)) < 150


def test_options_are_completed_with_their_defaults() -> None:
    assert SEALED.check(2, {"cards": 4}) == {"cards": 4, "low_wins": False, "ties": "carry"}


def test_an_option_that_is_not_set_and_has_no_default_is_left_out() -> None:
    assert "start_seat" not in Seated().check(2, {})
    assert Seated().check(2, {"start_seat": 1})["start_seat"] == 1


def test_a_start_seat_must_be_at_the_table() -> None:
    with pytest.raises(OptionError, match="names seat 2, but the seats are 0 to 1"):
        Seated().check(2, {"start_seat": 2})
    assert Seated().check(3, {"start_seat": 2})["start_seat"] == 2


def test_an_unknown_option_is_an_error_that_names_the_known_ones() -> None:
    with pytest.raises(OptionError, match="sealed has no option 'jokers'; it has cards, low_wins, ties"):
        SEALED.new(seats=2, options={"jokers": True}, seed=bytes(32))


@pytest.mark.parametrize("seats", [-1, 0, 1, 5])
def test_a_number_of_seats_that_the_game_does_not_have_is_an_error(seats: int) -> None:
    with pytest.raises(SeatsError, match=f"sealed has 2 to 4 seats, got {seats}"):
        SEALED.new(seats=seats, seed=bytes(32))


def test_a_seed_has_32_bytes() -> None:
    with pytest.raises(ValueError, match="a seed has 32 bytes, got 31"):
        SEALED.new(seats=2, seed=bytes(31))


def test_games_are_listed_under_their_ids() -> None:
    assert all(isinstance(game, Game) and game.id == name for name, game in GAMES.items())


def offer(monkeypatch: pytest.MonkeyPatch, *values: str) -> None:
    """Puts these objects into the entry-point group, as installed packages would."""
    entries = [EntryPoint("some", value, croupier_games.ENTRY_POINTS) for value in values]
    monkeypatch.setattr(croupier_games, "entry_points", lambda group: entries)


def test_installed_games_are_ours_and_those_of_other_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, "outside_sealed:SEALED")
    assert installed_games() == {**GAMES, "sealed": SEALED}


def test_an_entry_point_that_is_no_game_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, "outside_sealed:SealedGame")
    with pytest.raises(TypeError, match="must be a Game"):
        installed_games()


def test_two_games_with_the_same_id_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, "outside_sealed:SEALED", "outside_sealed.game:SEALED")
    with pytest.raises(ValueError, match="offers 'sealed', which another package offers too"):
        installed_games()
