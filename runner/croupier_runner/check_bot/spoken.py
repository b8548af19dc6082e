"""The check of what a bot writes that speaks lines: nothing but answers."""

from croupier_runner.check_bot.findings import NotApplicable
from croupier_runner.check_bot.stage import Stage
from croupier_runner.check_bot.tables import many

_BRIDGE = "croupier bridge: "
TABLES = 8


async def quiet(stage: Stage) -> str:
    """The bridge complains of every line that answers nothing."""
    if stage.subject.protocol == "grpc":
        raise NotApplicable("a bot that speaks gRPC may print what it likes")
    advice = "write nothing but answers to stdout, one for each turn, and everything else to stderr"
    async with stage.guest(advice=advice) as guest:
        await guest.comes()
        await guest.play(many(stage.subject.games, TABLES))
        complaints = [line for line in guest.program.stderr.splitlines() if line.startswith(_BRIDGE)]
        if complaints:
            raise guest.fault(f"it wrote lines to stdout that answer nothing ({complaints[0].removeprefix(_BRIDGE)})")
    return ""
