"""Windows: the parts of a turn in which several seats decide at once, each to its own end, unseen by the others.

A seat has finished when it says `done`, and only then: so nobody can tell from who is still asked how far anybody got.
"""

from croupier_games.twice_as_clever.data import GRANTS, TRACK_ENDS, TRACK_SPACES, Bonus
from croupier_games.twice_as_clever.entries import FREE, action_track, has_entry
from croupier_games.twice_as_clever.sheet import Sheet
from croupier_games.twice_as_clever.view import Phase, Step, Task, Turn

WINDOWS = (Phase.GRANT, Phase.PASSIVE, Phase.EXTRA)
CHOOSE = Task(Step.CHOOSE)
FINISH = Task(Step.FINISH)

Tasks = tuple[Task | None, ...]
"""By seat; None for a seat that is not asked, or has finished."""


def opening(phase: Phase, turn: Turn, shown: tuple[Sheet, ...]) -> Tasks:
    """What each seat is asked as a window opens, given the sheets that lie open then."""
    return tuple([_first_task(phase, turn, seat, sheet, len(shown)) for seat, sheet in enumerate(shown)])


def _first_task(phase: Phase, turn: Turn, seat: int, sheet: Sheet, seats: int) -> Task | None:
    if phase == Phase.GRANT:
        pending = granted_entry(turn.round, sheet)
        return Task(Step.BONUS, pending=(pending,)) if pending else None
    if phase == Phase.PASSIVE:
        return CHOOSE if seat != turn.active or seats == 1 else None  # TAC-3.1, TAC-7.1
    return CHOOSE if sheet.extra_dice.left else None  # TAC-4.3


def granted_entry(round_: int, sheet: Sheet) -> Bonus | None:
    """The free entry that the grant of a round gives: its own, or that of the action track it has just filled."""
    bonus = GRANTS[round_ - 1]
    if bonus in TRACK_ENDS:
        bonus = TRACK_ENDS[bonus] if action_track(sheet, bonus).gained == TRACK_SPACES else None
    return bonus if bonus in FREE and has_entry(sheet, bonus) else None
