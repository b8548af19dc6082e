"""What all commands of `croupier` share: errors as sentences, an end in good order, the names of games."""

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager, suppress
from typing import TypeVar

import typer

from croupier_games import Game, installed_games
from croupier_runner import signals
from croupier_runner.errors import RunnerError

T = TypeVar("T")


@contextmanager
def explained() -> Iterator[None]:
    """Errors of the runner as sentences, with their exit codes."""
    try:
        yield
    except RunnerError as error:
        typer.echo(f"croupier: {error}", err=True)
        raise typer.Exit(error.exit_code) from None


def chosen_games(game_id: str | None) -> list[Game]:
    """The installed game of that id, or all."""
    installed = installed_games()
    if game_id is None:
        return list(installed.values())
    if game_id not in installed:
        raise typer.BadParameter(f"there is no game {game_id!r}; there are {', '.join(sorted(installed))}")
    return [installed[game_id]]


def in_good_order(work: Coroutine[None, None, T], interrupted: str) -> T:
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
