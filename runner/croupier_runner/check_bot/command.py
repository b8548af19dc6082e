"""The command `croupier check-bot`."""

from typing import Annotated

import typer

from croupier_runner.check_bot.checking import check_bot, listed
from croupier_runner.check_bot.stage import Patience, Protocol, Subject
from croupier_runner.clock import duration_ms
from croupier_runner.in_good_order import chosen_games, explained, in_good_order

EXAMPLES = (
    "Examples: [bold]croupier check-bot -- ./mybot[/]   "
    "[bold]croupier check-bot --game lie --only hurry -- python mybot.py[/]   "
    "[bold]croupier check-bot --protocol stdio -- ./careful[/]"
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
    hurry: Annotated[
        str, typer.Option(help="How long it may take for each decision in the check of that name.")
    ] = "1s",
    json: Annotated[bool, typer.Option("--json", help="Print JSON lines, one for each check.")] = False,
) -> None:
    """Holds a bot to the protocol: plays all games with it and makes trouble, and says what it does wrong.

    Exit codes: 0 all checks hold, 1 some do not, 2 the command line is wrong (docs/check-bot.md)."""
    if list_:
        typer.echo(listed())
        return
    if not command:
        raise typer.BadParameter("which bot? name its command after --, such as croupier check-bot -- ./mybot")
    with explained():
        try:
            waits = Patience(
                startup_s=duration_ms(startup) / 1000,
                answer_s=duration_ms(patience) / 1000,
                move_s=duration_ms(hurry) / 1000,
            )
        except ValueError as error:
            raise typer.BadParameter(str(error)) from None
        games_played = [each for game_id in game or [] for each in chosen_games(game_id)] or chosen_games(None)
        checking = check_bot(Subject(command, games_played, protocol), only or [], waits, json=json)
        findings = in_good_order(checking, "every process was ended")
    if any(finding.result == "FAIL" for finding in findings):
        raise typer.Exit(1)
