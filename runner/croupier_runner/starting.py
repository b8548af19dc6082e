"""The start of somebody's first tournament: a commented file, and a bot to make better."""

import json
from importlib.resources import files
from pathlib import Path

from croupier_games import Game
from croupier_runner import first_bots
from croupier_runner.config import parse
from croupier_runner.errors import ConfigError, RunnerError
from croupier_runner.opponents import RANDOM, Opponent, house_bot
from croupier_runner.person.options import chosen_game

CUP = "cup.toml"
BOT = "bot.py"

_CUP = """\
# {title}: play it with
#     croupier run {file}
# All that a tournament file may say is in docs/tournaments.md.

name = {name}
blocks = 20            # deals per table; each is played once from every seat
# seed = 1             # deals the same cards again in every run; leave it out in earnest

[game]
id = "{id}"
seats = {seats}{seats_comment}
{options}
[clock]
move = "2s"            # for each decision; and/or game = "60s+1s" for all of a game together

[[bots]]
name = "mine"
command = ["python", "{bot}"]    # runs in the folder of this file
{opponents}"""

_OPPONENT = """
[[bots]]
name = "{name}"
command = {command}
"""


def write_start(folder: Path, game_id: str, name: str) -> list[Path]:
    """Writes a tournament and a first bot that can be played at once; refuses to touch what is there already."""
    game = chosen_game(game_id)
    texts = {folder / CUP: cup(game, name), folder / BOT: first_bot(game_id)}
    parse(texts[folder / CUP], folder / CUP)
    for path in texts:
        if path.exists():
            raise ConfigError(f"{path} is there already and stays as it is; name another folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, text in texts.items():
            path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise RunnerError(f"cannot write to {folder}: {error.strerror}; name another folder") from None
    return list(texts)


def cup(game: Game, name: str) -> str:
    """The text of a tournament file: the first bot against those that come with Croupier."""
    seats = max(2, game.min_seats)
    return _CUP.format(
        title=game.title,
        file=CUP,
        bot=BOT,
        name=json.dumps(name, ensure_ascii=False),
        id=game.id,
        seats=seats,
        seats_comment=""
        if game.max_seats == seats
        else f"              # {seats} to {game.max_seats}, with as many bots",
        options=_options(game),
        opponents="".join(
            _OPPONENT.format(name=opponent.name, command=json.dumps(opponent.command))
            for opponent in _opponents(game.id, seats - 1)
        ),
    )


def first_bot(game_id: str) -> str:
    """The text of a bot for that game."""
    folder = files(first_bots)
    own = folder / f"{game_id}.py"
    return (own if own.is_file() else folder / "any_game.py").read_text(encoding="utf-8")


def _opponents(game_id: str, least: int) -> list[Opponent]:
    """The house bot, if there is one, and as many random ones as are needed to fill a table."""
    house = house_bot(game_id)
    opponents = [house] if house is RANDOM else [house, RANDOM]
    more = (Opponent(f"{RANDOM.name} {number}", RANDOM.command) for number in range(2, least + 1))
    return opponents + list(more)[: max(0, least - len(opponents))]


def _options(game: Game) -> str:
    """All options in comments, with what each takes and stands at."""
    if not game.options:
        return ""
    with_default = [option for option in game.options if option.default is not None]
    example = (
        f"{with_default[0].name} = {json.dumps(with_default[0].default)}"
        if with_default
        else f"{game.options[0].name} = …"
    )
    lines = [f"# options = {{ {example} }}    # what can be set:"]
    for option in game.options:
        default = "not set" if option.default is None else json.dumps(option.default)
        lines.append(f"#   {option.name}: {option.expected}; {default} unless you say otherwise")
    return "\n".join([*lines, f"# croupier games {game.id} says what they mean.", ""])
