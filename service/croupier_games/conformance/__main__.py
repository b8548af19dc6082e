"""The suite as a command: `check` puts games through it, `golden` writes or compares their play-throughs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

from croupier_games import GAMES, Game, installed_games
from croupier_games.conformance.case import cases
from croupier_games.conformance.golden import differences, write
from croupier_games.conformance.suite import CHECKS, Check, ConformanceError, run

EXAMPLES = """examples:
  python -m croupier_games.conformance check                    every installed game
  python -m croupier_games.conformance check lie --seeds 5      one game, five deals of each case
  python -m croupier_games.conformance check my_package:GAME    a game that is not installed
  python -m croupier_games.conformance check lie --only worlds_stay_alike
  python -m croupier_games.conformance golden --check tests/games/golden
  python -m croupier_games.conformance golden --write tests/games/golden lie

exit codes: 0 every promise holds, 1 some do not, 2 usage"""


def main(arguments: list[str] | None = None) -> int:
    """Runs the command and returns its exit code."""
    parser = _parser()
    asked = parser.parse_args(arguments)
    # Golden files belong to whoever ships the game: only Croupier's own are the default.
    known = installed_games() if asked.command == "check" or asked.games else GAMES
    try:
        games = [_game(name, known) for name in asked.games or known]
    except ValueError as error:
        parser.error(str(error))
    if asked.command == "check":
        checks = {name: CHECKS[name] for name in asked.only or CHECKS}
        passed = [_check(game, checks, asked.seeds, asked.thorough) for game in games]
    elif asked.write is not None:
        passed = [_write(game, asked.write) for game in games]
    else:
        passed = [_compare(game, asked.check) for game in games]
    return 0 if all(passed) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m croupier_games.conformance",
        description="Holds games to the promises that every game of Croupier makes.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True)
    games = {"nargs": "*", "metavar": "GAME", "help": "id of an installed game, or module:ATTRIBUTE"}
    check = commands.add_parser(
        "check", help="run every check", epilog=EXAMPLES, formatter_class=parser.formatter_class
    )
    check.add_argument("games", **games)  # type: ignore[arg-type]
    check.add_argument("--seeds", type=_positive, default=1, metavar="N", help="deals of each case (default 1)")
    check.add_argument("--thorough", action="store_true", help="every setting of the options for every seat count")
    check.add_argument("--only", action="append", choices=CHECKS, metavar="CHECK", help="just this check; repeatable")
    golden = commands.add_parser(
        "golden",
        help="write or compare play-throughs",
        epilog=EXAMPLES,
        formatter_class=parser.formatter_class,
    )
    golden.add_argument("games", **games)  # type: ignore[arg-type]
    what = golden.add_mutually_exclusive_group(required=True)
    what.add_argument("--write", type=Path, metavar="DIR", help="write the files anew")
    what.add_argument("--check", type=Path, metavar="DIR", help="compare the files with how the game plays now")
    return parser


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number from 1, got {text!r}")
    return int(text)


def _game(name: str, games: Mapping[str, Game]) -> Game:
    if ":" not in name:
        if name not in games:
            raise ValueError(f"no game {name!r} is installed; there are {', '.join(games)}")
        return games[name]
    module, _, attribute = name.partition(":")
    try:
        game = getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise ValueError(f"cannot load {name!r}: {error}") from error
    if not isinstance(game, Game):
        raise ValueError(f"{name!r} is no Game but {game!r}")
    return game


def _check(game: Game, checks: dict[str, Check], seeds: int, thorough: bool) -> bool:
    tables = list(cases(game, seeds=seeds, thorough=thorough))
    print(f"{game.id}, version {game.version}: {len(tables)} cases")
    broken = []
    for name, check in checks.items():
        steps = 0
        try:
            for case in tables:
                steps += run(check, case)
        except ConformanceError as error:
            broken.append(error)
            print(f"  {name:<34} BROKEN")
        else:
            print(f"  {name:<34} ok  {len(tables):>5} cases {steps:>8} steps")
    for failure in broken:
        print(f"\n{failure}")
    print(f"{game.id}: {len(checks) - len(broken)} of {len(checks)} checks passed\n")
    return not broken


def _write(game: Game, folder: Path) -> bool:
    for name in write(game, folder):
        print(f"wrote {folder / name}")
    return True


def _compare(game: Game, folder: Path) -> bool:
    wrong = list(differences(game, folder))
    for difference in wrong:
        print(difference)
    print(f"{game.id}: {'play-throughs differ' if wrong else 'every play-through replays'}")
    return not wrong


if __name__ == "__main__":
    sys.exit(main())
