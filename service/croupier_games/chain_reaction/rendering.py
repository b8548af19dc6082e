"""A view of Chain Reaction as text for people.

A tile is three lines: its upper symbol; left symbol, number with colour, right symbol; its lower symbol. So edges that
touch are written next to each other.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from textwrap import wrap

from croupier_games.chain_reaction.data import NUMBERS, Bonus, Colour, Tile
from croupier_games.chain_reaction.view import Phase, Player, View

_WIDTH = 80
_ROWS_PER_TILE = 3
_MARGIN = 5
_CELL = 9


def render(view: View) -> str:
    """The view as text, at most 80 columns wide."""
    lines = [_headline(view), "", *_board(view), ""]
    if view.hand or view.secret:
        lines += [*_own(view), ""]
    for seat, player in enumerate(view.players):
        lines += _seat(view, seat, player)
    return "\n".join([*lines, "", *_listed("Bonus tokens: ", _kinds(view.supply.tokens))])


def _headline(view: View) -> str:
    stack = f"{view.stack_size} in the stack"
    if view.payment:
        due = " ".join(map(str, view.payment.due))
        return f"Chain Reaction: seat {view.turn} pays for {view.payment.token}, due: {due}; {stack}"
    doing = {
        Phase.PLACE: f"seat {view.turn} to place a tile",
        Phase.CLAIM: f"seat {view.turn} to claim a token or end its turn",
        Phase.OVER: "the game is over",
    }[view.phase]
    return f"Chain Reaction: {doing}; {stack}"


def _board(view: View) -> list[str]:
    """The columns side by side, the highest tiles first, with heights on the left and column numbers below."""
    lines = []
    for height in range(max(len(column.tiles) for column in view.columns), 0, -1):
        row = [column.tiles[height - 1] if height <= len(column.tiles) else None for column in view.columns]
        for part in range(_ROWS_PER_TILE):
            label = f"{height:>3}" if part == 1 else ""
            cells = "".join(_picture(tile)[part].ljust(_CELL) for tile in row)
            lines.append((label.ljust(_MARGIN) + cells).rstrip())
    numbers = "".join(f"  ({column})".ljust(_CELL) for column in range(1, len(view.columns) + 1))
    return [*lines, (" " * _MARGIN + numbers).rstrip()]


def _picture(tile: Tile | None) -> tuple[str, str, str]:
    if tile is None:
        return ("", "", "")
    middle = f"{tile.left.name} {tile.number}{tile.colour.letter} {tile.right.name}"
    return (f"  {tile.top.name}", middle, f"  {tile.bottom.name}")


def _own(view: View) -> list[str]:
    """The hand tile as a picture, and the secret colour beside it."""
    colour = f"Your colour: {view.secret.word}" if view.secret else ""
    if view.hand is None:
        return [colour]
    above, middle, below = _picture(view.hand)
    label = "Your tile:  "
    blank = " " * len(label)
    return [blank + above, f"{label}{middle}   {colour}", blank + below]


def _seat(view: View, seat: int, player: Player) -> list[str]:
    mark = ">" if seat == view.turn else " "
    facts = [f"{len(player.tiles)} collected"]
    if view.colours:
        facts.append(view.colours[seat].word)
    elif not view.hand_sizes[seat]:
        facts.append("no tile in hand")
    lines = [f"{mark} seat {seat}: {', '.join(facts)}"]
    if player.tiles:
        lines.append("    " + "   ".join(_of_number(number, player.tiles) for number in NUMBERS))
    if player.tokens:
        lines += _listed("    tokens: ", _kinds(player.tokens))
    return lines


def _of_number(number: int, tiles: Iterable[Tile]) -> str:
    counts = Counter(tile.colour for tile in tiles if tile.number == number)
    shown = [f"{colour.letter}{counts[colour]}" for colour in Colour if counts[colour]]
    return f"{number}: {' '.join(shown) or '-'}"


def _kinds(tokens: Sequence[Bonus]) -> list[str]:
    return [str(token) if copies == 1 else f"{token}x{copies}" for token, copies in Counter(tokens).items()]


def _listed(label: str, words: Sequence[str]) -> list[str]:
    """A label and words, wrapped under the first word."""
    return wrap(" ".join(words) or "none", _WIDTH, initial_indent=label, subsequent_indent=" " * len(label))
