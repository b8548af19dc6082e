"""What a bot of Doppelt so clever is sent, as the values that the rules work with."""

from collections.abc import Iterable

from croupier.games.twice_as_clever.v1 import twice_as_clever_pb2 as pb
from croupier_games.twice_as_clever.data import Bonus, Color
from croupier_games.twice_as_clever.sheet import Blue, CellMark, Green, Pink, Sheet, Silver, Track, Yellow
from croupier_games.twice_as_clever.view import Dice, Phase, Step, Task, Turn, View


def seen(view: pb.View) -> View:
    """The view in a message."""
    turn, dice = view.turn, view.dice
    return View(
        Phase(view.phase),
        Turn(turn.round, turn.rounds, turn.starter, turn.active, turn.roll, turn.rerolls, turn.solo_passive),
        Dice(tuple(dice.pips), _colors(dice.available), _colors(dice.chosen), _colors(dice.tray)),
        tuple([_sheet(sheet) for sheet in view.sheets]),
        tuple(view.asked),
        _task(view.task) if view.HasField("task") else None,
    )


def _task(task: pb.Task) -> Task:
    area = Color(task.area) if task.area else None
    pending = tuple([Bonus(bonus) for bonus in task.pending])
    return Task(Step(task.step), area, task.value, pending, _colors(task.sweep), _colors(task.used))


def _sheet(sheet: pb.Sheet) -> Sheet:
    silver, yellow = sheet.silver, sheet.yellow
    rows = (silver.yellow, silver.blue, silver.green, silver.pink)
    return Sheet(
        Silver(*map(tuple, rows), silver.points),
        Yellow(tuple([CellMark(mark) for mark in yellow.cells]), yellow.points),
        Blue(tuple(sheet.blue.numbers), sheet.blue.points),
        Green(tuple(sheet.green.numbers), sheet.green.points),
        Pink(tuple(sheet.pink.numbers), sheet.pink.points),
        _track(sheet.rerolls),
        _track(sheet.returns),
        _track(sheet.extra_dice),
        sheet.foxes,
    )


def _track(track: pb.Track) -> Track:
    return Track(track.gained, track.used)


def _colors(colors: Iterable[int]) -> tuple[Color, ...]:
    return tuple([Color(color) for color in colors])
