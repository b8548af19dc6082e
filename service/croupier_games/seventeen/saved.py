"""17 – Diciassette as bytes: what is saved of a state, and read back only if it could have been saved so.

What follows from the rest of a state (who decides, the outcome) is worked out, not written.
"""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from croupier_games import saving
from croupier_games.errors import RestoreError
from croupier_games.game import Game, OptionValue
from croupier_games.saving import demand
from croupier_games.seventeen import memory
from croupier_games.seventeen.data import COPIES, DECK, ENOUGH_COMPOSURE, HAND, MOST_LAID, Card
from croupier_games.seventeen.rounds import Tokens, is_over, settle
from croupier_games.seventeen.view import Choice, Direction, Phase, Round, RowCard, Showdown


class Saved(NamedTuple):
    """All that is written of a state."""

    game: str
    version: int
    seats: int
    options: Mapping[str, OptionValue]
    seed: str
    phase: Phase
    round: Round
    hands: tuple[tuple[Card, ...], ...]
    row: tuple[RowCard, ...]
    pile: tuple[Card, ...]
    used: tuple[Card, ...]
    tokens: Tokens
    direction: Direction
    turn: int | None
    laid: int
    to_lay: int
    play_two: bool
    last_to_lay: int | None
    choices: tuple[Choice, ...]
    cards_laid: int
    journal: str


KEPT = Saved._fields[Saved._fields.index("phase") :]
"""The fields that are named as in the state."""


def load(game: Game, data: bytes) -> Saved:
    """What was saved, or RestoreError: the types are right and the table is one that play can reach."""
    saved = saving.load(Saved, game, data)
    _check_seats(saved)
    _check_cards(saved)
    _check_hearts(saved)
    _check_turn(saved)
    _check_round(saved)
    return saved


def _check_seats(saved: Saved) -> None:
    for by_seat in (saved.hands, *saved.tokens, saved.choices):
        demand(len(by_seat) == saved.seats, "what is listed by seat has an entry for each")
    named = [saved.round.starter, *(laid.seat for laid in saved.row)]
    named += [seat for seat in (saved.turn, saved.last_to_lay) if seat is not None]
    demand(all(0 <= seat < saved.seats for seat in named), "seats are seats of the table")


def _check_cards(saved: Saved) -> None:
    row = [laid.card for laid in saved.row]
    everywhere = Counter([*saved.pile, *saved.used, *row, *(card for hand in saved.hands for card in hand)])
    demand(everywhere == Counter(DECK), "every card is in one place")
    demand(all(list(cards) == sorted(cards) for cards in (*saved.hands, saved.used)), "hands and used pile are sorted")
    demand(all(len(hand) <= HAND for hand in saved.hands), f"a hand has at most {HAND} cards")
    demand(saved.pile or not saved.used, "the used pile is shuffled as soon as the draw pile is empty")
    demand(not any(laid.heart_up and laid.card > Card.HEART for laid in saved.row), "two-sided cards have no heart")


def _check_hearts(saved: Saved) -> None:
    """The journal leads to the hearts that are there."""
    try:
        hearts = memory.recall(bytes.fromhex(saved.journal), saved.seats, _hearts(saved.pile))
    except (LookupError, ValueError):
        raise RestoreError("the journal contradicts itself") from None
    demand(hearts.journal.hex() == saved.journal, "a journal is in hex")
    held = [tuple(sorted(hand)) for hand in hearts.hands]
    demand(held == [_hearts(hand) for hand in saved.hands], "the journal tells which hearts are in the hands")
    hidden = tuple(laid.card for laid in saved.row if laid.heart_up)
    demand(hearts.row == hidden, "the journal tells which hearts lie in the row")
    demand(not Counter(hearts.buried) - Counter(saved.used), "the journal tells which hearts are buried")


def _hearts(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    return tuple(card for card in cards if card < Card.HEART)


def _check_turn(saved: Saved) -> None:
    phase, turn, laid, to_lay = saved.phase, saved.turn, saved.laid, saved.to_lay
    demand((turn is None) == (phase is Phase.OVER), "it is somebody's turn until the game is over")
    chosen = [seat for seat, choice in enumerate(saved.choices) if choice]
    demand(phase is Phase.CALLS or not chosen, "choices follow a lay")
    demand(turn not in chosen and len(chosen) < saved.seats - 1, "somebody has still to choose")
    demand(0 <= laid <= 2 and 0 <= to_lay <= 2 and laid + to_lay <= 2, "a turn lays one card or two")
    demand((saved.last_to_lay is not None) or not saved.row, "a row has been laid by somebody")
    if turn is None:
        demand(laid == to_lay == 0 and not saved.play_two, "nothing is laid when the game is over")
        return
    if laid:
        demand(saved.last_to_lay == turn, "who lays in this turn was the last to lay")
    else:
        demand(saved.last_to_lay != turn and not saved.play_two, "somebody else laid before")
    if phase is Phase.CALLS:
        demand(saved.row and laid and not to_lay, "rivals choose when everything has been laid")
    else:
        demand(to_lay <= len(saved.hands[turn]), "only cards of the hand can be laid")
        demand(bool(to_lay) == bool(saved.hands[turn]), "who has a card may lay it")
        demand(to_lay or saved.row, "who has no card has a row to call")


def _check_round(saved: Saved) -> None:
    number, showdown = saved.round.number, saved.round.last_showdown
    over = saved.phase is Phase.OVER
    demand(number >= 1 and saved.cards_laid >= 0, "rounds and cards are counted")
    demand(saved.cards_laid <= MOST_LAID + 1, f"a game ends when {MOST_LAID} cards have been laid")
    if over or not saved.laid:
        demand(over == is_over(saved.tokens, saved.cards_laid), "the game is over when it is over")
    composure, nerves = saved.tokens
    most = ENOUGH_COMPOSURE if over else ENOUGH_COMPOSURE - 1
    demand(all(0 <= held <= most for held in composure), "composure is within its limits")
    demand(all(0 <= held <= 1 for held in nerves), "nerves are within their limits")
    demand(showdown is not None or number == 1, "every round but the first has one before it")
    if showdown is not None:
        demand(number > 1 or over, "the first round has none before it")
        _check_showdown(showdown, saved)


def _check_showdown(shown: Showdown, saved: Saved) -> None:
    seats = range(saved.seats)
    number = saved.round.number
    demand(shown.round in (number - 1, number) and shown.round >= 1, "the showdown is that of the round before")
    known = {shown.caller, shown.last_to_lay, shown.starter, *(laid.seat for laid in shown.row.cards)} <= set(seats)
    demand(known and shown.caller != shown.last_to_lay, "one seat calls after another")
    demand(shown.row.cards and all(laid.card in COPIES for laid in shown.row.cards), "a showdown shows a row of cards")
    # Whoever put nerves back had some, and how many they have left is known.
    before = tuple(
        saved.tokens.nerves[seat] - gained + 2 * (seat in shown.put_back) for seat, gained in enumerate(shown.nerves)
    )
    again = settle(shown.round, shown.row.cards, shown.caller, shown.last_to_lay, Tokens((), before))
    demand(shown == again and set(before) <= {0, 1}, "a showdown shows what was there")
