"""LIE as bytes: what is saved of a state, and read back only if it makes sense by the rules.

What follows from the rest of a state (whose turn it is, the outcome) is worked out, not written.
"""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from croupier_games import saving
from croupier_games.game import Game, OptionValue
from croupier_games.lie.actions import rank
from croupier_games.lie.data import DECK, VALUES
from croupier_games.lie.rounds import counting, ones_are_jokers, round_after, seat_after, settle, standing_after
from croupier_games.lie.view import Direction, Hand, Phase, PlacedBid, Round, Showdown
from croupier_games.saving import demand


class Saved(NamedTuple):
    """All that is written of a state."""

    game: str
    version: int
    seats: int
    options: Mapping[str, OptionValue]
    seed: str
    phase: Phase
    round: Round
    hands: tuple[Hand, ...]
    direction: Direction
    bids: tuple[PlacedBid, ...]


def load(game: Game, data: bytes) -> Saved:
    """What was saved, or RestoreError: the types are right, and the table is one from which play can go on.

    How it got there is not retraced: of earlier rounds only what is still in sight is checked."""
    saved = saving.load(Saved, game, data)
    _check(saved)
    return saved


def _check(saved: Saved) -> None:
    round_ = saved.round
    for counts in (round_.hand_sizes, round_.card_counts, saved.hands):
        demand(len(counts) == saved.seats, "what is listed by seat has an entry for each")
    known = set(range(saved.seats))
    demand({round_.starter, *round_.out} <= known, "seats are seats of the table")
    demand(len(set(round_.out)) == len(round_.out), "a seat leaves once")
    _check_hands(saved.hands, round_.hand_sizes)
    demand(round_.hand_sizes[round_.starter] > 0, "the starter holds cards")
    _check_phase(saved)
    _check_bids(saved)
    if saved.phase is Phase.OVER:
        _check_end(saved)
        return
    played = _check_standing(round_, saved.options)
    demand((round_.last_showdown is None) == (played == 0), "every round but the first has one before it")
    if round_.last_showdown:
        _check_showdown(round_.last_showdown, played, saved)


def _check_hands(hands: tuple[Hand, ...], sizes: tuple[int, ...] | None = None) -> None:
    cards = [card for hand in hands for card in hand.cards]
    demand(not Counter((card.low, card.high) for card in cards) - Counter(DECK), "every card is in the deck once")
    for hand in hands:
        demand(list(hand.cards) == sorted(hand.cards), "hands are sorted")
        turned = {card.showing != 0 for card in hand.cards}
        demand(len(turned) <= 1, "a hand is arranged as a whole")
    demand(all(card.showing in (0, card.low, card.high) for card in cards), "a card shows one of its values")
    demand(sizes is None or [len(hand.cards) for hand in hands] == list(sizes), "hands have their sizes")


def _check_standing(round_: Round, options: Mapping[str, OptionValue]) -> int:
    """Every round takes one life or, if extra, one seat: from that follow who plays and how many were played."""
    run = counting(options)
    full = run.lives(run.start)
    lives = [run.lives(count) for count in round_.card_counts]
    demand(all(0 <= left <= full for left in lives), "card counts are within their limits")
    played = sum(full - left for left in lives) + (len(round_.out) if round_.extra else 0)
    demand(round_.number == played + 1, "the number of the round fits the card counts")
    lost = {seat for seat, left in enumerate(lives) if left == 0}
    if round_.extra:
        demand(len(lost) == 1 and not options["longer_game"], "extra rounds follow a game that one has lost")
        playing = {seat for seat, left in enumerate(lives) if left == max(lives)}
        demand(set(round_.out) <= playing, "only who plays can leave")
    else:
        demand(lost == set(round_.out), "who has lost is out")
        demand(not lost or options["longer_game"] is True, "the game ends when one has lost")
        playing = set(range(len(lives)))
    playing -= set(round_.out)
    sizes = [count if seat in playing else 0 for seat, count in enumerate(round_.card_counts)]
    demand(len(playing) > 1 and list(round_.hand_sizes) == sizes, "who plays holds as many cards as counted")
    return played


def _check_end(saved: Saved) -> None:
    """The game is over if doubting the last bid, in a round that could be played, was the end of it."""
    ended, options = saved.round, saved.options
    demand(saved.bids, "a game ends with a bid that is doubted")
    bid = saved.bids[-1]
    challenger = seat_after(bid.seat, ended.hand_sizes, saved.direction)
    showdown = settle(ended.number, saved.hands, bid, challenger, ones_are_jokers(options, saved.bids))
    demand(ended.last_showdown == showdown, "the last showdown is that of the last bid")
    counts, out, loser = ended.card_counts, ended.out, showdown.loser
    if ended.extra or options["longer_game"]:
        out = out[:-1]
    if not ended.extra:
        counts = (*counts[:loser], counts[loser] - counting(options).step, *counts[loser + 1 :])
    before = ended._replace(card_counts=counts, out=out)
    demand(standing_after(before, showdown, options) == ended, "the last showdown led to this end")
    _check_standing(before, options)
    demand(round_after(ended, showdown, options) is None, "the game is over")


def _check_showdown(showdown: Showdown, played: int, saved: Saved) -> None:
    bid, challenger, hands, seats = showdown.bid, showdown.challenger, showdown.hands, saved.seats
    demand(showdown.round == played and len(hands) == seats, "the showdown is that of the round before")
    _check_hands(hands)
    demand(all(card.showing for hand in hands for card in hand.cards), "a showdown shows all hands arranged")
    demand({bid.seat, challenger} <= set(range(seats)) and bid.seat != challenger, "one seat doubts another")
    demand(bool(hands[bid.seat].cards and hands[challenger].cards), "who bids and who doubts hold cards")
    demand(
        1 <= bid.count <= sum(len(hand.cards) for hand in hands) and bid.value in VALUES,
        "the bid is possible",
    )
    demand(saved.options["joker_ones"] or not showdown.ones_were_jokers, "ones are jokers with joker_ones only")
    again = settle(played, hands, bid, challenger, showdown.ones_were_jokers)
    demand(showdown == again, "a showdown shows what was there")


def _check_phase(saved: Saved) -> None:
    phase, direction = saved.phase, saved.direction
    unturned = [not card.showing for hand in saved.hands for card in hand.cards]
    demand(any(unturned) == (phase is Phase.ARRANGE), "hands are arranged before anything else")
    chosen = bool(saved.options["choose_direction"])
    demand(phase is not Phase.DECLARE or chosen, "directions are declared with choose_direction only")
    if chosen and phase in (Phase.ARRANGE, Phase.DECLARE):
        demand(direction is Direction.UNSPECIFIED, "a direction is declared before the first bid")
    elif chosen:
        demand(direction is not Direction.UNSPECIFIED, "a direction is declared before the first bid")
    else:
        demand(direction is Direction.CLOCKWISE, "turns go clockwise without choose_direction")


def _check_bids(saved: Saved) -> None:
    round_, cards = saved.round, sum(saved.round.hand_sizes)
    demand(not saved.bids or saved.phase in (Phase.BID, Phase.OVER), "bids follow the arranging")
    bidder, highest = round_.starter, -1
    for seat, count, value in saved.bids:
        demand(seat == bidder, "seats bid in turn")
        demand(1 <= count <= cards and value in VALUES, "a bid is possible")
        height = rank(saved.options["bid_order"] == "count_first", cards, count, value)
        demand(height > highest, "bids rise")
        bidder, highest = seat_after(seat, round_.hand_sizes, saved.direction), height
