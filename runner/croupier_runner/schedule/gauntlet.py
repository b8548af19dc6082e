"""Gauntlet: the challengers meet all others, and not one another; the other seats are filled in turn by all others."""

from collections.abc import Sequence
from math import ceil, comb

from croupier_runner.errors import ConfigError
from croupier_runner.schedule.deals import Cup
from croupier_runner.schedule.round_robin import all_at_once
from croupier_runner.schedule.samples import balanced, number_of_tables
from croupier_runner.schedule.stages import Staged
from croupier_runner.schedule.words import amount, counted


def gauntlet(cup: Cup, *, challengers: Sequence[str] | None = None, tables: int | None = None) -> Staged:
    """Every challenger, the first bot unless they are named, meets the same sets of opponents."""
    named = _challengers(cup, challengers)
    opponents = [bot for bot in cup.bots if bot not in named]
    sets = balanced(opponents, cup.seats - 1, _sets(cup, named, tables), cup.chance)
    chosen = tuple(cup.table((challenger, *others)) for others in sets for challenger in named)
    return Staged(cup, all_at_once(cup, chosen), len(chosen) * cup.blocks)


def describe(cup: Cup, *, challengers: Sequence[str] | None = None, tables: int | None = None) -> str:
    """What it comes to, for people."""
    named = _challengers(cup, challengers)
    others = len(cup.bots) - len(named)
    sets, every = _sets(cup, named, tables), comb(others, cup.seats - 1)
    some = f" of {every * len(named)} possible" if sets < every else ""
    tables_played = sets * len(named)
    return (
        f"{', '.join(named)} against {counted(others, 'other')}, tables of {cup.seats}, "
        f"{counted(tables_played, 'table')}{some} x {amount(cup, tables_played)}"
    )


def _challengers(cup: Cup, named: Sequence[str] | None) -> tuple[str, ...]:
    challengers = cup.bots[:1] if named is None else tuple(dict.fromkeys(named))
    unknown = [bot for bot in challengers if bot not in cup.bots]
    if unknown:
        raise ConfigError(f"challengers: there is no bot {unknown[0]!r}; there are {', '.join(cup.bots)}")
    if not challengers:
        raise ConfigError("challengers is empty; name at least one bot, or leave it out for the first")
    others = len(cup.bots) - len(challengers)
    if others < cup.seats - 1:
        raise ConfigError(
            f"{others} opponents cannot fill the {cup.seats - 1} other seats; add bots or name fewer challengers"
        )
    return cup.table(challengers)


def _sets(cup: Cup, named: tuple[str, ...], limit: int | None) -> int:
    """How many sets of opponents each challenger meets."""
    opponents = len(cup.bots) - len(named)
    share = None if limit is None else limit // len(named)
    least = ceil(opponents / (cup.seats - 1))
    if share is not None and share < least:
        raise ConfigError(
            f"tables = {limit} is too few: for every challenger to meet all {opponents} opponents it takes "
            f"{least * len(named)}; raise tables, or leave it out"
        )
    return number_of_tables(opponents, cup.seats - 1, share)
