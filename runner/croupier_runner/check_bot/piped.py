"""The endings of a bot that speaks lines, seen without a bridge: that one would end it by force, and hide the fault."""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from secrets import token_urlsafe

from croupier_runner.bridge.lines import hello
from croupier_runner.check_bot.findings import Fault
from croupier_runner.check_bot.leftovers import end_all, left_behind
from croupier_runner.check_bot.stage import Stage, bot_environment, cannot_start
from croupier_runner.processes import ending, signal_group


async def closes(stage: Stage) -> str:
    """Its stdin ends."""
    advice = "end with exit code 0 when there are no more lines to read"
    async with _begun(stage, advice) as (bot, mark):
        assert bot.stdin is not None  # noqa: S101  # it was asked for
        bot.stdin.close()
        code = await _ended(stage, bot, f"its stdin was closed, as at the end of a tournament; {advice}")
        if code != 0:
            raise Fault(f"its stdin was closed, and it {ending(code)}; {advice}")
        _complain_of_leftovers(mark)
    return ""


async def terminates(stage: Stage) -> str:
    """It is sent SIGTERM."""
    advice = "do not ignore SIGTERM: half a second later the bridge ends the bot by force"
    async with _begun(stage, advice) as (bot, mark):
        signal_group(bot.pid, signal.SIGTERM)
        await _ended(stage, bot, f"it was sent SIGTERM; {advice}")
        _complain_of_leftovers(mark)
    return ""


@asynccontextmanager
async def _begun(stage: Stage, advice: str) -> AsyncIterator[tuple[asyncio.subprocess.Process, str]]:
    """The bot, once it has written its first line, and its mark; killed with the context."""
    mark = token_urlsafe(24)
    pipe, null = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
    try:
        bot = await asyncio.create_subprocess_exec(
            *stage.subject.argv(), env=dict(bot_environment("", mark)), stdin=pipe, stdout=pipe, stderr=null,
            start_new_session=True,
        )  # fmt: skip
    except OSError as error:
        raise cannot_start(stage.subject.command[0], error) from None
    assert bot.stdin is not None  # noqa: S101  # both were asked for
    assert bot.stdout is not None  # noqa: S101
    stage.keeper.guard(bot.pid)
    try:
        bot.stdin.write(hello("checked"))
        try:
            await asyncio.wait_for(bot.stdout.readline(), stage.patience.startup_s)
        except TimeoutError:
            startup_s = stage.patience.startup_s
            raise Fault(
                f'it did not write its first line, {{"want": {{}}}}, within {startup_s:g} s; {advice}'
            ) from None
        yield bot, mark
    finally:
        signal_group(bot.pid, signal.SIGKILL)
        bot.stdin.close()
        await bot.communicate()
        stage.keeper.release(bot.pid)


async def _ended(stage: Stage, bot: asyncio.subprocess.Process, why: str) -> int:
    ending_s = stage.patience.ending_s
    try:
        return await asyncio.wait_for(bot.wait(), ending_s)
    except TimeoutError:
        what, _, advice = why.partition("; ")
        raise Fault(f"{what}, but {ending_s:g} s later it still runs; {advice}") from None


def _complain_of_leftovers(mark: str) -> None:
    left = left_behind(mark)
    end_all(left)
    if left:
        names = ", ".join(sorted(set(left.values())))
        raise Fault(f"it ended and left processes behind: {names}; end what you started before you end")
