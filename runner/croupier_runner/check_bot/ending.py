"""Checks of how a bot ends: when there is nothing more to play, and when it is asked to."""

import signal

from croupier_runner.check_bot import piped
from croupier_runner.check_bot.stage import Stage
from croupier_runner.check_bot.tables import against_the_house, many
from croupier_runner.processes import signal_group


async def closes(stage: Stage) -> str:
    """The stream ends with OK."""
    if stage.subject.protocol == "stdio":
        return await piped.closes(stage)
    advice = "when the service closes the stream there is nothing more to play: end with exit code 0, by yourself"
    async with stage.guest(advice=advice) as guest:
        await guest.comes()
        await guest.play([against_the_house(stage.subject.games[0])])
        guest.relay.streams[-1].end("OK")
        code = await guest.ends("the service closed its stream with OK")
        if code != 0:
            raise guest.fault(f"the service closed its stream with OK, and it {guest.program.ending}")
    return ""


async def terminates(stage: Stage) -> str:
    """SIGTERM in the middle of games, to the bot's whole process group."""
    if stage.subject.protocol == "stdio":
        return await piped.terminates(stage)
    advice = "handle SIGTERM: close the stream, end what you started, and end with exit code 0"
    async with stage.guest(advice=advice) as guest:
        await guest.comes()
        await guest.sit_down(many(stage.subject.games, 4))
        limit_s = stage.patience.answer_s
        await guest.until(lambda: guest.watcher.answered.total() > 0, limit_s, f"it answered nothing in {limit_s:g} s")
        signal_group(guest.program.pid, signal.SIGTERM)
        code = await guest.ends("it was sent SIGTERM")
        left = guest.left_behind()
        if code != 0:
            raise guest.fault(f"it was sent SIGTERM and {guest.program.ending}; a shell that starts it should exec it")
        if left:
            raise guest.fault(f"it ended and left processes behind: {', '.join(left)}")
    return ""
