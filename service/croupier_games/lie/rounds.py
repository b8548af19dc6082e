"""How rounds go: whose turn it is, what a challenge settles, which round comes next, and who wins."""

from collections.abc import Mapping

from croupier_games.game import OptionValue, Outcome, SeatResult
from croupier_games.lie.data import GROWING, JOKER, SHRINKING, Counting
from croupier_games.lie.view import Direction, Hand, PlacedBid, Round, Showdown


def counting(options: Mapping[str, OptionValue]) -> Counting:
    """How card counts run under these options (LIE-2.1, LIE-3.3)."""
    return SHRINKING if options["fewer_cards"] else GROWING


def seat_after(seat: int, hand_sizes: tuple[int, ...], direction: Direction) -> int:
    """Who follows this seat among those who hold cards (LIE-1.3, LIE-3.2; ALL-3)."""
    step = -1 if direction is Direction.COUNTER_CLOCKWISE else 1
    seat = (seat + step) % len(hand_sizes)
    while not hand_sizes[seat]:
        seat = (seat + step) % len(hand_sizes)
    return seat


def ones_are_jokers(options: Mapping[str, OptionValue], bids: tuple[PlacedBid, ...]) -> bool:
    """Whether cards showing 1 count as every value: not if the round's first bid was on ones (LIE-3.1)."""
    return options["joker_ones"] is True and not (bids and bids[0].value == JOKER)


def true_count(hands: tuple[Hand, ...], value: int, jokers: bool) -> int:
    """How many cards of all hands count for a bid on this value (LIE-1.4, LIE-3.1)."""
    counted = (value, JOKER) if jokers else (value,)
    return sum([card.showing in counted for hand in hands for card in hand.cards])


def settle(round_number: int, hands: tuple[Hand, ...], bid: PlacedBid, challenger: int, jokers: bool) -> Showdown:
    """Counts the cards: a true bid beats its challenger, a false one its bidder (LIE-1.7)."""
    found = true_count(hands, bid.value, jokers)
    winner, loser = (bid.seat, challenger) if found >= bid.count else (challenger, bid.seat)
    return Showdown(round_number, bid, challenger, hands, found, jokers, winner, loser)


def standing_after(before: Round, showdown: Showdown, options: Mapping[str, OptionValue]) -> Round:
    """The same round once its showdown is settled: card counts, who is out, what was shown."""
    counts, out, loser = before.card_counts, before.out, showdown.loser
    if before.extra:  # LIE-2.2: the loser leaves and card counts stay
        out = (*out, loser)
    else:
        run = counting(options)
        count = counts[loser] + run.step  # LIE-1.8, LIE-3.3
        counts = (*counts[:loser], count, *counts[loser + 1 :])
        if count == run.end and options["longer_game"]:  # LIE-3.4
            out = (*out, loser)
    return Round(before.number, before.extra, before.starter, before.hand_sizes, counts, out, showdown)


def round_after(ended: Round, showdown: Showdown, options: Mapping[str, OptionValue]) -> Round | None:
    """The round that follows the standing after a showdown; None: the game is over."""
    counts = ended.card_counts
    extra = ended.extra
    run = counting(options)
    if extra or options["longer_game"]:  # LIE-2.2, LIE-3.4: until one is left
        playing = [seat for seat, size in enumerate(ended.hand_sizes) if size and seat not in ended.out]
    elif counts[showdown.loser] != run.end:
        playing = list(range(len(counts)))
    else:  # LIE-2.1, LIE-2.2: the best has won, or several play on for it
        extra = True
        best = max(map(run.lives, counts))
        playing = [seat for seat, count in enumerate(counts) if run.lives(count) == best]
    if len(playing) == 1:
        return None
    sizes = tuple([count if seat in playing else 0 for seat, count in enumerate(counts)])
    # The winner, unless LIE-2.2 leaves it out; then the next one clockwise, whatever the direction.
    starter = min(playing, key=lambda seat: (seat - showdown.winner) % len(counts))
    return Round(ended.number + 1, extra, starter, sizes, counts, ended.out, showdown)


def outcome(ended: Round, showdown: Showdown, options: Mapping[str, OptionValue]) -> Outcome:
    """The result of a game whose last round ended like this (ALL-7)."""
    figures = [_figures(ended, seat, options) for seat in range(len(ended.card_counts))]
    results = tuple(
        SeatResult(
            place=1 + sum(other > own for other in figures),
            tie_breaks=own,
            notes=(f"stood at {count} card{'' if count == 1 else 's'}",),
        )
        for own, count in zip(figures, ended.card_counts, strict=True)
    )
    return Outcome(results, _reason(ended, showdown, options))


def _figures(ended: Round, seat: int, options: Mapping[str, OptionValue]) -> tuple[tuple[str, int], ...]:
    """What a seat is placed by, the same names for every seat, more being better.

    `lives`: how many more rounds it would have had to lose (LIE-2.1, LIE-3.3). `outlived`: how many of those
    it played on with left before it (LIE-2.2, LIE-3.4)."""
    lives = ("lives", counting(options).lives(ended.card_counts[seat]))
    if not ended.out:
        return (lives,)
    played = ended.hand_sizes[seat] > 0
    left_before = ended.out.index(seat) if seat in ended.out else len(ended.out) * played
    outlived = ("outlived", left_before)
    return (outlived,) if options["longer_game"] else (lives, outlived)


def _reason(ended: Round, showdown: Showdown, options: Mapping[str, OptionValue]) -> str:
    if ended.extra:
        return f"seat {showdown.winner} is the last one left of those who tied for the win"
    if options["longer_game"]:
        return f"seat {showdown.winner} is the last one left"
    if options["fewer_cards"]:
        return f"seat {showdown.loser} has no card left"
    return f"seat {showdown.loser} would have to draw {GROWING.end} cards"
