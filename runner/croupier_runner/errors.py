"""What can stop a tournament. What a bot does wrong in a game stops nothing: that is a result.

RunnerError
├── ConfigError    the tournament file cannot be played as it is written (exit code 2)
├── BotError       a bot never came to the table
│   └── BotLost    one that had played before does not come any more (exit code 3: stopped, but resumable)
├── HostFault      our service or our machine failed; no bot is to blame (exit code 3)
├── RecordFault    a record does not prove the result it names
└── JournalError   the journal cannot be read or written (exit code 3: stopped, but resumable, once it can)
    └── NoJournal  there is none where it was looked for (exit code 2)
"""


class RunnerError(Exception):
    """The root of every error of the runner; its text tells the organiser what to do."""

    exit_code = 1


class ConfigError(RunnerError):
    """The tournament file, or a command in it, is wrong."""

    exit_code = 2


class BotError(RunnerError):
    """A bot did not come to the table within the start-up limit."""


class BotLost(BotError):
    """A bot that had played before does not come to the table any more."""

    exit_code = 3

    def __init__(self, why: RunnerError) -> None:
        super().__init__(
            f"{why}\nMend it and go on with croupier resume; or go on without it with croupier resume --withdraw NAME: "
            "it loses the games it has left"
        )


class HostFault(RunnerError):
    """The service or the machine failed, so the tournament cannot go on."""

    exit_code = 3


class RecordFault(RunnerError):
    """The record of a game does not hold, so its result cannot be trusted."""


class JournalError(RunnerError):
    """The journal cannot be read or written; what was committed is kept."""

    exit_code = 3


class NoJournal(JournalError):
    """There is no journal where it was looked for."""

    exit_code = 2
