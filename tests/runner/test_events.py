"""Events ask only for games that are missing, and count blocks in schedule order, however they were interrupted."""

import random
from hashlib import sha256
from pathlib import Path

import pytest

from croupier_runner.config import Tournament, parse
from croupier_runner.events import Event, Job
from croupier_runner.results import BlockResult, GameResult

KEY = bytes(range(32))
FORMATS = {
    "round_robin": "",
    "gauntlet": '[gauntlet]\nbots = ["b"]',
    "swiss": "[swiss]\nrounds = 3",
    "knockout": "[knockout]\nadvance = 1",
    "sprt": "[sprt]\nelo0 = 0\nelo1 = 200",
}


def tournament(format_: str, *, seats: int = 2, faults: str = "") -> Tournament:
    bots = "ab" if format_ == "sprt" else "abcdef"
    sections = "\n".join(f'[[bots]]\nname = "{name}"\ncommand = ["x"]' for name in bots)
    blocks = 60 if format_ == "sprt" else 2
    head = f'name = "t"\nformat = "{format_}"\nblocks = {blocks}\n[game]\nid = "lie"\nseats = {seats}'
    return parse(f"{head}\n{faults}\n{FORMATS[format_]}\n{sections}", Path("t.toml"))


def played(job: Job) -> GameResult:
    """The same game always ends the same way; early letters play better, and "c" crashes now and then."""
    seed = sha256(job.block.seed + str(job.game).encode()).digest()
    chance = random.Random(seed)
    strengths = [ord(bot) + chance.uniform(0, 6) for bot in job.lineup]
    places = tuple(1 + sum(other < own for other in strengths) for own in strengths)
    faults = tuple("crash" if bot == "c" and chance.random() < 0.3 else "" for bot in job.lineup)
    return GameResult(places, (None,) * len(places), faults, 5, (0,) * len(places))


def play_out(cup: Tournament, chance: random.Random, stops: int) -> tuple[list[BlockResult], tuple[str, ...]]:
    """Plays it with several games at once that end in any order, interrupted so many times; what counted at the end."""
    known: dict[int, dict[int, GameResult]] = {}
    while True:
        counted: list[BlockResult] = []
        event = Event(0, cup, KEY, known, counted.append)
        under_way: list[Job] = []
        stop_after = chance.randrange(1, 60) if stops else 10**9
        stops -= 1
        while not event.over and stop_after:
            while len(under_way) < 5 and (job := event.next()) is not None:
                under_way.append(job)
            if not under_way:
                break
            job = under_way.pop(chance.randrange(len(under_way)))
            result = played(job)
            known.setdefault(job.block.index, {})[job.game] = result
            event.take(job, result)
            stop_after -= 1
        if event.over:
            return counted, event.scheduler.ranking


@pytest.mark.parametrize("faults", ["", "[faults]\ncost = 'block'", "[faults]\neliminate_after = 2"])
@pytest.mark.parametrize(("format_", "seats"), [*((name, 2) for name in FORMATS), ("round_robin", 3), ("swiss", 4)])
def test_whatever_is_interrupted_and_ends_first_the_same_blocks_count(format_: str, seats: int, faults: str) -> None:
    """The promise behind `resume`: order of completion and interruptions change nothing."""
    cup = tournament(format_, seats=seats, faults=faults)
    straight = play_out(cup, random.Random(0), stops=0)
    for seed in range(1, 6):
        assert play_out(cup, random.Random(seed), stops=seed) == straight
    assert straight[0]


def test_only_missing_games_are_asked_for() -> None:
    cup = tournament("round_robin")
    first = Event(0, cup, KEY, {}, lambda _: None)
    jobs = [first.next() for _ in range(3)]
    known = {0: {0: played(jobs[0])}}  # type: ignore[arg-type]
    again = Event(0, cup, KEY, known, lambda _: None)
    asked = again.next()
    assert asked is not None
    assert asked.key == (0, 0, 1)


def test_games_of_a_block_share_the_deal_and_not_the_salt() -> None:
    event = Event(0, tournament("round_robin"), KEY, {}, lambda _: None)
    one, other = event.next(), event.next()
    assert one is not None
    assert other is not None
    assert one.block.seed == other.block.seed
    assert one.salt != other.salt
    assert len(one.salt) == 32


def test_a_bot_that_is_out_plays_no_more() -> None:
    """Two faults eliminate "c": from then on no game with it is asked for."""
    event = Event(0, tournament("round_robin", faults="[faults]\neliminate_after = 1"), KEY, {}, lambda _: None)
    tables = []
    while (job := event.next()) is not None:
        tables.append((job.lineup, event.rules.eliminated.copy()))
        event.take(job, played(job))
    assert event.rules.eliminated == {"c"}
    assert not [lineup for lineup, out in tables if out & set(lineup)]


def test_a_test_of_two_bots_ends_when_one_of_them_is_out() -> None:
    """What it would have come to nobody knows: blocks that count for nobody must not decide it."""
    cup = tournament("sprt", faults="[faults]\neliminate_after = 1")
    counted: list[BlockResult] = []
    event = Event(0, cup, KEY, {}, counted.append)
    while (job := event.next()) is not None:
        faulty = job.block.index == 3 and job.game == 0
        event.take(job, GameResult((1, 1), (None, None), ("crash" if faulty else "", ""), 5, (0, 0)))
    assert event.over
    assert not event.scheduler.over
    assert len(counted) == event.total_blocks == 4


def test_of_an_event_that_is_over_no_game_is_handed_out() -> None:
    """Games that were ready when a sequential test was decided are not begun."""
    cup = tournament("sprt", faults="[faults]\neliminate_after = 1")
    event = Event(0, cup, KEY, {}, lambda _: None)
    jobs = [job for _ in range(3) if (job := event.next()) is not None]
    for job in jobs[:2]:
        event.take(job, GameResult((1, 2), (None, None), ("", "crash"), 5, (0, 0)))
    assert event.over
    assert event.next() is None
