"""Time limits as people write them: "500ms", "2s", "1m", and "60s+1s" for a game clock with increment."""

import re
from dataclasses import dataclass

MOST_MS = 24 * 60 * 60 * 1000

_DURATION = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h)")
_UNIT_MS = {"ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000}


@dataclass(frozen=True, slots=True)
class Clock:
    """The time limits of every game of a tournament, in milliseconds; 0 means none."""

    move_ms: int = 0
    game_ms: int = 0
    increment_ms: int = 0

    def __str__(self) -> str:
        """In words: "2 s for each decision"."""
        limits = []
        if self.move_ms:
            limits.append(f"{self.move_ms / 1000:g} s for each decision")
        if self.game_ms:
            more = f" and {self.increment_ms / 1000:g} s more for each decision" if self.increment_ms else ""
            limits.append(f"{self.game_ms / 1000:g} s for the game{more}")
        return ", ".join(limits) or "none"


def duration_ms(text: str) -> int:
    """A duration in whole milliseconds, or ValueError with what would have been right."""
    match = _DURATION.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is no duration; write a number and a unit, such as '500ms', '2s' or '1m'")
    milliseconds = round(float(match[1]) * _UNIT_MS[match[2]])
    if not 1 <= milliseconds <= MOST_MS:
        raise ValueError(f"{text!r} is out of range; write a duration from '1ms' to '24h'")
    return milliseconds


def game_clock_ms(text: str) -> tuple[int, int]:
    """The base and the increment of a game clock such as "60s+1s", in milliseconds."""
    base, plus, increment = text.partition("+")
    return duration_ms(base), duration_ms(increment) if plus else 0
