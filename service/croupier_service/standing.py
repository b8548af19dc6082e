"""The final outcome of a session: what the game says, with forfeits placed last."""

from collections.abc import Sequence
from dataclasses import replace

from croupier_games import Outcome, SeatResult


def final_outcome(seats: int, outcome: Outcome | None, forfeits: Sequence[int]) -> Outcome:
    """Places the seats that forfeited behind the others, the earliest last.

    `outcome` is None when the game ended because at most one seat was left. The others keep the order, and the shared
    places, that the game gave them."""
    if outcome is not None and not forfeits:
        return outcome
    results = list(outcome.results) if outcome else [SeatResult(place=1)] * seats
    stayed = sorted({results[seat].place for seat in range(seats) if seat not in forfeits})
    places: dict[int, int] = {}
    for place in stayed:
        for seat in range(seats):
            if seat not in forfeits and results[seat].place == place:
                places[seat] = 1 + sum(
                    1 for other in range(seats) if other not in forfeits and results[other].place < place
                )
    for behind, seat in enumerate(forfeits):
        places[seat] = seats - behind
    final = tuple(replace(results[seat], place=places[seat]) for seat in range(seats))
    if outcome is not None:
        return Outcome(final, outcome.reason)
    left = [seat for seat in range(seats) if seat not in forfeits]
    reason = f"every seat but {left[0]} was forfeited" if left else "every seat was forfeited"
    return Outcome(final, reason)
