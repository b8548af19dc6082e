"""What is printed on the sheet of Doppelt so clever, and nothing else: every number of it stands here (TAC-D1 to D7).

Bonuses are written in short codes: R re-roll, T return, P extra die, F fox, ?S ?Y ?B ?G ?K a free entry in silver,
yellow, blue, green or pink, ?* one in an area of choice, - nothing.
"""

from enum import IntEnum

MIN_SEATS, MAX_SEATS = 1, 4
FACES = (1, 2, 3, 4, 5, 6)


class Color(IntEnum):
    """A die. All but white are areas of the sheet too, and all but white and silver are rows of the silver area."""

    WHITE = 1
    SILVER = 2
    YELLOW = 3
    BLUE = 4
    GREEN = 5
    PINK = 6

    def __str__(self) -> str:
        return _COLOR_WORDS[self]


class Bonus(IntEnum):
    """What a slot, a line, the end of an action track or a round gives."""

    REROLL = 1
    RETURN = 2
    EXTRA_DIE = 3
    FOX = 4
    SILVER = 5
    YELLOW = 6
    BLUE = 7
    GREEN = 8
    PINK = 9
    ANY = 10

    def __str__(self) -> str:
        return _BONUS_WORDS[self]


_COLOR_WORDS = {color: color.name.lower() for color in Color}
_BONUS_WORDS = {bonus: f"a free entry in {bonus.name.lower()}" for bonus in Bonus} | {
    Bonus.REROLL: "a re-roll",
    Bonus.RETURN: "a return",
    Bonus.EXTRA_DIE: "an extra die",
    Bonus.FOX: "a fox",
    Bonus.ANY: "a free entry in any area",
}
CODES = {
    "R": Bonus.REROLL,
    "T": Bonus.RETURN,
    "P": Bonus.EXTRA_DIE,
    "F": Bonus.FOX,
    "?S": Bonus.SILVER,
    "?Y": Bonus.YELLOW,
    "?B": Bonus.BLUE,
    "?G": Bonus.GREEN,
    "?K": Bonus.PINK,
    "?*": Bonus.ANY,
    "-": None,
}
"""The short codes."""


def _bonuses(codes: str) -> tuple[Bonus | None, ...]:
    return tuple(CODES[code] for code in codes.split())


def _numbers(text: str) -> tuple[int, ...]:
    """The numbers in a text; whatever is no number stands for 0."""
    return tuple(int(word) if word.isdecimal() else 0 for word in text.split())


DICE = tuple(Color)
AREAS = DICE[1:]
AREA_OF = {
    Bonus.SILVER: Color.SILVER,
    Bonus.YELLOW: Color.YELLOW,
    Bonus.BLUE: Color.BLUE,
    Bonus.GREEN: Color.GREEN,
    Bonus.PINK: Color.PINK,
}
"""Which area a free entry of one colour is for."""

# TAC-D1
ROUNDS = {1: 6, 2: 6, 3: 5, 4: 4}
"""How many rounds are played, by seats."""
GRANTS = _bonuses("R P T ?* - -")
"""What everybody gets before the first roll of each round."""
ROLLS = 3
"""Rolls of an active player, and fields for the dice chosen."""
SOLO_TRAY = 3
"""How many dice of the passive roll of a solo game go to the tray (TAC-7.1)."""

# TAC-D2
TRACK_SPACES = 6
TRACK_ENDS = {Bonus.REROLL: Bonus.FOX, Bonus.RETURN: Bonus.PINK, Bonus.EXTRA_DIE: Bonus.SILVER}
"""What circling the last space of an action track gives."""

# TAC-D3
SILVER_ROWS = (Color.YELLOW, Color.BLUE, Color.GREEN, Color.PINK)
SILVER_ROW_POINTS = _numbers("0 2 4 7 11 16 22")
"""By crosses in the row."""
SILVER_COLUMN_BONUSES = _bonuses("P ?Y F ?B ?G ?K")
"""By the value of the column."""

# TAC-D4
YELLOW_GRID = (
    _numbers(". 3 . 6"),
    _numbers("1 . 2 ."),
    _numbers(". 4 . 3"),
    _numbers("2 . 5 ."),
    _numbers(". 5 . 4"),
)
"""Rows from the top; 0 where no cell is."""
YELLOW_ROW_BONUSES = _bonuses("?B T ?Y ?G ?K")
YELLOW_COLUMN_BONUSES = _bonuses("R P ?S F")
YELLOW_POINTS = _numbers("0 3 10 21 36 55 75 96 118 141 165")
"""By crossed cells."""

# TAC-D5
BLUE_POINTS = _numbers("0 1 3 6 10 15 21 28 36 45 55 66 78")
"""By filled slots: the star of the last one."""
BLUE_BONUSES = _bonuses("- T ?Y - P R ?K - F T - ?G")

# TAC-D6
GREEN_FACTORS = _numbers("2 2 2 1 3 3 3 2 3 1 4 1")
GREEN_BONUSES = _bonuses("- R - ?B T - F ?S P - ?K ?Y")

# TAC-D7
PINK_THRESHOLDS = _numbers("- - 2 3 4 5 6 2 3 4 5 6")
PINK_BONUSES = _bonuses("- - R T P ?G ?Y F ?S R ?B ?Y")

SLOTS = {Color.BLUE: len(BLUE_BONUSES), Color.GREEN: len(GREEN_BONUSES), Color.PINK: len(PINK_BONUSES)}
"""How many slots the areas have that are filled from left to right."""

# TAC-7.2
RANK_FLOORS = (140, 160, 180, 200, 220, 240, 260, 280, 300, 320)
"""The points from which each rank but the lowest is reached in a solo game."""
