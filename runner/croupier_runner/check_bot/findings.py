"""What comes out of a check."""

from dataclasses import dataclass
from typing import Literal

Result = Literal["ok", "FAIL", "not applicable"]


class Fault(Exception):
    """The bot did something wrong; the text says what, what was expected, and what to do."""


class NotApplicable(Exception):
    """The check says nothing about this bot; the text says why."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check."""

    check: str
    promise: str
    result: Result
    sentence: str
    """What the bot did wrong, or why the check does not apply; of a check that holds, a figure or nothing."""
    seconds: float
