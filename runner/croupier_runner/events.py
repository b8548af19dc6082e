"""One event: a game of the tournament, its schedule, and what has come of it so far.

An event is told what the journal knows, and asks only for what is missing; so resuming is the same as starting.
"""

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256

from croupier_games.chance import SEED_BYTES
from croupier_runner.config import GameSection, SprtSection, Tournament
from croupier_runner.faults import FaultRules, void
from croupier_runner.journal import Key
from croupier_runner.ratings import Sprt
from croupier_runner.results import Block, BlockResult, GameResult
from croupier_runner.schedule import Scheduler, describe, lineups, scheduler
from croupier_runner.schedule.formats import Options

Known = Mapping[int, Mapping[int, GameResult]]
"""Results by block and game."""


@dataclass(frozen=True, slots=True)
class Job:
    """A game to play."""

    event: "Event"
    block: Block
    game: int

    @property
    def key(self) -> Key:
        """What the journal calls it."""
        return Key(self.event.number, self.block.index, self.game)

    @property
    def lineup(self) -> tuple[str, ...]:
        """The bots by seat."""
        return self.block.lineups[self.game]

    @property
    def salt(self) -> bytes:
        """What is mixed into the commitment: each game has its own, so that twins cannot be told."""
        return sha256(b"croupier/salt/1" + self.block.seed + str(self.key).encode()).digest()

    @property
    def place(self) -> str:
        """Where in the tournament it stands, for people."""
        stage = f"{self.block.stage}, " if self.block.stage else ""
        return f"{stage}block {self.block.index + 1}, game {self.game + 1}"


@dataclass(slots=True)
class _OpenBlock:
    block: Block
    results: dict[int, GameResult]

    @property
    def missing(self) -> list[int]:
        return [game for game in range(len(self.block.lineups)) if game not in self.results]

    def finished(self) -> BlockResult:
        return BlockResult(self.block, tuple(self.results[game] for game in range(len(self.block.lineups))))


class Event:
    """The part of a tournament that plays one game."""

    def __init__(
        self, number: int, tournament: Tournament, key: bytes, known: Known, counted: Callable[[BlockResult], None]
    ) -> None:
        self.number = number
        self.section: GameSection = tournament.game[number]
        self.bots = tuple(bot.name for bot in tournament.field(self.section))
        self.rules = FaultRules(tournament.faults)
        self.scheduler: Scheduler = _scheduler(tournament, self.section, self.bots, key)
        self._is_test = tournament.format == "sprt"
        self._known = {block: dict(games) for block, games in known.items()}
        self._counted = counted
        self._jobs: deque[Job] = deque()
        self._open: dict[int, _OpenBlock] = {}
        self._held: dict[int, tuple[Block, BlockResult | None]] = {}
        """Blocks that are complete before their turn in the schedule; None: they count for nobody."""
        self._next_block = 0

    @property
    def over(self) -> bool:
        """Whether nothing remains to be played; a test of two bots is when one of them is out."""
        return self.scheduler.over or (self._is_test and bool(self.rules.eliminated))

    @property
    def total_blocks(self) -> int | None:
        """How many blocks there will be, as far as is known."""
        return self._next_block if self.over else self.scheduler.total_blocks

    @property
    def games_per_block(self) -> int:
        """How many games a block has."""
        return len(lineups(self.bots[: self.section.seats], bytes(SEED_BYTES)))

    def next(self) -> Job | None:
        """The next game to play; None if there is none now: some wait for results, or it is over."""
        while not self.over and not self._jobs:
            if (block := self.scheduler.next()) is None:
                return None
            self._begin(block)
        return None if self.over else self._jobs.popleft()

    def take(self, job: Job, result: GameResult) -> None:
        """A game has ended."""
        opened = self._open[job.block.index]
        opened.results[job.game] = result
        if not opened.missing:
            del self._open[job.block.index]
            self._complete(opened.block, opened.finished())

    def catch_up(self) -> None:
        """Counts all that is known, and forgets what is missing: for who wants to look and not to play."""
        while self._known and self.next() is not None:
            self._jobs.clear()

    def _begin(self, block: Block) -> None:
        opened = _OpenBlock(block, self._known.pop(block.index, {}))
        if self.rules.eliminated & set(block.table):
            self._complete(block, None)
        elif missing := opened.missing:
            self._open[block.index] = opened
            self._jobs.extend(Job(self, block, game) for game in missing)
        else:
            self._complete(block, opened.finished())

    def _complete(self, block: Block, result: BlockResult | None) -> None:
        """Counts every block whose turn in the schedule has come."""
        self._held[block.index] = block, result
        while self._next_block in self._held and not self.over:
            due, played = self._held.pop(self._next_block)
            self._next_block += 1
            judged = self.rules.judge(played) if played is not None else None
            if judged is not None:
                self._counted(judged)
            self.scheduler.take(judged or void(due, self.rules.eliminated))


def described(tournament: Tournament, section: GameSection) -> str:
    """The schedule of an event in a line for people."""
    bots = [bot.name for bot in tournament.field(section)]
    blocks = section.blocks or tournament.blocks
    return describe(tournament.format, bots=bots, seats=section.seats, blocks=blocks, **_options(tournament, bots))


def _scheduler(tournament: Tournament, section: GameSection, bots: tuple[str, ...], key: bytes) -> Scheduler:
    return scheduler(
        tournament.format,
        bots=bots,
        game_id=section.id,
        seats=section.seats,
        blocks=section.blocks or tournament.blocks,
        key=key,
        **_options(tournament, bots),
    )


def _options(tournament: Tournament, bots: list[str] | tuple[str, ...]) -> Options:
    if tournament.round_robin is not None:
        return {"tables": tournament.round_robin.tables}
    if tournament.gauntlet is not None:
        section = tournament.gauntlet
        challengers = [name for name in section.bots if name in bots] if section.bots else None
        return {"challengers": challengers, "tables": section.tables}
    if tournament.swiss is not None:
        return {"rounds": tournament.swiss.rounds}
    if tournament.knockout is not None:
        cup = tournament.knockout
        return {"advance": cup.advance, "seeding": cup.seeding, "tiebreaks": cup.tiebreaks}
    if tournament.format == "sprt":
        test = sequential_test(tournament)
        return {"decide": lambda scores: test.after(scores).decision != "running"}
    return {}


def sequential_test(tournament: Tournament) -> Sprt:
    """The test that the file asks for."""
    section = tournament.sprt or SprtSection()
    return Sprt(section.elo0, section.elo1, section.alpha, section.beta)
