"""The commands of `croupier`.

Exit codes: 0 done, 1 something failed, 2 usage or a wrong file, 3 stopped but resumable, 130 interrupted.
"""

import asyncio
import json as json_format
import shlex
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, TypeVar

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from croupier.v1 import records_pb2
from croupier_games import Game, Option, installed_games
from croupier_runner import config, signals
from croupier_runner.bridge.__main__ import play as play_bridged
from croupier_runner.check_bot import Patience, Protocol, Subject, check_bot, listed
from croupier_runner.clock import duration_ms
from croupier_runner.errors import RunnerError
from croupier_runner.folder import Opened, begin, reopen
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


@contextmanager
def _explained() -> Iterator[None]:
    """Errors of the runner as sentences, with their exit codes."""
    try:
        yield
    except RunnerError as error:
        typer.echo(f"croupier: {error}", err=True)
        raise typer.Exit(error.exit_code) from None


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
    with _explained():
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
    with _explained():
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
    with _explained():
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
    with _explained():
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
    for game in _chosen(game_id):
        console.print(f"[bold]{escape(game.id)}[/]  {escape(game.title)}, {game.min_seats} to {game.max_seats} seats")
        console.print(escape(game.summary), highlight=False)
        table = Table("option", "takes", "default", "meaning")
        for option in game.options:
            table.add_row(option.name, option.expected, _default(option), escape(option.meaning))
        console.print(table)


def _chosen(game_id: str | None) -> list[Game]:
    installed = installed_games()
    if game_id is None:
        return list(installed.values())
    if game_id not in installed:
        raise typer.BadParameter(f"there is no game {game_id!r}; there are {', '.join(sorted(installed))}")
    return [installed[game_id]]


def _default(option: Option) -> str:
    """As it is written in a tournament file."""
    if option.default is None:
        return "not set"
    return str(option.default).lower() if option.kind is bool else str(option.default)


@app.command(epilog="Examples: [bold]croupier verify cup.results[/]   [bold]croupier verify game.record[/]")
def verify(
    where: Annotated[Path, typer.Argument(metavar="FOLDER|RECORD", help="The results of a tournament, or one record.")],
) -> None:
    """Deals and plays every game again by the rules, and prints what does not hold.

    Checks the commitment, the seed, the deal and every move, and that the results are those of the records."""
    with _explained():
        if where.is_file() and where.suffix != ".toml":
            findings = list(verify_records([(str(where), read_record(where))]))
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
    with _explained():
        _in_good_order(step_through(frames(_record(where, key), seat), StandardTerminal()), "nothing was changed")


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
    with _explained():
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
        _in_good_order(table, "you have left the table, and every process was ended")


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
    with _explained():
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


@app.command(
    "check-bot",
    context_settings={"ignore_unknown_options": True},
    epilog="Examples: [bold]croupier check-bot -- ./mybot[/]   "
    "[bold]croupier check-bot --game lie --only hurry -- python mybot.py[/]   "
    "[bold]croupier check-bot --protocol stdio -- ./careful[/]",
)
def check_a_bot(
    command: Annotated[
        list[str] | None, typer.Argument(metavar="COMMAND...", help="The bot and its arguments.", show_default=False)
    ] = None,
    protocol: Annotated[Protocol, typer.Option(help="What the bot speaks.")] = "grpc",
    game: Annotated[list[str] | None, typer.Option(metavar="ID", help="A game it plays; all unless given.")] = None,
    only: Annotated[list[str] | None, typer.Option(metavar="CHECK", help="Make this check; all unless given.")] = None,
    list_: Annotated[bool, typer.Option("--list", help="Print all checks, and what they promise.")] = False,
    startup: Annotated[str, typer.Option(help="How long it may take to connect.")] = "30s",
    patience: Annotated[str, typer.Option(help="How long it may take to answer before it counts as hanging.")] = "10s",
    json: Annotated[bool, typer.Option("--json", help="Print JSON lines, one for each check.")] = False,
) -> None:
    """Holds a bot to the protocol: plays all games with it and makes trouble, and says what it does wrong.

    Exit codes: 0 all checks hold, 1 some do not, 2 the command line is wrong (docs/check-bot.md)."""
    if list_:
        typer.echo(listed())
        return
    if not command:
        raise typer.BadParameter("which bot? name its command after --, such as croupier check-bot -- ./mybot")
    with _explained():
        try:
            waits = Patience(startup_s=duration_ms(startup) / 1000, answer_s=duration_ms(patience) / 1000)
        except ValueError as error:
            raise typer.BadParameter(str(error)) from None
        games_played = [each for game_id in game or [] for each in _chosen(game_id)] or _chosen(None)
        checking = check_bot(Subject(command, games_played, protocol), only or [], waits, json=json)
        findings = _in_good_order(checking, "every process was ended")
    if any(finding.result == "FAIL" for finding in findings):
        raise typer.Exit(1)


def _play_on(opened: Opened, logs: Logs, *, json: bool) -> None:
    """Plays what is left, then shows and writes what it came to."""
    with opened:
        run = Run(opened.tournament, opened.journal)
        _say_where_to_dial(opened)
        shown: Show = JsonLines(Console()) if json else show_for(Console(stderr=True))
        with shown:
            playing = play(run, opened.home, logs, shown)
            _in_good_order(playing, f"every process was ended; go on with croupier resume {opened.path}")
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


def _in_good_order(work: Coroutine[None, None, T], interrupted: str) -> T:
    """Runs it; the first interrupt lets it end in good order, a second changes nothing."""
    try:
        with asyncio.Runner() as runner:
            return runner.run(_until_signalled(work))
    except asyncio.CancelledError:
        with suppress(OSError):  # the terminal may be gone
            typer.echo(f"croupier: interrupted; {interrupted}", err=True)
        raise typer.Exit(signals.INTERRUPTED) from None


async def _until_signalled(work: Coroutine[None, None, T]) -> T:
    running = asyncio.ensure_future(work)
    asked = False

    def end() -> None:
        nonlocal asked
        asked = True
        running.cancel()

    try:
        with signals.calling(end, asyncio.get_running_loop()):
            return await running
    except Exception:
        if asked:  # what failed because it was interrupted is no failure
            raise asyncio.CancelledError from None
        raise
