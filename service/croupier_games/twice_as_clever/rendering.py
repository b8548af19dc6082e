"""The view as text for people: where the game is, the dice, and every sheet with what is still to be had on it."""

from collections.abc import Iterator

from croupier_games.twice_as_clever.data import (
    BLUE_BONUSES,
    CODES,
    FACES,
    GREEN_BONUSES,
    GREEN_FACTORS,
    PINK_BONUSES,
    PINK_THRESHOLDS,
    SILVER_COLUMN_BONUSES,
    SILVER_ROWS,
    TRACK_SPACES,
    YELLOW_COLUMN_BONUSES,
    YELLOW_GRID,
    YELLOW_ROW_BONUSES,
    Bonus,
    Color,
)
from croupier_games.twice_as_clever.sheet import CellMark, Sheet, Track
from croupier_games.twice_as_clever.view import Dice, Phase, Step, Task, View

_CODE_OF = {bonus: code for code, bonus in CODES.items()}
_MARKED = {CellMark.OPEN: " {} ", CellMark.CIRCLED: "({})", CellMark.CROSSED: "[{}]"}


def render(view: View) -> str:
    """The view as text for people, at most 80 columns wide."""
    lines = [_headline(view), _dice_line(view.dice)]
    if view.task:
        lines.append(f"Next: {_task(view.task)}")
    for seat, sheet in enumerate(view.sheets):
        lines += ["", _seat_line(view, seat), *sheet_lines(sheet)]
    return "\n".join(lines)


def _headline(view: View) -> str:
    turn, solo = view.turn, len(view.sheets) == 1
    who = f"seat{'s' * (len(view.asked) > 1)} {', '.join(map(str, view.asked))}"
    doing = {
        Phase.GRANT: f"{who} to use the grant of the round",
        Phase.ACTIVE: f"seat {turn.active} is active, roll {turn.roll}",
        Phase.PASSIVE: "the passive turn" if solo else f"{who} to enter a die of the tray",
        Phase.EXTRA: f"{who} to use extra dice",
        Phase.OVER: "the game is over",
    }[view.phase]
    return f"Doppelt so clever, round {turn.round} of {turn.rounds}: {doing}"


def _dice_line(dice: Dice) -> str:
    places = (("available", dice.available), ("chosen", dice.chosen), ("tray", dice.tray))
    shown = [f"{place}: {' '.join(f'{die} {dice.shows(die)}' for die in lying)}" for place, lying in places if lying]
    return "; ".join(shown)


def _task(task: Task) -> str:
    swept = ", ".join(map(str, task.sweep))
    return {
        Step.RETURN: "return a die from the tray, or go on without",
        Step.CHOOSE: "choose a die",
        Step.MARK: f"mark a {task.value} in {task.area}",
        Step.BONUS: f"use {' '.join(map(_code, task.pending))}",
        Step.SWEEP: f"cross silver for {swept}, or be done",
        Step.FINISH: "say done",
    }[task.step]


def _seat_line(view: View, seat: int) -> str:
    sheet = view.sheets[seat]
    foxes = f"{sheet.foxes} {'fox' if sheet.foxes == 1 else 'foxes'}"
    text = f"{'>' if seat in view.asked else ' '} seat {seat}: areas {sum(sheet.area_points)}, {foxes}"
    return f"{text}, active" if seat == view.turn.active and view.phase != Phase.OVER else text


def sheet_lines(sheet: Sheet) -> Iterator[str]:
    """A sheet in nine lines: x crosses, () circles, [] crosses a circle; open slots show what they would give."""
    blocks = zip(_silver_block(sheet), _yellow_block(sheet), _track_block(sheet), strict=True)
    for left, middle, right in blocks:
        yield f"  {left:<28}{middle:<28}{right}".rstrip()
    blue = [_code(bonus) for bonus in BLUE_BONUSES]
    yield _slots(Color.BLUE, sheet.blue.numbers, blue, sheet.blue.points)
    green = [f"x{factor}{_code(bonus)}" for factor, bonus in zip(GREEN_FACTORS, GREEN_BONUSES, strict=True)]
    yield _slots(Color.GREEN, sheet.green.numbers, green, sheet.green.points)
    pink = [_threshold(least) + _code(bonus) for least, bonus in zip(PINK_THRESHOLDS, PINK_BONUSES, strict=True)]
    yield _slots(Color.PINK, sheet.pink.numbers, pink, sheet.pink.points)


def _silver_block(sheet: Sheet) -> Iterator[str]:
    for color, crossed in zip(SILVER_ROWS, sheet.silver.rows, strict=True):
        yield f"{color!s:<7}" + " ".join(f" {'x' if value in crossed else value}" for value in FACES)
    yield "       " + " ".join(f"{_code(bonus):>2}" for bonus in SILVER_COLUMN_BONUSES)
    yield f"silver {sheet.silver.points}"


def _yellow_block(sheet: Sheet) -> Iterator[str]:
    marks = iter(sheet.yellow.cells)
    for values, bonus in zip(YELLOW_GRID, YELLOW_ROW_BONUSES, strict=True):
        cells = [_MARKED[next(marks)].format(value) if value else " . " for value in values]
        yield f"{' '.join(cells)}  {_code(bonus)}"
    columns = " ".join(f"{_code(bonus):>2} " for bonus in YELLOW_COLUMN_BONUSES)
    yield f"{columns} yellow {sheet.yellow.points}"


def _track_block(sheet: Sheet) -> Iterator[str]:
    yield "actions"
    yield f"re-roll  {_track(sheet.rerolls)}"
    yield f"return   {_track(sheet.returns)}"
    yield f"extra    {_track(sheet.extra_dice)}"
    yield from ("", "")


def _track(track: Track) -> str:
    return "x" * track.used + "o" * track.left + "." * (TRACK_SPACES - track.gained)


def _slots(area: Color, numbers: tuple[int, ...], printed: list[str], points: int) -> str:
    filled = [str(number) for number in numbers] + printed[len(numbers) :]
    return f"  {area!s:<7}" + "".join(f"{slot:>5}" for slot in filled) + f"  = {points}"


def _threshold(least: int) -> str:
    return f"{least}+" if least else ""


def _code(bonus: Bonus | None) -> str:
    return _CODE_OF[bonus] if bonus else "."
