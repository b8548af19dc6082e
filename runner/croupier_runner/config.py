"""The tournament file: a TOML, checked in full before anything is started.

Everything that is wrong is said at once, in sentences that name the key and what to do about it.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, cast

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)

from croupier_games import Game, GameError, OptionValue, installed_games
from croupier_runner.clock import Clock, duration_ms, game_clock_ms
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


Name = Annotated[str, AfterValidator(_is_name)]
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
    """`[game]`: what is played."""

    id: str
    seats: int
    options: dict[str, object] = Field(default_factory=dict)

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


class BotSection(_Section):
    """`[[bots]]`: one bot and the program that plays it."""

    name: Name
    command: list[str] = Field(min_length=1)


class Tournament(_Section):
    """The whole file."""

    name: Name
    seed: int = Field(ge=0)
    blocks: int = Field(ge=1, le=MOST_BLOCKS)
    concurrency: int = Field(default=32, ge=1, le=MOST_CONCURRENCY)
    startup: Duration = "30s"
    game: GameSection
    clock: ClockSection = ClockSection(move=DEFAULT_MOVE)
    bots: list[BotSection]

    @field_validator("bots")
    @classmethod
    def _names_differ(cls, bots: list[BotSection]) -> list[BotSection]:
        names = [bot.name for bot in bots]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"{names.count(name)} bots are named {name!r}; give each its own name")
        return bots

    @model_validator(mode="after")
    def _field_fills_a_table(self) -> "Tournament":
        if len(self.bots) < self.game.seats:
            raise ValueError(
                f"bots: {len(self.bots)} cannot fill {self.game.seats} seats; add [[bots]] or lower game.seats"
            )
        return self


def load(path: Path) -> Tournament:
    """The tournament in that file, or ConfigError with all that is wrong, a sentence each."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise ConfigError(f"cannot read {path}: {reason}; name a tournament file") from None
    try:
        return Tournament.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} is not TOML: {error}{_line_of(str(error), text)}") from None
    except ValidationError as error:
        problems = [_sentence(cast("dict[str, Any]", problem)) for problem in error.errors()]
        sentences = [sentence for problem in problems for sentence in problem.splitlines()]
        raise ConfigError("\n".join(f"{path}: {sentence}" for sentence in sentences)) from None


def _line_of(message: str, text: str) -> str:
    """The line a TOML error speaks of, for people to see."""
    match = re.search(r"at line (\d+)", message)
    return f"\n  {match[1]} | {text.splitlines()[int(match[1]) - 1]}" if match else ""


_SECTIONS: dict[str, type[_Section]] = {
    "": Tournament,
    "game": GameSection,
    "clock": ClockSection,
    "bots": BotSection,
}

_WANTED = {
    "string_type": "must be a text in quotes",
    "int_type": "must be a whole number",
    "bool_type": "must be true or false",
    "list_type": "must be a list",
    "dict_type": "must be a table of key = value",
    "model_type": "must be a section of its own",
}


_EXAMPLES = {
    "startup": '"30s"',
    "clock.move": '"2s"',
    "clock.game": '"60s+1s"',
    "bots.command": '["python", "bot.py"]',
}


def _sentence(problem: dict[str, Any]) -> str:
    """What pydantic found, as a sentence that names the key and says what to do."""
    *parents, last = problem["loc"] or ("",)
    key = _key(problem["loc"])
    kind, context, given = problem["type"], problem.get("ctx", {}), problem["input"]
    if kind == "missing":
        return f"{key} is missing; add it"
    if kind == "extra_forbidden":
        section = next((part for part in parents if isinstance(part, str)), "")
        return f"{key} is no key here; there are {', '.join(_SECTIONS[section].model_fields)}"
    if kind == "value_error":
        lines = str(context["error"]).splitlines()
        return "\n".join(f"{key}: {line}" if last else line for line in lines)
    if kind == "greater_than_equal":
        return f"{key} must be at least {context['ge']}, got {given}"
    if kind == "less_than_equal":
        return f"{key} must be at most {context['le']}, got {given}"
    if kind == "too_short":
        return f"{key} is empty; name at least one"
    example = _EXAMPLES.get(key.partition("[")[0] + key.partition("]")[2])
    wanted = _WANTED.get(kind, problem["msg"]) + (f", such as {example}" if example else "")
    return f"{key} {wanted}, got {given!r}"


def _key(location: tuple[str | int, ...]) -> str:
    """A key as people write it: bots[2].name, counting from 1."""
    text = ""
    for part in location:
        text += f"[{part + 1}]" if isinstance(part, int) else f".{part}" if text else part
    return text
