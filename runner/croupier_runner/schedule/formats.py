"""The formats by name: makes the scheduler that a tournament file asks for, and says in a line what it comes to."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypedDict, Unpack

from croupier_games.chance import SEED_BYTES
from croupier_runner.errors import ConfigError
from croupier_runner.schedule import gauntlet, knockout, round_robin, sprt, swiss
from croupier_runner.schedule.deals import Cup
from croupier_runner.schedule.scheduler import Scheduler


class Options(TypedDict, total=False):
    """What only some formats take; None is the same as leaving it out."""

    tables: int | None
    """round_robin, gauntlet: the most tables to play."""
    challengers: Sequence[str] | None
    """gauntlet: who meets all others; the first bot unless set."""
    rounds: int | None
    """swiss"""
    advance: int | None
    """knockout: how many of a table go on."""
    seeding: str | None
    """knockout: "file" or "draw"."""
    tiebreaks: int | None
    """knockout: the most further blocks of a table that is level."""
    decide: sprt.Decide | None
    """sprt: whether the scores so far are enough."""


@dataclass(frozen=True, slots=True)
class Format:
    """One way to hold a tournament."""

    build: Callable[..., Scheduler]
    describe: Callable[..., str]
    options: tuple[str, ...]


FORMATS = {
    "round_robin": Format(round_robin.round_robin, round_robin.describe, ("tables",)),
    "gauntlet": Format(gauntlet.gauntlet, gauntlet.describe, ("challengers", "tables")),
    "swiss": Format(swiss.swiss, swiss.describe, ("rounds",)),
    "knockout": Format(knockout.knockout, knockout.describe, ("advance", "seeding", "tiebreaks")),
    "sprt": Format(sprt.Sprt, sprt.describe, ("decide",)),
}


def scheduler(
    format: str,
    *,
    bots: Sequence[str],
    game_id: str,
    seats: int,
    blocks: int,
    key: bytes,
    **options: Unpack[Options],
) -> Scheduler:
    """The scheduler of a tournament; ConfigError with what to do if there can be none."""
    chosen, given = _checked(format, options)
    if format == "sprt" and "decide" not in given:
        raise ConfigError("sprt needs a rule that decides; give it as decide")
    return chosen.build(Cup(tuple(bots), game_id, seats, blocks, key), **given)


def describe(format: str, *, bots: Sequence[str], seats: int, blocks: int, **options: Unpack[Options]) -> str:
    """What such a tournament comes to, in a line for people."""
    chosen, given = _checked(format, options)
    cup = Cup(tuple(bots), "", seats, blocks, bytes(SEED_BYTES))  # neither the game nor the key changes its size
    return f"{format.replace('_', ' ')}: {chosen.describe(cup, **given)}"


def _checked(format: str, options: Options) -> tuple[Format, dict[str, object]]:
    """The format and the options that are set; refuses those it does not know."""
    if format not in FORMATS:
        raise ConfigError(f"there is no format {format!r}; there are {', '.join(FORMATS)}")
    chosen = FORMATS[format]
    given = {name: value for name, value in options.items() if value is not None}
    for name in given:
        if name not in chosen.options:
            raise ConfigError(f"{name} is no option of {format}; it takes {', '.join(chosen.options)}")
    return chosen, given
