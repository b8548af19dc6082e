"""Round robin: every set of bots that fits the seats meets equally often, or a balanced sample of the sets does."""

from math import ceil, comb

from croupier_runner.errors import ConfigError
from croupier_runner.schedule.deals import Cup
from croupier_runner.schedule.samples import balanced, connected, number_of_tables
from croupier_runner.schedule.stages import Stage, Staged, Stages
from croupier_runner.schedule.words import amount, counted, field_of


def round_robin(cup: Cup, *, tables: int | None = None) -> Staged:
    """Plays all tables, or at most `tables` of them."""
    chosen = tables_of(cup, tables)
    return Staged(cup, all_at_once(cup, chosen), len(chosen) * cup.blocks)


def tables_of(cup: Cup, limit: int | None = None) -> tuple[tuple[str, ...], ...]:
    """The tables that meet."""
    count = how_many(cup, limit)
    tables = balanced(cup.bots, cup.seats, count, cup.chance)
    return connected(tables, cup.bots)


def how_many(cup: Cup, limit: int | None) -> int:
    """How many tables meet; refuses a sample in which a bot plays only once, for it could split the field in two."""
    bots, count = len(cup.bots), number_of_tables(len(cup.bots), cup.seats, limit)
    needed = ceil(2 * bots / cup.seats)
    if count < min(needed, comb(bots, cup.seats)):
        raise ConfigError(
            f"tables = {limit} is too few: {bots} bots at tables of {cup.seats} need at least {needed}, "
            "so that each plays twice; raise tables, or leave it out"
        )
    return count


def all_at_once(cup: Cup, tables: tuple[tuple[str, ...], ...]) -> Stages:
    """One stage in which these tables play all their blocks; who is best is for the ratings to say."""
    yield Stage("", tables, range(1, cup.blocks + 1))
    return ()


def describe(cup: Cup, *, tables: int | None = None) -> str:
    """What it comes to, for people."""
    count, every = how_many(cup, tables), comb(len(cup.bots), cup.seats)
    some = f" of {every} possible" if count < every else ""
    return f"{field_of(cup)}, {counted(count, 'table')}{some} x {amount(cup, count)}"
