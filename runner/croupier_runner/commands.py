"""The commands of `croupier`.

Exit codes: 0 done, 1 something failed, 2 usage or a wrong file, 3 stopped but resumable, 130 interrupted.
"""

import json as json_format
import shlex
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, TypeVar

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from croupier.v1 import records_pb2
from croupier_games import Option
from croupier_runner import config
from croupier_runner.bridge.__main__ import play as play_bridged
from croupier_runner.check_bot.command import EXAMPLES as CHECK_BOT_EXAMPLES
from croupier_runner.check_bot.command import check_a_bot
from croupier_runner.folder import Opened, begin, reopen
from croupier_runner.in_good_order import chosen_games, explained, in_good_order
from croupier_runner.journal import Key
from croupier_runner.logs import Logs
from croupier_runner.person.options import chosen_game, read_options
from croupier_runner.person.table import sit_down
from croupier_runner.progress import JsonLines, Show, show_for
from croupier_runner.record_files import read_record
from croupier_runner.replays import frames, step_through
from croupier_runner.reporting import write_files
from croupier_runner.scoreboard import show
from croupier_runner.starting import write_start
from croupier_runner.summary import Pace
from croupier_runner.summing import pace, summarize, timeless
from croupier_runner.terminal import StandardTerminal
from croupier_runner.tournament import Run, play
from croupier_runner.verifying import verify_journal, verify_records
from croupier_runner.web import json_text

T = TypeVar("T")

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    epilog="Examples: [bold]croupier init mycup[/]   [bold]croupier run mycup/cup.toml[/]   [bold]croupier play lie[/]",
)

Where = Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder of the results, or the tournament file.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON lines on stdout, one for all that happens.")]
LogFolder = Annotated[
    Path | None,
    typer.Option("--logs", metavar="DIR", help="Write what the bots and the service print to files in this folder."),
]


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"croupier {version('croupier')}")
        raise typer.Exit


@app.callback()
def croupier(
    _: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit."),
    ] = False,
) -> None:
    """Seats bots at the tables of the Croupier service, and rates them."""


@app.command(
    "run", epilog="Examples: [bold]croupier run cup.toml[/]   [bold]croupier run cup.toml --into /tmp/cup --json[/]"
)
def run_tournament(
    file: Annotated[Path, typer.Argument(metavar="FILE.toml", help="The tournament (docs/tournaments.md).")],
    into: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="The folder of the results; FILE.results where you are, unless given."),
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Throw away what an earlier run left there.")] = False,
    json: Json = False,
    logs: LogFolder = None,
) -> None:
    """Plays a tournament to its end, prints the standings and writes the report.

    Starts the service and every bot, and ends them all again, also when it is interrupted. Interrupted in whatever way,
    `croupier resume` goes on where it stopped."""
    with explained():
        _play_on(begin(file, into, fresh=fresh), Logs(logs), json=json)


@app.command(epilog="Examples: [bold]croupier resume cup.results[/]   [bold]croupier resume cup.toml[/]")
def resume(
    where: Where,
    json: Json = False,
    logs: LogFolder = None,
    withdraw: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Do not start this bot any more: it loses the games it has left."),
    ] = None,
) -> None:
    """Goes on with a tournament that was interrupted: plays just the games that are missing."""
    with explained():
        opened = reopen(where, to_play=True)
        _withdraw(opened, withdraw or [])
        _play_on(opened, Logs(logs), json=json)


def _withdraw(opened: Opened, names: Sequence[str]) -> None:
    known = [bot.name for bot in opened.tournament.bots]
    for name in names:
        if name not in known:
            opened.close()
            raise typer.BadParameter(f"there is no bot {name!r} to withdraw; there are {', '.join(known)}")
        opened.journal.put_out(name, "it was withdrawn")


@app.command(epilog="Examples: [bold]croupier standings cup.results[/]   [bold]croupier standings cup.toml --json[/]")
def standings(
    where: Where,
    json: Annotated[bool, typer.Option("--json", help="Print them as JSON (docs/tournaments.md).")] = False,
) -> None:
    """Prints the standings so far, also while the tournament runs."""
    with explained():
        opened = reopen(where)
        with opened:
            summary = summarize(opened.tournament, opened.journal)
            if json:
                typer.echo(json_text(timeless(summary)), nl=False)
            else:
                show(summary, Console(), pace(opened.journal))


@app.command(epilog="Example: [bold]croupier report cup.results[/]")
def report(where: Where) -> None:
    """Writes report.html, standings.json and the CSV files anew, and says where they are."""
    with explained():
        opened = reopen(where)
        with opened:
            for path in write_files(opened, summarize(opened.tournament, opened.journal)):
                typer.echo(str(path))


@app.command(epilog="Example: [bold]croupier schema > cup.schema.json[/]")
def schema() -> None:
    """Prints the JSON Schema of tournament files, for editors that complete and check TOML."""
    typer.echo(json_format.dumps(config.schema(), indent=2))


@app.command(epilog="Examples: [bold]croupier games[/]   [bold]croupier games lie[/]")
def games(
    game_id: Annotated[str | None, typer.Argument(metavar="GAME", help="Only this game.", show_default=False)] = None,
) -> None:
    """Lists the games that can be played, and their options (docs/rules)."""
    console = Console()
    for game in chosen_games(game_id):
        console.print(f"[bold]{escape(game.id)}[/]  {escape(game.title)}, {game.min_seats} to {game.max_seats} seats")
        console.print(escape(game.summary), highlight=False)
        table = Table("option", "takes", "default", "meaning")
        for option in game.options:
            table.add_row(option.name, option.expected, _default(option), escape(option.meaning))
        console.print(table)


def _default(option: Option) -> str:
    """As it is written in a tournament file."""
    if option.default is None:
        return "not set"
    return str(option.default).lower() if option.kind is bool else str(option.default)


@app.command(epilog="Examples: [bold]croupier verify cup.results[/]   [bold]croupier verify game.record[/]")
def verify(
    where: Annotated[Path, typer.Argument(metavar="FOLDER|RECORD", help="The results of a tournament, or one record.")],
    head: Annotated[
        list[str] | None, typer.Option(help="What a seat was told of this record's game, in hexadecimal; often.")
    ] = None,
) -> None:
    """Deals and plays every game again by the rules, and prints what does not hold.

    Checks the commitment, the seed, the deal, every move and every other byte, and that the results are those of the
    records; with heads, that it is the record of the game in which they were told."""
    with explained():
        if where.is_file() and where.suffix != ".toml":
            findings = list(verify_records([(str(where), read_record(where))], _heads(head or [])))
            checked = "1 record was"
        else:
            opened = reopen(where)
            with opened, Console(stderr=True).status("verifying") as status:
                done = verify_journal(
                    opened.journal,
                    opened.tournament,
                    progress=lambda games, total: status.update(f"verifying: {games} of {total} games"),
                )
            findings = list(done.findings)
            checked = f"{done.games} games were"
        for finding in findings:
            typer.echo(str(finding))
        typer.echo(f"{checked} checked: {f'{len(findings)} things do not hold' if findings else 'everything holds'}.")
        if findings:
            raise typer.Exit(1)


@app.command(epilog="Examples: [bold]croupier replay cup.results 0/12/1[/]   [bold]croupier replay game.record[/]")
def replay(
    where: Annotated[Path, typer.Argument(metavar="FOLDER|RECORD", help="The results of a tournament, or one record.")],
    key: Annotated[str, typer.Argument(metavar="[EVENT/BLOCK/GAME]", help="Which game of the tournament.")] = "0/0/0",
    seat: Annotated[int | None, typer.Option(help="As this seat saw it; unless given, as a spectator did.")] = None,
) -> None:
    """Steps through a game that was played; prints all of it where there is no terminal."""
    with explained():
        in_good_order(step_through(frames(_record(where, key), seat), StandardTerminal()), "nothing was changed")


def _heads(told: list[str]) -> list[bytes]:
    try:
        return [bytes.fromhex(each) for each in told]
    except ValueError:
        raise typer.BadParameter(f"a head is 64 hexadecimal digits, got {', '.join(told)}") from None


def _record(where: Path, key: str) -> records_pb2.Record:
    if where.is_file() and where.suffix != ".toml":
        return read_record(where)
    with reopen(where) as opened:
        try:
            return records_pb2.Record.FromString(opened.journal.record(Key.read(key)))
        except ValueError:
            raise typer.BadParameter(f"games are named EVENT/BLOCK/GAME, such as 0/12/1, got {key!r}") from None


@app.command(
    "play", epilog="Examples: [bold]croupier play lie[/]   [bold]croupier play ten --seats 3 --option fiasco=true[/]"
)
def play_by_hand(
    game: Annotated[str, typer.Argument(metavar="GAME", help="What is played; see croupier games.")],
    seats: Annotated[int | None, typer.Option(help="How many; the fewest, and at least two, unless given.")] = None,
    seat: Annotated[list[int] | None, typer.Option(help="Yours; 0 unless given; several for several people.")] = None,
    option: Annotated[list[str] | None, typer.Option(metavar="NAME=VALUE", help="An option of the game.")] = None,
    bot: Annotated[
        list[str] | None, typer.Option(metavar="SEAT=COMMAND", help="Who plays there; else the house.")
    ] = None,
    record: Annotated[Path | None, typer.Option(metavar="FILE", help="Keep the record of the game there.")] = None,
) -> None:
    """Seats you at a table against bots, at this terminal."""
    with explained():
        chosen = chosen_game(game)
        table = sit_down(
            chosen.id,
            seats or min(chosen.max_seats, max(2, chosen.min_seats)),
            read_options(chosen.id, option or []),
            seat or [0],
            dict(map(_opponent, bot or [])),
            None,
            StandardTerminal(),
            record_to=record,
        )
        in_good_order(table, "you have left the table, and every process was ended")


def _opponent(text: str) -> tuple[int, list[str]]:
    number, _, command = text.partition("=")
    if not number.isdecimal() or not command:
        raise typer.BadParameter(f"--bot takes SEAT=COMMAND, such as '1=python bot.py', got {text!r}")
    return int(number), shlex.split(command)


@app.command(epilog="Examples: [bold]croupier init[/]   [bold]croupier init mycup --game ten[/]")
def init(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where to write; here unless given.")] = Path(),
    game: Annotated[str, typer.Option(help="What is to be played; see croupier games.")] = "lie",
    name: Annotated[str, typer.Option(help="The name of the tournament.")] = "my cup",
) -> None:
    """Writes a commented tournament file and a first bot, ready to be run."""
    with explained():
        paths = write_start(folder, game, name)
        for path in paths:
            typer.echo(f"wrote {path}")
        typer.echo(f"now: croupier run {paths[0]}")


@app.command(
    context_settings={"ignore_unknown_options": True},
    epilog="Example: [bold]CROUPIER_TARGET=localhost:7017 CROUPIER_TOKEN=… croupier bridge -- ./careful[/]",
)
def bridge(
    command: Annotated[list[str], typer.Argument(metavar="COMMAND...", help="The bot and its arguments.")],
    name: Annotated[str | None, typer.Option(help="The bot's name; CROUPIER_NAME unless given.")] = None,
    as_newer: Annotated[
        bool, typer.Option("--as-newer", help="Say more than this version does, to try whether the bot minds.")
    ] = False,
) -> None:
    """Lets a bot that speaks JSON lines (docs/stdio.md) play on any service."""
    raise typer.Exit(play_bridged(command, name, as_newer=as_newer))


app.command("check-bot", context_settings={"ignore_unknown_options": True}, epilog=CHECK_BOT_EXAMPLES)(check_a_bot)


def _play_on(opened: Opened, logs: Logs, *, json: bool) -> None:
    """Plays what is left, then shows and writes what it came to."""
    with opened:
        run = Run(opened.tournament, opened.journal)
        _say_where_to_dial(opened)
        shown: Show = JsonLines(Console()) if json else show_for(Console(stderr=True))
        with shown:
            playing = play(run, opened.home, logs, shown)
            in_good_order(playing, f"every process was ended; go on with croupier resume {opened.path}")
        summary = summarize(opened.tournament, opened.journal)
        paths = write_files(opened, summary)
        counts = run.counts
        if isinstance(shown, JsonLines):
            shown.line(
                event="end",
                standings=json_format.loads(json_text(timeless(summary))),
                seconds=round(counts.seconds, 3),
                games=counts.games,
                moves=counts.moves,
                records_verified=counts.records_verified,
                files=[str(path) for path in paths],
            )
            return
        show(summary, Console(), Pace(counts.seconds, counts.games, counts.moves))
        if counts.records_verified:
            typer.echo(f"{counts.records_verified} of these games were verified; croupier verify checks all.")
        typer.echo(f"The report: {paths[0]}")


def _say_where_to_dial(opened: Opened) -> None:
    """Where remote bots find the tournament, and with which token."""
    for bot in opened.tournament.bots:
        if bot.protocol == "remote":
            token = opened.journal.about(f"token/{bot.name}").decode()
            target = opened.tournament.remote.listen
            typer.echo(f"bot {bot.name!r} dials in: CROUPIER_TARGET={target} CROUPIER_TOKEN={token}", err=True)
