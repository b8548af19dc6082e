"""How a game ends: points, places, and the rank of a solo game."""

from croupier_games.game import Outcome, SeatResult
from croupier_games.twice_as_clever.data import AREAS, RANK_FLOORS
from croupier_games.twice_as_clever.sheet import Sheet, total


def outcome(sheets: tuple[Sheet, ...], fox_floor_zero: bool) -> Outcome:
    """The most points win, then the higher best area, then the win is shared (TAC-6.1, ALL-7)."""
    totals = [total(sheet, fox_floor_zero) for sheet in sheets]
    figures = [(points, max(sheet.area_points)) for points, sheet in zip(totals, sheets, strict=True)]
    results = tuple(
        SeatResult(
            place=1 + sum(other > own for other in figures),
            points=own[0],
            tie_breaks=(("best_area", own[1]),),
            notes=_notes(sheet, own[0], solo=len(sheets) == 1),
        )
        for own, sheet in zip(figures, sheets, strict=True)
    )
    return Outcome(results, "the last round is over")


def _notes(sheet: Sheet, points: int, solo: bool) -> tuple[str, ...]:
    areas = ", ".join(f"{area} {worth}" for area, worth in zip(AREAS, sheet.area_points, strict=True))
    foxes = points - sum(sheet.area_points)
    notes = (areas, f"{sheet.foxes} {'fox' if sheet.foxes == 1 else 'foxes'} worth {foxes}")
    return (*notes, f"solo rank {rank(points)} of {len(RANK_FLOORS) + 1}") if solo else notes


def rank(points: int) -> int:
    """The rank of a solo game: 1 is the lowest, 11 the highest (TAC-7.2)."""
    return 1 + sum(points >= floor for floor in RANK_FLOORS)
