"""Choosing among the legal actions: a numbered list that fits the screen, and what may be typed instead of a number."""

from collections.abc import Sequence
from enum import Enum, auto

from croupier_runner.terminal import Terminal

HELP = """\
Type one of:
  a number      plays the action of that number
  a notation    plays the action that is written like this
  a beginning   lists the actions that begin so
  Enter         lists the actions (or the next of them, if there are many)
  table         shows the table again
  rules         says what the game is about and where its rules are
  resign        gives up: the house plays on for you, and you are placed last
  quit          leaves; the game ends without a result"""

_GAP = "   "
_LINES_BESIDE_LIST = 10
"""So much of the screen is left to what happened and to the prompt."""
_FEWEST_LINES = 4


class Wish(Enum):
    """What a person may want other than to play an action."""

    TABLE = auto()
    RULES = auto()
    RESIGN = auto()
    QUIT = auto()


_WISHES = {wish.name.lower(): wish for wish in Wish}


def in_columns(entries: Sequence[str], width: int) -> list[str]:
    """The entries in as few lines as fit the width, reading down the columns."""
    for lines in range(1, len(entries)):
        columns = [entries[start : start + lines] for start in range(0, len(entries), lines)]
        widths = [max(map(len, column)) for column in columns]
        if sum(widths) + len(_GAP) * (len(columns) - 1) <= width:
            padded = [[entry.ljust(wide) for entry in column] for column, wide in zip(columns, widths, strict=True)]
            return [
                _GAP.join(column[line] for column in padded if line < len(column)).rstrip() for line in range(lines)
            ]
    return list(entries)


class Choices:
    """The legal actions of one decision, as a person sees them."""

    def __init__(self, legal: Sequence[str], terminal: Terminal) -> None:
        self._legal = legal
        self._terminal = terminal
        self._listed = list(range(len(legal)))
        self._next = 0
        """The first line that the next page begins with; 0: all were shown."""

    async def ask(self, prompt: str) -> int | Wish:
        """Asks until there is an answer: the position of an action, or a wish; the end of all input is one to quit."""
        while True:
            try:
                typed = " ".join((await self._terminal.read_line(prompt)).split())
            except EOFError:
                return Wish.QUIT
            answer = self._understood(typed)
            if answer is not None:
                return answer

    def show(self) -> None:
        """Lists as many as fit, each with its number."""
        digits = len(str(len(self._legal)))
        size = self._terminal.size
        lines = in_columns([f"{at + 1:>{digits}} {self._legal[at]}" for at in self._listed], size.columns)
        page = max(size.lines - _LINES_BESIDE_LIST, _FEWEST_LINES)
        shown = lines[self._next : self._next + page]
        self._next += len(shown)
        left = len(lines) - self._next
        if not left:
            self._next = 0
        more = [f"… {left} more lines: press Enter, or type how it begins."] if left else []
        self._terminal.write("\n".join([*shown, *more]))

    def _understood(self, typed: str) -> int | Wish | None:
        """An answer; None if something was shown instead."""
        if not typed:
            self._list(range(len(self._legal)) if not self._next else self._listed, from_line=self._next)
            return None
        word = typed.lower()
        written = [at for at, notation in enumerate(self._legal) if notation.lower() == word]
        if len(written) == 1:
            return written[0]
        if word in _WISHES:
            return _WISHES[word]
        if word in ("?", "help"):
            self._terminal.write(HELP)
            return None
        if word.isdecimal():
            return self._numbered(int(word))
        self._begin_with(typed)
        return None

    def _numbered(self, number: int) -> int | None:
        if 1 <= number <= len(self._legal):
            return number - 1
        self._terminal.write(f"There is no action {number}; the numbers are 1 to {len(self._legal)}.")
        return None

    def _begin_with(self, typed: str) -> None:
        found = [at for at, notation in enumerate(self._legal) if notation.lower().startswith(typed.lower())]
        if found:
            self._list(found)
        else:
            self._terminal.write(
                f"{typed!r} is no action that you may play now, nor does one begin so; "
                "press Enter for the list, or type ? for help."
            )

    def _list(self, positions: Sequence[int], from_line: int = 0) -> None:
        self._listed, self._next = list(positions), from_line
        self.show()
