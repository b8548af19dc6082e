"""From the journal to the summary: what the results say, and how sure one can be of it."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from importlib.metadata import version
from itertools import accumulate, permutations

from croupier_games import installed_games
from croupier_runner.config import GameSection, Tournament
from croupier_runner.events import Event as Played
from croupier_runner.events import described, sequential_test
from croupier_runner.journal import Journal, JournaledFault
from croupier_runner.ratings import Chances, Fit, chances, duel_scores, fit, luck
from croupier_runner.results import THINK_BOUNDS_MS, BlockResult
from croupier_runner.standings import Standings, Tally
from croupier_runner.summary import (
    Duel,
    Event,
    Fault,
    Interval,
    LuckShown,
    OverallRow,
    Pace,
    Row,
    Sequential,
    Summary,
)
from croupier_runner.tournament import counted_blocks

_HISTORY = 200
"""The most points that the course of the ratings is shown with."""
_DIGITS = 6
"""More would show the last bits of a float, which may differ between machines."""


def summarize(tournament: Tournament, journal: Journal) -> Summary:
    """What the tournament has come to, as far as the journal knows."""
    played = [counted_blocks(tournament, journal, number) for number in range(len(tournament.game))]
    events = tuple(_event(tournament, event, results, journal.faults(event.number)) for event, results in played)
    complete = all(event.over for event, _ in played)
    return Summary(
        name=tournament.name,
        complete=complete,
        events=events,
        overall=_overall(tournament, events) if len(events) > 1 else (),
        clock=str(tournament.clock.clock),
        sandbox=tournament.limits.sandbox,
        seed_revealed=journal.about("key").hex() if complete else "",
        versions={"croupier": version("croupier"), **_game_versions(tournament.game)},
    )


def pace(journal: Journal) -> Pace:
    """How fast it went, all runs together."""
    return Pace(*journal.pace())


def timeless(summary: Summary) -> Summary:
    """The summary without what the clock measured: the same results give the same bytes."""
    nothing = {"think_ms_mean": None, "think_ms_p50": None, "think_ms_p99": None, "think_histogram": ()}
    events = tuple(
        replace(event, rows=tuple(replace(row, **nothing) for row in event.rows))  # type: ignore[arg-type]
        for event in summary.events
    )
    return replace(summary, events=events)


def _game_versions(sections: Iterable[GameSection]) -> dict[str, str]:
    games = installed_games()
    return {section.id: str(games[section.id].version) for section in sections}


def _event(tournament: Tournament, event: Played, results: list[BlockResult], faults: list[JournaledFault]) -> Event:
    section = event.section
    standings, history = _course(event.bots, results)
    fitted = fit(event.bots, results)
    odds = chances(fitted, seed=0)
    out = event.rules.eliminated
    order = event.scheduler.ranking or tuple(sorted(fitted.ratings, key=lambda bot: bot in out))
    worth = luck(results)
    return Event(
        game_id=section.id,
        title=installed_games()[section.id].title,
        seats=section.seats,
        options=dict(section.settings),
        format=tournament.format,
        description=described(tournament, section),
        blocks=standings.blocks,
        games=standings.games,
        rows=tuple(
            _row(place, bot, event, standings, fitted, odds, results) for place, bot in _placed(order, fitted, event)
        ),
        seat_effects=tuple(_around(effect.elo, effect.margin) for effect in fitted.seat_effects),
        duels=_duels(event.bots, results, odds),
        faults=_faults(results, faults),
        luck=LuckShown(_rounded(worth.ratio), worth.saved, worth.statement),
        sequential=_sequential(tournament, event, results),
        history=tuple(tuple(round(point[bot], 1) for bot in order) for point in history),
    )


def _placed(order: Sequence[str], fitted: Fit, event: Played) -> list[tuple[int, str]]:
    """The bots by place: as the format ranks them, else by rating, those who are out last; equals share a place."""
    if event.scheduler.ranking:
        return list(enumerate(order, 1))
    out = event.rules.eliminated
    ranks = {bot: (bot in out, -round(rating.elo, _DIGITS)) for bot, rating in fitted.ratings.items()}
    return [(1 + sum(other < ranks[bot] for other in ranks.values()), bot) for bot in order]


def _course(bots: Sequence[str], results: Sequence[BlockResult]) -> tuple[Standings, list[dict[str, float]]]:
    """The standings after all blocks, and online Elo as it went."""
    standings, history = Standings(bots), []
    stride = max(1, -(-len(results) // _HISTORY))
    for number, result in enumerate(results, 1):
        standings.count(result)
        if number % stride == 0 or number == len(results):
            history.append(standings.elo)
    return standings, history


def _row(
    place: int,
    bot: str,
    event: Played,
    standings: Standings,
    fitted: Fit,
    odds: Chances,
    results: Sequence[BlockResult],
) -> Row:
    tally: Tally = standings.tallies[bot]
    rating = fitted.ratings[bot]
    by_seat, histogram, think_ms = _seats_and_thinking(bot, event.section.seats, results)
    decisions = sum(histogram)
    return Row(
        place=place,
        bot=bot,
        elo=_around(rating.elo, rating.margin or 0.0),
        online_elo=round(standings.elo[bot], 2),
        p_first=_rounded(odds.first[bot], 4),
        blocks=tally.blocks,
        games=tally.games,
        wins=tally.wins,
        shared=tally.shared,
        mean_place=_rounded(tally.mean_place),
        mean_points=_rounded(tally.mean_points),
        places_by_seat=by_seat,
        faults=dict(sorted(tally.faults.items())),
        decisions=decisions,
        think_ms_mean=think_ms / decisions if decisions else None,
        think_ms_p50=_quantile(histogram, 0.5),
        think_ms_p99=_quantile(histogram, 0.99),
        think_histogram=histogram,
        eliminated=bot in event.rules.eliminated,
        achieved=event.scheduler.achieved.get(bot, ""),
        note=_note(bot, fitted),
    )


def _note(bot: str, fitted: Fit) -> str:
    rating = fitted.ratings[bot]
    if rating.margin is None:
        return "met nobody yet: the rating is where all begin"
    if not fitted.connected:
        return "not all bots met, directly or through others: ratings of different groups cannot be compared"
    if rating.one_sided:
        return "won everything or nothing: how far it is from the rest cannot be told from these games"
    return ""


def _seats_and_thinking(
    bot: str, seats: int, results: Sequence[BlockResult]
) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...], int]:
    """How often the bot came in at each place from each seat; its decisions by how long they took; all of that time."""
    by_seat = [[0] * seats for _ in range(seats)]
    histogram = [0] * (len(THINK_BOUNDS_MS) + 1)
    think_ms = 0
    for result in results:
        if bot not in result.block.table:
            continue
        for lineup, game in zip(result.block.lineups, result.games, strict=True):
            seat = lineup.index(bot)
            by_seat[seat][game.places[seat] - 1] += 1
            think_ms += game.think_ms[seat]
            for bucket, count in enumerate(game.thinking[seat] if game.thinking else ()):
                histogram[bucket] += count
    return tuple(map(tuple, by_seat)), tuple(histogram), think_ms


def _quantile(histogram: Sequence[int], share: float) -> float | None:
    """The bound below which that share of the decisions lies; the longest bound if it lies beyond."""
    if not sum(histogram):
        return None
    wanted = share * sum(histogram)
    reached = next(place for place, count in enumerate(accumulate(histogram)) if count >= wanted)
    return THINK_BOUNDS_MS[min(reached, len(THINK_BOUNDS_MS) - 1)]


def _duels(bots: Sequence[str], results: Sequence[BlockResult], odds: Chances) -> tuple[Duel, ...]:
    wins: Counter[tuple[str, str]] = Counter()
    ties: Counter[tuple[str, str]] = Counter()
    for result in results:
        for lineup, game in zip(result.block.lineups, result.games, strict=True):
            for (one, place), (other, behind) in permutations(zip(lineup, game.places, strict=True), 2):
                wins[one, other] += place < behind
                ties[one, other] += place == behind
    return tuple(
        Duel(
            one,
            other,
            wins[one, other] + wins[other, one] + ties[one, other],
            wins[one, other],
            ties[one, other],
            _superiority(odds, one, other),
        )
        for one, other in permutations(bots, 2)
        if wins[one, other] + wins[other, one] + ties[one, other]
    )


def _superiority(odds: Chances, one: str, other: str) -> float:
    share = odds.better[one, other]
    if share is None:
        raise ValueError(f"{one} and {other} met, so their ratings must be comparable")
    return round(share, 4)


def _faults(results: Sequence[BlockResult], journaled: Sequence[JournaledFault]) -> tuple[Fault, ...]:
    blocks = {result.block.index: result.block for result in results}
    return tuple(
        Fault(
            bot=blocks[fault.key.block].lineups[fault.key.game][fault.seat],
            cause=fault.cause,
            stage=_stage(blocks[fault.key.block].stage, fault),
            detail=fault.detail,
            last_words=fault.last_words,
            replay=str(fault.key),
        )
        for fault in journaled
        if fault.key.block in blocks
    )


def _stage(stage: str, fault: JournaledFault) -> str:
    place = f"block {fault.key.block + 1}, game {fault.key.game + 1}"
    return f"{stage}, {place}" if stage else place


def _sequential(tournament: Tournament, event: Played, results: Sequence[BlockResult]) -> Sequential | None:
    if tournament.format != "sprt":
        return None
    test = sequential_test(tournament)
    one, other = event.bots
    verdict = test.after(duel_scores(results, one, other))
    out = sorted(event.rules.eliminated)
    meaning = {
        "H1": f"H1 accepted: that {one} is {test.elo1:g} Elo better than {other} fits better than {test.elo0:g}",
        "H0": f"H0 accepted: that {one} is {test.elo0:g} Elo better than {other} fits better than {test.elo1:g}",
        "running": "undecided: the games so far do not tell",
    }[verdict.decision]
    if out and verdict.decision == "running":
        meaning = f"ended undecided: {' and '.join(out)} had too many faults to go on"
    sentence = f"{meaning} (alpha {test.alpha:g}, beta {test.beta:g}, {verdict.blocks} blocks)"
    if verdict.decision != "running":
        sentence += "; a test stops where the results look clearest, so the ratings beside it overstate the difference"
    return Sequential(
        round(verdict.llr, _DIGITS), verdict.lower, verdict.upper, verdict.decision, verdict.blocks, sentence
    )


def _overall(tournament: Tournament, events: Sequence[Event]) -> tuple[OverallRow, ...]:
    """Every bot that plays all games, by the mean of its ratings: means over different games cannot be compared.

    Games of which nothing has been played yet are left out."""
    ratings = [{row.bot: row.elo.value if event.games else None for row in event.rows} for event in events]
    everywhere = [bot.name for bot in tournament.bots if all(bot.name in rating for rating in ratings)]
    known = {bot: [elo for rating in ratings if (elo := rating[bot]) is not None] for bot in everywhere}
    means = {bot: round(sum(elos) / len(elos), 2) for bot, elos in known.items() if elos}
    ranked = sorted(means, key=lambda bot: (-means[bot], bot))
    return tuple(
        OverallRow(
            1 + sum(other > means[bot] for other in means.values()),
            bot,
            means[bot],
            tuple(rating[bot] for rating in ratings),
        )
        for bot in ranked
    )


def _around(value: float, margin: float) -> Interval:
    return Interval(round(value, 2), round(value - margin, 2), round(value + margin, 2))


def _rounded(value: float | None, digits: int = _DIGITS) -> float | None:
    return None if value is None else round(value, digits)
