"""The suite itself: every check by name, and how to run one."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from croupier_games.conformance import catalogue, copies, ending, hidden, leaks, shown, turns
from croupier_games.conformance.case import Case
from croupier_games.conformance.play import Broken, Play

Check = Callable[[Play], None]
"""Walks along a fresh play and raises Broken; its docstring states the promise."""

CHECKS: Mapping[str, Check] = {
    check.__name__: check for room in (catalogue, turns, copies, ending, shown, hidden, leaks) for check in room.CHECKS
}


class ConformanceError(AssertionError):
    """A game breaks a promise: which one, in which case, and at which step."""

    def __init__(self, check: Check, case: Case, step: int, problem: str) -> None:
        self.check = check.__name__
        self.promise = (check.__doc__ or "").strip()
        self.case = case
        self.step = step
        self.problem = problem
        super().__init__(f"{self.check}: {problem}\n  promise: {self.promise}\n  case: {case}\n  step: {step}")


def run(check: Check, case: Case) -> int:
    """Puts one case through one check and returns how many steps the play took, or raises ConformanceError."""
    play: Play | None = None
    try:
        play = Play(case)
        check(play)
    except Broken as broken:
        raise ConformanceError(check, case, play.step if play else 0, str(broken)) from None
    except Exception as error:
        problem = f"the game raised {type(error).__name__}: {error}"
        raise ConformanceError(check, case, play.step if play else 0, problem) from error
    return play.step
