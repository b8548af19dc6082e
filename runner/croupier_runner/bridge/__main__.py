"""The program: `python -m croupier_runner.bridge [--name NAME] [--as-newer] -- COMMAND…`."""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Sequence

from croupier_client import CroupierError, SettingsError, run_async
from croupier_runner.bridge import EXIT_REFUSED, EXIT_USAGE
from croupier_runner.bridge.child import BotFault, Line, running
from croupier_runner.bridge.lines import NotUnderstood, Want, hello, read_want
from croupier_runner.bridge.newer import NewerSpeech
from croupier_runner.bridge.table import Table, complain

SILENT_S = 5.0
"""After how long without its first line a bot is reminded of it."""
_OURS = ("CROUPIER_TARGET", "CROUPIER_TOKEN")
"""What the bot has no use for: it speaks to us."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Reads the command line and plays to the end."""
    parser = argparse.ArgumentParser(
        prog="croupier bridge",
        description="Lets a bot play that speaks JSON lines on stdin and stdout (docs/stdio.md).",
    )
    parser.add_argument("--name", help="what the bot calls itself; else CROUPIER_NAME")
    parser.add_argument(
        "--as-newer", action="store_true", help="say more than this version does, to try whether the bot minds"
    )
    parser.add_argument("command", nargs="+", metavar="COMMAND", help="the bot and its arguments, after --")
    flags = parser.parse_args(arguments)
    sys.exit(play(flags.command, flags.name, as_newer=flags.as_newer))


def play(command: Sequence[str], name: str | None = None, *, as_newer: bool = False) -> int:
    """Plays until the service closes the stream or a signal ends it; the result is the exit code.

    With `as_newer` the bot hears keys and lines that later versions might add, and that it has to ignore."""
    try:
        # Not on uvloop: it leaves the bot with copies of its pipes, so that a stdout which the bot closes stays open.
        asyncio.run(_until_signalled(command, name, as_newer))
    except BotFault as fault:
        complain(f"the bot {fault}")
        return fault.exit_code
    except SettingsError as error:
        complain(str(error))
        return EXIT_USAGE
    except CroupierError as error:
        complain(f"the service refuses this bot: {error}")
        return EXIT_REFUSED
    return 0


async def _until_signalled(command: Sequence[str], name: str | None, as_newer: bool) -> None:
    name = name if name is not None else os.environ.get("CROUPIER_NAME", "")
    task = asyncio.create_task(_play(command, name, as_newer))
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, task.cancel)
    await asyncio.wait({task})
    if not task.cancelled():
        task.result()


async def _play(command: Sequence[str], name: str, as_newer: bool = False) -> None:
    env = {key: value for key, value in os.environ.items() if key not in _OURS}
    async with running(command, env) as child:
        ear = NewerSpeech(child) if as_newer else child
        ear.say(hello(name))
        said = child.lines()
        want, more = await _first_line(said)
        table = Table(ear, want)
        playing = run_async(
            table, name=name, view=want.view, legal="notation" if want.legal else "count", events=want.events
        )
        await _first_end(playing, _listen(table, more, said), child.fault)


async def _first_line(said: AsyncIterator[list[Line]]) -> tuple[Want, list[Line]]:
    """What the bot wants, and what else it has said already. Nobody connects before: getting ready costs it nothing."""
    sentence = 'the bot has not written its first line yet, which is {"want": {}}; does it flush its stdout?'
    reminder = asyncio.get_running_loop().call_later(SILENT_S, complain, sentence)
    try:
        lines: list[Line] = []
        while not lines:
            lines = await anext(said)
        return read_want(lines[0] or b""), lines[1:]
    except NotUnderstood as error:
        raise BotFault(f"does not begin as it should: {error}") from None
    finally:
        reminder.cancel()


async def _listen(table: Table, more: list[Line], said: AsyncIterator[list[Line]]) -> None:
    for line in more:
        table.hear(line)
    async for lines in said:
        for line in lines:
            table.hear(line)


async def _first_end(*works: Awaitable[None]) -> None:
    """Does all of it until one part has ended, or failed; that one counts."""
    tasks = [asyncio.ensure_future(work) for work in works]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


if __name__ == "__main__":
    main()
