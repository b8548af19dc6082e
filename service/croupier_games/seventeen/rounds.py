"""How a round is settled and a game is placed: sums, traps, tokens, the next starter."""

from typing import NamedTuple

from croupier_games.game import Outcome, SeatResult
from croupier_games.seventeen.data import ENOUGH_COMPOSURE, MOST_LAID, NERVES_TO_PUT_BACK, TARGET, Card
from croupier_games.seventeen.view import Row, RowCard, Showdown, counted


class Tokens(NamedTuple):
    """What everybody has in front of them, by seat."""

    composure: tuple[int, ...]
    nerves: tuple[int, ...]


def nearest_caller(callers: list[int], layer: int, seats: int) -> int:
    """Of several callers, the nearest clockwise from the layer, whatever the direction of play (SVT-2.5)."""
    return min(callers, key=lambda seat: (seat - layer) % seats)


def settle(number: int, row: tuple[RowCard, ...], caller: int, last_to_lay: int, before: Tokens) -> Showdown:
    """Turns over the row and says who takes what, and who starts next (SVT-4.1 to SVT-4.6)."""
    total = sum([laid.card.worth for laid in row])
    owners = {laid.seat for laid in row if laid.heart_up and laid.card is Card.TRAP}
    favoured, other = (caller, last_to_lay) if total >= TARGET else (last_to_lay, caller)
    seats = range(len(before.nerves))
    composure = tuple([int(seat in owners or seat == favoured) for seat in seats])  # SVT-4.2, 4.3, 4.4
    nerves = tuple([(seat == caller and bool(owners)) + (seat == other) for seat in seats])  # SVT-4.2, SVT-4.3
    put_back = tuple([seat for seat in seats if before.nerves[seat] + nerves[seat] >= NERVES_TO_PUT_BACK])
    # SVT-4.6: whom the sum favoured has gained composure, if not by the sum, then by a trap.
    return Showdown(
        number, caller, last_to_lay, Row(row), total, tuple(sorted(owners)), composure, nerves, put_back, favoured
    )


def tokens_after(before: Tokens, showdown: Showdown) -> Tokens:
    """Everybody's tokens once they are taken and put back (SVT-4.3, SVT-4.5)."""
    composure = [held + gained for held, gained in zip(before.composure, showdown.composure, strict=True)]
    nerves = [held + gained for held, gained in zip(before.nerves, showdown.nerves, strict=True)]
    for seat in showdown.put_back:
        nerves[seat] -= NERVES_TO_PUT_BACK
        composure[seat] = max(0, composure[seat] - 1)
    return Tokens(tuple(composure), tuple(nerves))


def is_over(tokens: Tokens, cards_laid: int) -> bool:
    """Whether somebody has won, or the game has gone on for too long (SVT-5.1)."""
    return max(tokens.composure) >= ENOUGH_COMPOSURE or cards_laid >= MOST_LAID


def outcome(tokens: Tokens) -> Outcome:
    """The result of a game that ended with these tokens (SVT-5.1, ALL-7)."""
    standings = list(zip(tokens.composure, (1 - nerves for nerves in tokens.nerves), strict=True))
    results = tuple(
        SeatResult(
            place=1 + sum(other > own for other in standings),
            points=own[0],
            tie_breaks=(("calm", own[1]),),
            notes=(f"{own[0]} composure, {counted(1 - own[1], 'nerve')}",),
        )
        for own in standings
    )
    winners = [seat for seat, composure in enumerate(tokens.composure) if composure >= ENOUGH_COMPOSURE]
    if not winners:
        return Outcome(results, f"{MOST_LAID} cards have been laid")
    who = f"seat {winners[0]} has" if len(winners) == 1 else f"seats {' and '.join(map(str, winners))} have"
    return Outcome(results, f"{who} {ENOUGH_COMPOSURE} composure")
