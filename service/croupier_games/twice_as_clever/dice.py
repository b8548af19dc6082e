"""The six dice on their way from the roll to the fields and the tray. `Dice` are values: none changes."""

from croupier_games.chance import Chance
from croupier_games.twice_as_clever.data import DICE, FACES, SOLO_TRAY, Color
from croupier_games.twice_as_clever.view import Dice, Turn

IN_HAND = Dice((0,) * len(DICE), DICE, (), ())
"""All dice before they are rolled for the first time."""


def throw(chance: Chance, turn: Turn, dice: Dice) -> Dice:
    """Rolls the available dice.

    Each roll draws for all six, and dice that are not rolled do not take theirs: so whichever are rolled, and whatever
    was rolled before, a die falls in this roll as it falls."""
    name = f"roll/round/{turn.round}/seat/{turn.active}/{turn.roll}/{turn.rerolls}"
    drawn = chance.rolls(name, len(FACES), len(DICE))
    rolled = dice.available
    return dice._replace(pips=tuple([drawn[die - 1] if die in rolled else dice.pips[die - 1] for die in DICE]))


def throw_for_tray(chance: Chance, round_: int) -> Dice:
    """Rolls for the passive turn of a solo game: the lowest three to the tray, ties at random (TAC-7.1)."""
    pips = chance.rolls(f"tray/round/{round_}", len(FACES), len(DICE))
    mixed = chance.shuffled(f"tray/round/{round_}/ties", DICE)
    lowest = sorted(mixed, key=lambda die: pips[die - 1])
    return Dice(pips, (), tuple(sorted(lowest[SOLO_TRAY:])), tuple(sorted(lowest[:SOLO_TRAY])))


def chosen(dice: Dice, die: Color) -> Dice:
    """An available die goes to the next field."""
    left = tuple([other for other in dice.available if other != die])
    return Dice(dice.pips, left, (*dice.chosen, die), dice.tray)


def lower(dice: Dice, die: Color) -> tuple[Color, ...]:
    """The available dice that show less than this one (TAC-1.2)."""
    pips = dice.shows(die)
    return tuple([other for other in dice.available if dice.shows(other) < pips])


def to_tray(dice: Dice, some: tuple[Color, ...]) -> Dice:
    """Some of the available dice go to the tray."""
    left = tuple([die for die in dice.available if die not in some])
    return Dice(dice.pips, left, dice.chosen, tuple(sorted((*dice.tray, *some))))


def returned(dice: Dice, die: Color) -> Dice:
    """A die comes back from the tray (TAC-4.2)."""
    left = tuple([other for other in dice.tray if other != die])
    return Dice(dice.pips, tuple(sorted((*dice.available, die))), dice.chosen, left)
