"""Checks of how a game ends: in time, and with places that make sense."""

from __future__ import annotations

from itertools import combinations

from croupier_games.conformance.play import Broken, Play, always_first, always_last, require, require_equal
from croupier_games.game import SeatResult


def play_ends_in_time(play: Play) -> None:
    """A play ends within the declared maximum of actions, also when everybody is stubborn."""
    for stubborn in (play, Play(play.case, always_first), Play(play.case, always_last)):
        for _ in stubborn.steps():
            play.step = stubborn.step
        require(stubborn.state.outcome is not None, "nobody must decide, yet there is no outcome")


def places_are_consistent(play: Play) -> None:
    """Every seat has a place; shared places skip the next ones; places follow points, then tie-breaks."""
    for _ in play.steps():
        pass
    outcome = play.state.outcome
    if outcome is None:
        raise Broken("nobody must decide, yet there is no outcome")
    require(outcome.reason, "the outcome has no reason")
    require_equal(len(outcome.results), play.state.seats, "the number of results")
    places = [result.place for result in outcome.results]
    if places != [2]:  # a lone seat, beaten by the game itself
        require_equal(places, [1 + sum(other < own for other in places) for own in places], "the places")
    scored = [result.points is not None for result in outcome.results]
    require(all(scored) or not any(scored), "some seats have points and some have none")
    if all(scored):
        for (seat, one), (other, two) in combinations(enumerate(outcome.results), 2):
            _require_order(one, two, f"seats {seat} and {other}")


def _require_order(one: SeatResult, two: SeatResult, who: str) -> None:
    """More points are better; among equals the first tie-break that differs decides, and more is better."""
    ahead = (one.points or 0) - (two.points or 0)
    if ahead == 0:
        names = [[name for name, _ in result.tie_breaks] for result in (one, two)]
        require_equal(names[0], names[1], f"the tie-breaks of {who}, who have equal points")
        figures = [tuple(value for _, value in result.tie_breaks) for result in (one, two)]
        ahead = (figures[0] > figures[1]) - (figures[0] < figures[1])
    placed = two.place - one.place
    agree = (ahead > 0) == (placed > 0) and (ahead < 0) == (placed < 0)
    require(agree, f"{who} are placed {one.place} and {two.place}, with {one} and {two}")


CHECKS = (play_ends_in_time, places_are_consistent)
