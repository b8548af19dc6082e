"""The suite that every game must pass, shipped so that anybody's game can be put through it.

    python -m croupier_games.conformance check my_package:GAME

or, inside a test, `run(check, case)` for every check of `CHECKS` and every case of `cases(game)`. A check that fails
raises ConformanceError with the promise, the case and the step. docs/adding-a-game.md says how to use it.
"""

from croupier_games.conformance.case import Case, cases
from croupier_games.conformance.golden import golden_cases, playthrough
from croupier_games.conformance.suite import CHECKS, Check, ConformanceError, run

__all__ = ["CHECKS", "Case", "Check", "ConformanceError", "cases", "golden_cases", "playthrough", "run"]
