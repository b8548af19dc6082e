"""The tournament file: a TOML, checked in full before anything is started.

Everything that is wrong is said at once, in sentences that name the key and what to do about it.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, cast

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)

from croupier_games import Game, GameError, OptionValue, installed_games
from croupier_runner.clock import Clock, duration_ms, game_clock_ms
from croupier_runner.complaints import complaints, line_of
from croupier_runner.errors import ConfigError

MOST_BLOCKS = 1_000_000
MOST_CONCURRENCY = 1_024
NAME_LENGTH = 64

DEFAULT_MOVE = "10s"
"""The clock of a file that names none: without any limit one bot that hangs would hang the tournament."""


def _is_name(text: str) -> str:
    if not text or len(text) > NAME_LENGTH or text != text.strip() or not text.isprintable():
        raise ValueError(f"{text!r} is no name; write 1 to {NAME_LENGTH} printable characters, no blanks at the ends")
    return text


def _is_duration(text: str) -> str:
    duration_ms(text)
    return text


def _is_game_clock(text: str) -> str:
    game_clock_ms(text)
    return text


def _is_size(text: str) -> str:
    size_bytes(text)
    return text


def size_bytes(text: str) -> int:
    """A size such as "512MiB" in bytes, or ValueError with what would have been right."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)(KiB|MiB|GiB)", text)
    if match is None or not float(match[1]):
        raise ValueError(f"{text!r} is no size; write a number and a unit, such as '512MiB' or '2GiB'")
    return int(float(match[1]) * {"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}[match[2]])


def _listed(value: object) -> object:
    """One [game] stands for a list of one."""
    return [value] if isinstance(value, dict) else value


Name = Annotated[str, AfterValidator(_is_name)]
Size = Annotated[str, AfterValidator(_is_size)]
Duration = Annotated[str, AfterValidator(_is_duration)]
GameClock = Annotated[str, AfterValidator(_is_game_clock)]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


def _refusals(game: Game, tables: Iterable[tuple[int, Mapping[str, OptionValue]]]) -> list[str]:
    """Why the game cannot be dealt with such seats and options, for each that it cannot."""
    sentences = []
    for seats, options in tables:
        try:
            game.check(seats, options)
        except GameError as error:
            sentences.append(str(error))
    return sentences


class GameSection(_Section):
    """`[game]`: what is played; several `[[game]]` are played one after the other, each with standings of its own."""

    id: str
    seats: int
    options: dict[str, object] = Field(default_factory=dict)
    blocks: int | None = Field(default=None, ge=1, le=MOST_BLOCKS)
    """Instead of the tournament's."""

    @model_validator(mode="after")
    def _can_be_dealt(self) -> "GameSection":
        games = installed_games()
        if self.id not in games:
            raise ValueError(f"id: there is no game {self.id!r}; there are {', '.join(sorted(games))}")
        wrong = self._wrong(games[self.id])
        if self.seats == 1:
            wrong.insert(0, "seats: a rating needs opponents; set at least 2")
        if wrong:
            raise ValueError("\n".join(wrong))
        return self

    def _wrong(self, game: Game) -> list[str]:
        """A sentence for each option by itself and for the seats, else for what does not go together."""
        seats = min(max(self.seats, game.min_seats), game.max_seats)
        parts = [(self.seats, {}), *((seats, {name: value}) for name, value in self.settings.items())]
        together = _refusals(game, [(self.seats, self.settings)])
        return together and (_refusals(game, parts) or together)

    @property
    def settings(self) -> Mapping[str, OptionValue]:
        """The options as the rules take them."""
        return cast("Mapping[str, OptionValue]", self.options)


class ClockSection(_Section):
    """`[clock]`: how long a bot may think."""

    move: Duration | None = None
    game: GameClock | None = None

    @model_validator(mode="after")
    def _limits_something(self) -> "ClockSection":
        if self.move is None and self.game is None:
            raise ValueError("names no limit; set move = '2s', or game = '60s+1s', or both")
        return self

    @property
    def clock(self) -> Clock:
        """The limits in milliseconds."""
        game_ms, increment_ms = game_clock_ms(self.game) if self.game else (0, 0)
        return Clock(duration_ms(self.move) if self.move else 0, game_ms, increment_ms)


class LimitsSection(_Section):
    """`[limits]`: what a tournament may use."""

    sandbox: Literal["off", "basic", "strict"] = "off"
    """What bots are kept in (docs/limits.md): nothing, limits, or limits and a box of their own."""
    memory: Size | None = None
    """Memory of each process of a bot, as far as it is its own; "2GiB" in a sandbox, else no limit."""
    address_space: Size | None = None
    """All that each process of a bot has mapped or reserved; no limit."""
    cpu: Duration | None = None
    """CPU time of each process of a bot, over the whole tournament; no limit."""
    processes: int | None = Field(default=None, ge=1)
    """Processes and threads of a bot together; 128 at the level strict, else no limit."""
    open_files: int | None = Field(default=None, ge=16)
    """Files that each process of a bot has open at once; 1024 in a sandbox, else no limit."""
    file_size: Size | None = None
    """The longest file that a bot may write; "64MiB" in a sandbox, else no limit."""
    scratch: Size | None = None
    """How much a bot may write in all, at the level strict: "64MiB" unless set."""
    readable: list[str] = Field(default_factory=list)
    """Files and folders, besides the tournament's, that bots may read at the level strict."""
    concurrency: int = Field(default=32, ge=1, le=MOST_CONCURRENCY)
    """Games played at once."""
    separate_twins: bool = False
    """Whether the games of a block, which share a deal, are played by different processes of each bot."""

    @model_validator(mode="after")
    def _have_a_box(self) -> "LimitsSection":
        boxed = {"scratch": self.scratch, "readable": self.readable}
        wrong = [
            f"{key} is about boxes, and there are none; set sandbox = 'strict' or leave it out"
            for key in boxed
            if boxed[key]
        ]
        if wrong and self.sandbox != "strict":
            raise ValueError("\n".join(wrong))
        return self


class FaultsSection(_Section):
    """`[faults]`: what it costs a bot to crash, to be late or to play what is not allowed."""

    cost: Literal["game", "block"] = "game"
    """game: last place in the game; block: last place in all games of the block."""
    eliminate_after: int | None = Field(default=None, ge=1)
    """So many faults take a bot out of the event; blocks from then on do not count for anybody."""


class RoundRobinSection(_Section):
    """`[round_robin]`: how many of all possible tables are played."""

    tables: int = Field(ge=1)


class GauntletSection(_Section):
    """`[gauntlet]`: who runs it; the first bot unless set."""

    bots: list[Name] | None = Field(default=None, min_length=1)
    tables: int | None = Field(default=None, ge=1)


class SwissSection(_Section):
    """`[swiss]`: how long it lasts; as many rounds as halving the field takes, unless set."""

    rounds: int | None = Field(default=None, ge=1, le=1_000)


class KnockoutSection(_Section):
    """`[knockout]`: how many of a table go on, who meets whom, and how often a level table plays on."""

    advance: int | None = Field(default=None, ge=1)
    seeding: Literal["file", "draw"] | None = None
    tiebreaks: int | None = Field(default=None, ge=0, le=1_000)


class SprtSection(_Section):
    """`[sprt]`: what is tested, and how sure one wants to be."""

    elo0: float = 0.0
    elo1: float = 10.0
    alpha: float = Field(default=0.05, gt=0, lt=0.5)
    beta: float = Field(default=0.05, gt=0, lt=0.5)

    @model_validator(mode="after")
    def _differ(self) -> "SprtSection":
        if self.elo0 >= self.elo1:
            raise ValueError(f"elo0 must be below elo1, got {self.elo0:g} and {self.elo1:g}")
        return self


class RemoteSection(_Section):
    """`[remote]`: where bots that dial in reach the tournament."""

    listen: str = "127.0.0.1:7027"


class BotSection(_Section):
    """`[[bots]]`: one bot and the program that plays it."""

    name: Name
    command: list[str] | None = Field(default=None, min_length=1)
    protocol: Literal["grpc", "stdio", "remote"] = "grpc"
    games: list[str] | None = Field(default=None, min_length=1)
    """Which of the games it plays; none named: all."""

    @model_validator(mode="after")
    def _can_be_reached(self) -> "BotSection":
        if self.protocol == "remote" and self.command is not None:
            raise ValueError("a remote bot is started by its owner: leave command out, or set another protocol")
        if self.protocol != "remote" and self.command is None:
            raise ValueError('command is missing; add it, such as ["python", "bot.py"]')
        return self


class Tournament(_Section):
    """The whole file."""

    name: Name
    seed: int | None = Field(default=None, ge=0)
    """What the deals follow from; left out, they follow from a secret that is kept in the journal till the end."""
    format: Literal["round_robin", "gauntlet", "swiss", "knockout", "sprt"] = "round_robin"
    blocks: int = Field(ge=1, le=MOST_BLOCKS)
    startup: Duration = "30s"
    game: Annotated[list[GameSection], BeforeValidator(_listed), Field(min_length=1)]
    clock: ClockSection = ClockSection(move=DEFAULT_MOVE)
    limits: LimitsSection = LimitsSection()
    faults: FaultsSection = FaultsSection()
    round_robin: RoundRobinSection | None = None
    gauntlet: GauntletSection | None = None
    swiss: SwissSection | None = None
    knockout: KnockoutSection | None = None
    sprt: SprtSection | None = None
    remote: RemoteSection = RemoteSection()
    bots: list[BotSection]

    def field(self, game: GameSection) -> list[BotSection]:
        """The bots that play a game."""
        return [bot for bot in self.bots if bot.games is None or game.id in bot.games]

    @field_validator("bots")
    @classmethod
    def _names_differ(cls, bots: list[BotSection]) -> list[BotSection]:
        names = [bot.name for bot in bots]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"{names.count(name)} bots are named {name!r}; give each its own name")
        return bots

    @model_validator(mode="after")
    def _fits_together(self) -> "Tournament":
        wrong = [sentence for game in self.game for sentence in self._cannot_seat(game)]
        wrong += self._strangers() + self._format_mismatches() + self._inseparable()
        if wrong:
            raise ValueError("\n".join(wrong))
        return self

    def _cannot_seat(self, game: GameSection) -> list[str]:
        bots = len(self.field(game))
        if bots >= game.seats:
            return []
        return [
            f"bots: {bots} of them play {game.id}, which cannot fill {game.seats} seats; add [[bots]] or lower seats"
        ]

    def _strangers(self) -> list[str]:
        names = {bot.name for bot in self.bots}
        played = {game.id for game in self.game}
        wrong = [
            f"bots: {bot.name!r} plays {game!r}, which this tournament does not; it plays {', '.join(sorted(played))}"
            for bot in self.bots
            for game in bot.games or ()
            if game not in played
        ]
        wrong += [
            f"gauntlet.bots: there is no bot {name!r}; there are {', '.join(sorted(names))}"
            for name in (self.gauntlet.bots or () if self.gauntlet else ())
            if name not in names
        ]
        return wrong

    def _inseparable(self) -> list[str]:
        if not self.limits.separate_twins:
            return []
        return [
            f"limits.separate_twins: {bot.name!r} dials in from elsewhere, with one process; leave one of the two out"
            for bot in self.bots
            if bot.protocol == "remote"
        ]

    def _format_mismatches(self) -> list[str]:
        formats = ("round_robin", "gauntlet", "swiss", "knockout", "sprt")
        sections = {name: getattr(self, name) for name in formats}
        wrong = [
            f"[{name}] has no meaning with format = {self.format!r}; remove it or set format = {name!r}"
            for name, section in sections.items()
            if section is not None and name != self.format
        ]
        if self.format == "sprt" and any(len(self.field(game)) != 2 or game.seats != 2 for game in self.game):
            wrong.append("format: sprt compares two bots at tables of two seats; name two [[bots]] and set seats = 2")
        return wrong


def load(path: Path) -> Tournament:
    """The tournament in that file, or ConfigError with all that is wrong, a sentence each."""
    return parse(read(path), path)


def read(path: Path) -> str:
    """The text of a tournament file."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise ConfigError(f"cannot read {path}: {reason}; name a tournament file") from None


def parse(text: str, path: Path) -> Tournament:
    """The tournament that the text describes; `path` is where it came from, for people."""
    try:
        return Tournament.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} is not TOML: {error}{line_of(str(error), text)}") from None
    except ValidationError as error:
        keys = {section: list(model.model_fields) for section, model in _SECTIONS.items()}
        problems = cast("list[dict[str, Any]]", error.errors())
        raise ConfigError("\n".join(complaints(problems, str(path), text, keys))) from None


def schema() -> dict[str, Any]:
    """The JSON Schema of a tournament file, for editors."""
    return Tournament.model_json_schema()


_SECTIONS: dict[str, type[_Section]] = {
    "": Tournament,
    "game": GameSection,
    "clock": ClockSection,
    "limits": LimitsSection,
    "faults": FaultsSection,
    "round_robin": RoundRobinSection,
    "gauntlet": GauntletSection,
    "swiss": SwissSection,
    "knockout": KnockoutSection,
    "sprt": SprtSection,
    "remote": RemoteSection,
    "bots": BotSection,
}
