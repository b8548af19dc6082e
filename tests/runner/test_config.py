"""A file that cannot be played is refused with a sentence that names the key and says what to do."""

from collections.abc import Callable
from pathlib import Path

import pytest

from croupier_runner.clock import Clock, duration_ms, game_clock_ms
from croupier_runner.config import Tournament, load, schema
from croupier_runner.errors import ConfigError

GOOD = """
name = "demo"
seed = 1
blocks = 2
[game]
id = "lie"
seats = 2
options = { joker_ones = true }
[clock]
move = "2s"
[[bots]]
name = "ann"
command = ["python", "ann.py"]
[[bots]]
name = "bob"
command = ["python", "bob.py"]
"""


@pytest.fixture
def refusal(tmp_path: Path) -> Callable[[str], str]:
    """The sentences with which a file of that text is refused."""

    def refuse(text: str) -> str:
        path = tmp_path / "cup.toml"
        path.write_text(text)
        with pytest.raises(ConfigError) as caught:
            load(path)
        return str(caught.value)

    return refuse


def test_a_good_file_is_read_with_its_defaults(tmp_path: Path) -> None:
    path = tmp_path / "cup.toml"
    path.write_text(GOOD)

    cup = load(path)

    assert (cup.name, cup.seed, cup.blocks, cup.limits.concurrency) == ("demo", 1, 2, 32)
    assert (cup.format, cup.faults.cost, cup.faults.eliminate_after) == ("round_robin", "game", None)
    assert [game.settings for game in cup.game] == [{"joker_ones": True}]
    assert [bot.protocol for bot in cup.bots] == ["grpc", "grpc"]
    assert cup.clock.clock == Clock(move_ms=2000)
    assert [bot.name for bot in cup.bots] == ["ann", "bob"]


def test_a_file_without_a_clock_still_limits_moves(tmp_path: Path) -> None:
    path = tmp_path / "cup.toml"
    path.write_text(GOOD.replace('[clock]\nmove = "2s"\n', ""))

    assert load(path).clock.clock == Clock(move_ms=10_000)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("blocks = 2", "blocks = 0", "blocks must be at least 1, got 0"),
        ("blocks = 2", 'blocks = "2"', "blocks must be a whole number, got '2'"),
        ("blocks = 2", "", "blocks is missing; add it"),
        ("seed = 1", "seed = -1", "seed must be at least 0, got -1"),
        ("seed = 1", "seed = 1\nrounds = 3", "rounds is no key here; there are name, seed, format, blocks"),
        ("seats = 2", "seats = 2\nplayers = 2", "game.players is no key here; there are id, seats, options"),
        ('"bob"\n', '"bob"\nelo = 3\n', "bots[2].elo is no key here; there are name, command"),
        ("[clock]", "[limits]\nconcurrency = 0\n[clock]", "limits.concurrency must be at least 1, got 0"),
        ("[clock]", "[limits]\nmemory = '5MB'\n[clock]", "limits.memory: '5MB' is no size; write a number and a unit"),
        ("[clock]", "[faults]\ncost = 'match'\n[clock]", "faults.cost must be one of 'game' or 'block', got 'match'"),
        ("[clock]", "[swiss]\nrounds = 3\n[clock]", "[swiss] has no meaning with format = 'round_robin'; remove it"),
        ("seed = 1", "format = 'sprt'\nblock = 3", "block is no key here"),
        ("[clock]", "[sprt]\nelo0 = 5\nelo1 = 5\n[clock]", "sprt: elo0 must be below elo1, got 5 and 5"),
        ('"bob"\n', '"bob"\nprotocol = "telnet"\n', "bots[2].protocol must be one of 'grpc', 'stdio' or 'remote'"),
        ('"bob"\n', '"bob"\nprotocol = "remote"\n', "bots[2]: a remote bot is started by its owner: leave command out"),
        (
            '"bob"\n',
            '"bob"\ngames = ["ten"]\n',
            "bots: 'bob' plays 'ten', which this tournament does not;",
        ),
        ('command = ["python", "bob.py"]', "", "bots[2]: command is missing; add it, such as"),
        ('name = "bob"', 'name = "ann"', "bots: 2 bots are named 'ann'; give each its own name"),
        ('name = "bob"', 'name = ""', "bots[2].name: '' is no name; write 1 to 64 printable characters"),
        ("seats = 2", "seats = 3", "bots: 2 of them play lie, which cannot fill 3 seats; add [[bots]] or lower seats"),
        ("seats = 2", "seats = 99", "game: lie has "),
        ('id = "lie"', 'id = "poker"', "game: id: there is no game 'poker'; there are "),
        ("joker_ones", "jokers", "game: lie has no option 'jokers'; it has "),
        ("= true }", "= 1 }", "game: option 'joker_ones' takes true or false, got 1"),
        ('move = "2s"', 'move = "2"', "clock.move: '2' is no duration; write a number and a unit"),
        ('move = "2s"', "move = 2", 'clock.move must be a text in quotes, such as "2s", got 2'),
        ("seed = 1", "seed = 1\nstartup = 30", 'startup must be a text in quotes, such as "30s", got 30'),
        ("seats = 2", "seats = 1", "game: seats: a rating needs opponents; set at least 2"),
        ('move = "2s"', 'game = "60s+x"', "clock.game: 'x' is no duration"),
        ('move = "2s"', "", "clock: names no limit; set move = '2s'"),
        ('["python", "bob.py"]', "[]", "bots[2].command is empty; name at least one"),
        ('["python", "bob.py"]', '"python bob.py"', 'bots[2].command must be a list, such as ["python", "bot.py"]'),
        ("[clock]\n", "", "game.move is no key here"),
    ],
)
def test_what_is_wrong_is_said(refusal: Callable[[str], str], old: str, new: str, sentence: str) -> None:
    assert GOOD.count(old) == 1 or old == '"bob"\n'
    assert sentence in refusal(GOOD.replace(old, new))


def test_everything_that_is_wrong_is_said_at_once(refusal: Callable[[str], str]) -> None:
    said = refusal(GOOD.replace("blocks = 2", "blocks = 0").replace('name = "demo"', ""))

    assert len(said.splitlines()) == 2


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("blocks = 2", "blocks = 0", 4),
        ("seats = 2", "seats = 2\nplayers = 2", 8),
        ("[clock]", "[clocks]", 9),
        ('name = "bob"', 'name = ""', 15),
        ('command = ["python", "bob.py"]', "command = 5", 16),
    ],
)
def test_the_line_is_named(refusal: Callable[[str], str], old: str, new: str, line: int) -> None:
    """Whoever has a long file finds the place at once."""
    assert f"cup.toml, line {line}: " in refusal(GOOD.replace(old, new))


def test_the_schema_knows_every_key() -> None:
    """For editors: what the file may hold, with its meaning where a section has one."""
    known = schema()
    assert known["properties"].keys() == Tournament.model_fields.keys()
    assert known["properties"]["format"]["enum"] == ["round_robin", "gauntlet", "swiss", "knockout", "sprt"]


def test_every_wrong_option_is_named(refusal: Callable[[str], str]) -> None:
    options = 'joker_ones = 1, bid_order = "up", jokers = true'
    said = refusal(GOOD.replace("joker_ones = true", options).replace("seats = 2", "seats = 99"))

    assert len(said.splitlines()) == 4
    for word in ("seats, got 99", "'joker_ones' takes", "'bid_order' takes", "no option 'jokers'"):
        assert word in said


def test_bad_toml_shows_the_line(refusal: Callable[[str], str]) -> None:
    said = refusal('name = "demo"\nseed = = 1\n')

    assert "is not TOML" in said
    assert "2 | seed = = 1" in said


def test_toml_that_stops_short_is_refused(refusal: Callable[[str], str]) -> None:
    assert "is not TOML" in refusal('name = "demo')


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"cannot read .*nothing\.toml: No such file"):
        load(tmp_path / "nothing.toml")


@pytest.mark.parametrize(
    ("text", "ms"), [("500ms", 500), ("2s", 2000), ("1.5s", 1500), ("1m", 60_000), ("1h", 3_600_000)]
)
def test_durations(text: str, ms: int) -> None:
    assert duration_ms(text) == ms


@pytest.mark.parametrize("text", ["", "s", "2", "-2s", "2 s", "0s", "25h", "1e3s", "2S", "0.1ms"])
def test_what_is_no_duration(text: str) -> None:
    with pytest.raises(ValueError, match="write a"):
        duration_ms(text)


def test_game_clocks() -> None:
    assert game_clock_ms("60s") == (60_000, 0)
    assert game_clock_ms("60s+500ms") == (60_000, 500)
