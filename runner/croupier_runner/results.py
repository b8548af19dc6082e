"""What a tournament is made of: blocks to play, and what came of them. Plain values, all of them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Block:
    """One deal for one table, played once for each line-up: the unit of all statistics."""

    index: int
    """Its position in the schedule, counting from 0: what happens when never changes the order in which it counts."""
    number: int
    """Which of the table's own blocks it is, counting from 1."""
    table: tuple[str, ...]
    """The bots, in the order of the tournament file."""
    seed: bytes
    """What its games are dealt from."""
    lineups: tuple[tuple[str, ...], ...]
    """The games of the block: each names the bots by seat."""
    stage: str = ""
    """The part of the tournament it belongs to, for people: "round 3", "final"; empty where there is only one."""


THINK_BOUNDS_MS = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0, 3000.0, 10000.0, 30000.0)
"""Decisions are counted by how long they took: up to each of these, and the last count is what took longer."""


@dataclass(frozen=True, slots=True)
class GameResult:
    """How one game of a block ended; everything is by seat."""

    places: tuple[int, ...]
    """1 is best; equal places are shared."""
    points: tuple[int | None, ...]
    """None where the game knows no points, or they say nothing because a seat was given up."""
    faults: tuple[str, ...]
    """The cause of a forfeit, such as "time"; empty where there was none."""
    moves: int
    """How many actions were played."""
    think_ms: tuple[int, ...]
    """How long each seat thought, all its decisions together."""
    thinking: tuple[tuple[int, ...], ...] = ()
    """The decisions of each seat by how long they took: see `THINK_BOUNDS_MS`."""
    session_id: str = ""


@dataclass(frozen=True, slots=True)
class BlockResult:
    """A block that was played to its end: a game for each of its line-ups, in their order."""

    block: Block
    games: tuple[GameResult, ...]
