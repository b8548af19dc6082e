"""The commands of `croupier`.

Exit codes: 0 done, 1 something failed, 2 usage or a wrong file, 130 interrupted.
"""

import asyncio
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from croupier_games import Game, Option, installed_games
from croupier_runner import report as reports
from croupier_runner import signals
from croupier_runner.config import Tournament, load
from croupier_runner.errors import RunnerError
from croupier_runner.logs import Logs
from croupier_runner.progress import Progress, Silence, progress_for
from croupier_runner.report import Report
from croupier_runner.tournament import play, schedule_of

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    epilog="Examples: [bold]croupier run cup.toml[/]   [bold]croupier games[/]",
)


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


@app.command(epilog="Examples: [bold]croupier run cup.toml[/]   [bold]croupier run cup.toml --json > cup.json[/]")
def run(
    file: Annotated[Path, typer.Argument(metavar="FILE.toml", help="The tournament (docs/tournaments.md).")],
    json: Annotated[
        bool, typer.Option("--json", help="Print the standings as JSON on stdout, and no progress.")
    ] = False,
    logs: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write all that the bots and the service print to files in this folder."),
    ] = None,
) -> None:
    """Plays a tournament to its end and prints the standings.

    Starts the service and every bot, and ends them all again, also when it is interrupted."""
    try:
        report = _run(load(file), file.resolve().parent, Logs(logs), json=json)
    except RunnerError as error:
        typer.echo(f"croupier: {error}", err=True)
        raise typer.Exit(error.exit_code) from None
    except asyncio.CancelledError:
        with suppress(OSError):  # the terminal may be gone
            typer.echo("croupier: interrupted; every process was ended, nothing was kept", err=True)
        raise typer.Exit(signals.INTERRUPTED) from None
    if json:
        typer.echo(reports.as_json(report))
    else:
        reports.show(report, Console())


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


def _run(tournament: Tournament, folder: Path, logs: Logs, *, json: bool) -> Report:
    """Plays it, and lets the first interrupt end it in good order; a second changes nothing."""
    console = Console(stderr=True)
    progress: Progress = Silence() if json else progress_for(console, schedule_of(tournament).games)
    with asyncio.Runner() as runner, progress:
        return runner.run(_until_signalled(tournament, folder, logs, progress))


async def _until_signalled(tournament: Tournament, folder: Path, logs: Logs, progress: Progress) -> Report:
    playing = asyncio.ensure_future(play(tournament, folder, logs, progress))
    asked = False

    def end() -> None:
        nonlocal asked
        asked = True
        playing.cancel()

    try:
        with signals.calling(end, asyncio.get_running_loop()):
            return await playing
    except Exception:
        if asked:  # what failed because it was interrupted is no failure
            raise asyncio.CancelledError from None
        raise
