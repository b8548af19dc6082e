"""`croupier init`: what it writes is a tournament that is played at once, and a bot that beats chance."""

from pathlib import Path

import pytest

from croupier.v1 import records_pb2
from croupier_games import GAMES
from croupier_runner.config import load
from croupier_runner.errors import ConfigError, RunnerError
from croupier_runner.folder import begin
from croupier_runner.journal import Journal, Key
from croupier_runner.logs import Logs
from croupier_runner.starting import BOT, CUP, first_bot, write_start
from croupier_runner.tournament import Run, play
from croupier_runner.verifying import verify_journal


class Silent:
    """An audience that wants to hear of nothing but trouble."""

    def begin(self, run: object) -> None: ...

    def game_over(self, run: object, played: object) -> None: ...

    def trouble(self, sentence: str) -> None:
        raise AssertionError(sentence)


def fewer_blocks(cup: Path) -> None:
    text = cup.read_text()
    assert "blocks = 20 " in text
    cup.write_text(text.replace("blocks = 20 ", "seed = 1\nblocks = 3 "))


def lineup(journal: Journal, key: Key) -> list[str]:
    record = records_pb2.Record.FromString(journal.record(key))
    return [seat.name for seat in record.session.seats]


@pytest.mark.parametrize("game_id", GAMES)
async def test_what_is_written_is_played_at_once_and_beats_chance(game_id: str, tmp_path: Path) -> None:
    assert write_start(tmp_path / "new", game_id, "my cup") == [tmp_path / "new" / CUP, tmp_path / "new" / BOT]
    tournament = load(tmp_path / "new" / CUP)
    assert tournament.name == "my cup"
    assert [game.id for game in tournament.game] == [game_id]
    fewer_blocks(tmp_path / "new" / CUP)
    opened = begin(tmp_path / "new" / CUP, tmp_path / "results", fresh=False)
    with opened.journal as journal:
        run = Run(opened.tournament, journal)
        await play(run, opened.home, Logs(), Silent())
        results = [(lineup(journal, key), result) for key, result in journal.games(0)]
        assert verify_journal(journal, opened.tournament).findings == ()
    assert not any("".join(result.faults) for _, result in results)
    against_chance = [
        dict(zip(names, result.places, strict=True)) for names, result in results if set(names) == {"mine", "random"}
    ]
    assert len(against_chance) == 6
    assert sum(places["mine"] < places["random"] for places in against_chance) >= 4


def test_a_game_that_has_no_bot_of_its_own_gets_one_that_plays_any_game() -> None:
    assert "any of its legal actions" in first_bot("some_game_from_elsewhere")


@pytest.mark.parametrize("there", [CUP, BOT])
def test_nothing_is_overwritten_nor_written_beside_what_is_there(there: str, tmp_path: Path) -> None:
    (tmp_path / there).write_text("mine")
    with pytest.raises(ConfigError, match=f"{there} is there already and stays as it is"):
        write_start(tmp_path, "lie", "my cup")
    assert [path.name for path in tmp_path.iterdir()] == [there]
    assert (tmp_path / there).read_text() == "mine"


def test_a_name_with_quotes_is_written_so_that_it_is_read_back(tmp_path: Path) -> None:
    write_start(tmp_path, "lie", 'the "big" cup \\o/')
    assert load(tmp_path / CUP).name == 'the "big" cup \\o/'


def test_what_cannot_be_is_said_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is no game 'whist'; there are"):
        write_start(tmp_path / "new", "whist", "my cup")
    with pytest.raises(ConfigError, match="is no name"):
        write_start(tmp_path / "new", "lie", "")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "file").write_text("")
    with pytest.raises(RunnerError, match=r"cannot write to .*; name another folder"):
        write_start(tmp_path / "file" / "new", "lie", "my cup")
