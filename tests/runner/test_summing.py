"""From results to the summary: what is shown follows from the journal alone."""

import io
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

from croupier_runner.config import parse
from croupier_runner.errors import ConfigError
from croupier_runner.events import Event, Job
from croupier_runner.folder import Opened, begin, reopen
from croupier_runner.journal import JournaledFault
from croupier_runner.results import THINK_BOUNDS_MS, GameResult
from croupier_runner.scoreboard import standings_table
from croupier_runner.summary import Summary
from croupier_runner.summing import summarize, timeless
from croupier_runner.web import json_text

BOTS = "\n".join(f'[[bots]]\nname = "{name}"\ncommand = ["x"]' for name in ("ann", "bob", "cid"))
LIE = '[game]\nid = "lie"\nseats = 2\n'
TEN = '[[game]]\nid = "lie"\nseats = 2\n[[game]]\nid = "ten"\nseats = 3\nblocks = 4\n'


Played = Callable[..., Opened]


@pytest.fixture
def played(tmp_path: Path) -> Played:
    """A tournament whose games were made up: ann wins most, cid is late once in its first game."""

    def play(game: str = LIE, top: str = "", share: float = 1.0, order: int = 0) -> Opened:
        file = tmp_path / "cup.toml"
        file.write_text(f'name = "cup"\nseed = 1\nblocks = 10\n{top}\n{game}\n{BOTS}')
        opened = begin(file, tmp_path / f"results-{order}", fresh=True)
        for number in range(len(opened.tournament.game)):
            jobs: list[Job] = []
            event = Event(number, opened.tournament, opened.journal.about("key"), {}, lambda _: None)
            while (job := event.next()) is not None:
                event.take(job, _result(job))
                jobs.append(job)
            random.Random(order).shuffle(jobs)
            for job in jobs[: int(len(jobs) * share)]:
                result = _result(job)
                opened.journal.add(job.key, result, b"record")
                if "timeout" in result.faults:
                    seat = result.faults.index("timeout")
                    opened.journal.add_fault(JournaledFault(job.key, seat, "timeout", "too slow", "zzz"))
        opened.journal.commit()
        return opened

    return play


def _result(job: Job) -> GameResult:
    chance = random.Random(job.block.seed + bytes([job.game]))
    rank = {"ann": 0.0, "bob": 0.6, "cid": 0.8}
    luck = [rank[bot] + chance.random() for bot in job.lineup]
    places = tuple(1 + sum(other < own for other in luck) for own in luck)
    late = tuple("timeout" if bot == "cid" and job.block.index == 1 and job.game == 0 else "" for bot in job.lineup)
    thinking = tuple(tuple(3 if place == 2 else 0 for place in range(len(THINK_BOUNDS_MS) + 1)) for _ in job.lineup)
    points = tuple(10 * place for place in places)
    return GameResult(places, points, late, 7, (5,) * len(places), thinking, "session")


def rows(summary: Summary, event: int = 0) -> dict[str, object]:
    return {row.bot: row for row in summary.events[event].rows}


def test_everything_follows_from_the_journal(played: Played) -> None:
    opened = played()
    summary = summarize(opened.tournament, opened.journal)
    event = summary.events[0]
    best = event.rows[0]
    assert summary.complete
    assert summary.seed_revealed == opened.journal.about("key").hex()
    assert (event.blocks, event.games) == (30, 60)
    assert (best.bot, best.place, best.games, best.blocks) == ("ann", 1, 40, 20)
    assert best.elo.low < best.elo.value < best.elo.high
    assert sum(row.p_first or 0 for row in event.rows) == pytest.approx(1, abs=0.01)
    assert sum(map(sum, best.places_by_seat)) == 40
    assert best.mean_points == pytest.approx(10 * (best.mean_place or 0))
    assert (best.decisions, best.think_ms_p50, best.think_ms_mean) == (120, 1.0, pytest.approx(200 / 120))
    assert {duel.one for duel in event.duels} == {"ann", "bob", "cid"}
    assert all(duel.games == 20 for duel in event.duels)
    (fault,) = event.faults
    assert (fault.bot, fault.cause, fault.stage, fault.last_words) == ("cid", "timeout", "block 2, game 1", "zzz")
    assert next(row for row in event.rows if row.bot == "cid").faults == {"timeout": 1}
    assert event.luck.sentence
    assert len(event.history) == 30


def test_the_order_in_which_games_ended_changes_no_byte(played: Played) -> None:
    texts = set()
    for order in range(3):
        opened = played(order=order)
        texts.add(json_text(timeless(summarize(opened.tournament, opened.journal))))
    assert len(texts) == 1


def test_what_the_clock_measured_is_not_in_the_standings_file(played: Played) -> None:
    opened = played()
    shown = timeless(summarize(opened.tournament, opened.journal)).events[0].rows[0]
    assert (shown.think_ms_mean, shown.think_ms_p99, shown.think_histogram) == (None, None, ())


def test_a_tournament_that_is_not_over_keeps_its_key_and_counts_complete_blocks_only(played: Played) -> None:
    opened = played(share=0.5)
    summary = summarize(opened.tournament, opened.journal)
    assert not summary.complete
    assert summary.seed_revealed == ""
    assert 0 <= summary.events[0].blocks < 30


def test_several_games_give_a_table_each_and_an_overall_one(played: Played) -> None:
    opened = played(game=TEN)
    summary = summarize(opened.tournament, opened.journal)
    assert [event.game_id for event in summary.events] == ["lie", "ten"]
    assert summary.events[1].games == 4 * 6
    first = summary.overall[0]
    assert first.bot == "ann"
    assert first.elo == pytest.approx(sum(elo for elo in first.by_event if elo is not None) / 2, abs=0.01)


def test_a_format_that_ranks_by_itself_is_shown_by_its_own_ranking(played: Played) -> None:
    opened = played(top='format = "knockout"')
    event = summarize(opened.tournament, opened.journal).events[0]
    assert [row.place for row in event.rows] == [1, 2, 3]


def test_a_sequential_test_says_what_it_decided(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    bots = BOTS.split("[[bots]]")
    two = "[[bots]]".join(bots[:3])
    head = 'name = "cup"\nseed = 1\nblocks = 400\nformat = "sprt"'
    file.write_text(f"{head}\n{LIE}\n[sprt]\nelo0 = 0\nelo1 = 100\n{two}")
    opened = begin(file, tmp_path / "r", fresh=True)
    event = Event(0, opened.tournament, opened.journal.about("key"), {}, lambda _: None)
    while (job := event.next()) is not None:
        opened.journal.add(job.key, _result(job), b"")
        event.take(job, _result(job))
    shown = summarize(opened.tournament, opened.journal)
    test = shown.events[0].sequential
    assert shown.complete
    assert test is not None
    assert test.decision == "H1"
    assert test.blocks == shown.events[0].blocks < 400
    assert "H1 accepted: that ann is 100 Elo better than bob fits better than 0" in test.sentence


def test_a_folder_is_found_by_its_file_and_refuses_a_changed_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = Path("cup.toml")
    file.write_text(f'name = "cup"\nblocks = 1\n{LIE}\n{BOTS}')
    begin(file, None, fresh=False).close()
    reopened = reopen(file)
    assert reopened.path == Path("cup.results")
    assert reopened.tournament == parse(file.read_text(), file)
    assert len(reopened.journal.about("key")) == 32
    file.write_text(file.read_text().replace("blocks = 1", "blocks = 2"))
    with pytest.raises(Exception, match=r"cup\.toml has changed since the tournament in cup\.results began"):
        reopen(file)
    reopened.close()
    with begin(file, None, fresh=False) as again:
        assert again.tournament.blocks == 2, "with no game played there is nothing to lose"
        job = Event(0, again.tournament, again.journal.about("key"), {}, lambda _: None).next()
        assert job is not None
        again.journal.add(job.key, _result(job), b"")
    with pytest.raises(Exception, match="holds a tournament already: go on with it by croupier resume"):
        begin(file, None, fresh=False)
    with begin(file, None, fresh=True) as afresh:
        assert list(afresh.journal.all_keys()) == []


def test_without_a_seed_every_tournament_has_deals_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(f'name = "cup"\nblocks = 1\n{LIE}\n{BOTS}')
    keys = {begin(file, tmp_path / str(number), fresh=False).journal.about("key") for number in range(3)}
    assert len(keys) == 3


def test_a_tournament_is_played_by_one_at_a_time(tmp_path: Path) -> None:
    """Whoever comes second is told so, and neither resumes nor begins afresh; looking at it is allowed."""
    file = tmp_path / "cup.toml"
    file.write_text(f'name = "cup"\nblocks = 1\n{LIE}\n{BOTS}')
    playing = begin(file, tmp_path / "r", fresh=False)
    for second in (lambda: begin(file, tmp_path / "r", fresh=True), lambda: reopen(tmp_path / "r", to_play=True)):
        with pytest.raises(ConfigError, match="is being played by another croupier"):
            second()
    assert summarize(reopen(tmp_path / "r").tournament, playing.journal).name == "cup"
    playing.close()
    reopen(tmp_path / "r", to_play=True).close()


@pytest.mark.parametrize(
    ("top", "wanted"),
    [
        ('format = "swiss"\n[swiss]\nrounds = 2', r"\d\.\d{3}"),
        ('format = "knockout"', r"won the final|lost the final|out in round 1"),
    ],
)
def test_what_a_format_ranks_by_is_shown(played: Played, top: str, wanted: str) -> None:
    """Its places do not follow from the ratings beside them, so they need their reason."""
    opened = played(top=top)
    event = summarize(opened.tournament, opened.journal).events[0]
    assert all(re.fullmatch(wanted, row.achieved) for row in event.rows)
    console = Console(width=200, record=True, file=io.StringIO())
    console.print(standings_table(event))
    assert event.rows[0].achieved in console.export_text()


def test_games_that_have_not_begun_are_not_in_the_overall_table(played: Played) -> None:
    """A rating of 1500 for want of games would pull everybody to the middle."""
    opened = played(TEN, share=0.0)
    assert summarize(opened.tournament, opened.journal).overall == ()
    opened = played(TEN, order=1)
    opened.journal._connection.execute("DELETE FROM games WHERE event = 1")
    summary = summarize(opened.tournament, opened.journal)
    for row in summary.overall:
        assert row.by_event[1] is None
        assert row.elo == row.by_event[0]


def test_a_bot_that_met_nobody_has_no_chance_to_name(played: Played) -> None:
    opened = played(share=0.0)
    assert {row.p_first for row in summarize(opened.tournament, opened.journal).events[0].rows} == {None}


def test_a_test_that_ended_because_a_bot_is_out_says_so(tmp_path: Path) -> None:
    """It is undecided, however the blocks that did not count would have looked."""
    bots = "\n".join(f'[[bots]]\nname = "{name}"\ncommand = ["x"]' for name in ("ann", "bob"))
    file = tmp_path / "cup.toml"
    file.write_text(f'name = "t"\nformat = "sprt"\nblocks = 50\n{LIE}[faults]\neliminate_after = 1\n{bots}')
    opened = begin(file, tmp_path / "results", fresh=True)
    event = Event(0, opened.tournament, opened.journal.about("key"), {}, lambda _: None)
    while (job := event.next()) is not None:
        result = GameResult((1, 2), (None, None), ("", "crash"), 5, (0, 0))
        opened.journal.add(job.key, result, b"record")
        event.take(job, result)
    summary = summarize(opened.tournament, opened.journal)
    test = summary.events[0].sequential
    assert test is not None
    assert summary.complete
    assert test.decision == "running"
    assert "ended undecided: ann and bob had too many faults to go on" in test.sentence
