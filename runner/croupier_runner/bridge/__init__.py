"""The stdio bridge: bots that speak JSON lines on stdin and stdout play as if they spoke gRPC (docs/stdio.md).

`__main__` is the program, `child` the bot's process, `lines` what it reads and writes, `table` the decisions it owes,
`mapping` the JSON of the games' messages, `newer` a bridge as it may be one day.
"""

import sys
from collections.abc import Sequence

EXIT_REFUSED = 1
"""The service refuses this bot."""
EXIT_USAGE = 2
"""The bridge was started wrongly."""
EXIT_PROTOCOL = 120
"""The bot does not speak as docs/stdio.md says."""
EXIT_LEFT = 121
"""The bot ended with exit code 0 though the games were not over; any other exit code of a bot becomes the bridge's."""
EXIT_NO_PROGRAM = 127
"""The command cannot be started."""
SIGNALLED = 128
"""Added to the number of the signal that ended the bot, as shells do."""


def bridged(command: Sequence[str], *, as_newer: bool = False) -> list[str]:
    """The command of a gRPC bot that lets a bot with that command play."""
    flags = ["--as-newer"] if as_newer else []
    return [sys.executable, "-m", "croupier_runner.bridge", *flags, "--", *command]
