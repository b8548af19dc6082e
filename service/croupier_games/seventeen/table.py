"""The table of 17 – Diciassette: where every card is, who sees what of it, and how cards are drawn.

What may be done at it is in rules.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Self

from croupier_games import saving
from croupier_games.chance import Chance
from croupier_games.game import Event, OptionValue, Outcome, State
from croupier_games.seventeen import memory
from croupier_games.seventeen.data import DECK, HAND, Card
from croupier_games.seventeen.rounds import Tokens
from croupier_games.seventeen.saved import KEPT, Saved
from croupier_games.seventeen.view import (
    CardDrawn,
    Choice,
    Direction,
    DrawPile,
    FrontSeen,
    HandsDealt,
    HandTaken,
    Phase,
    PileShuffled,
    Player,
    Round,
    Row,
    RowCard,
    View,
    draw_pile,
    own_hand,
    player,
    public_row,
    row_card,
    row_for,
)

HEART = Card.HEART

_front_seen = cache(lambda seat, card: Event(FrontSeen(card), seat))


class Table(State):
    """All that is on the table, hidden parts included.

    Every part is immutable and replaced as a whole, so a clone shares them all."""

    __slots__ = (
        "_rows",
        "cards_laid",
        "chance",
        "choices",
        "deciders",
        "direction",
        "events",
        "hands",
        "journal",
        "laid",
        "last_to_lay",
        "options",
        "outcome",
        "phase",
        "pile",
        "play_two",
        "round",
        "row",
        "seats",
        "to_lay",
        "tokens",
        "top",
        "turn",
        "used",
    )

    chance: Chance
    phase: Phase
    round: Round
    hands: tuple[tuple[Card, ...], ...]
    """By seat, each sorted."""
    row: tuple[RowCard, ...]
    """Every card with its front."""
    pile: tuple[Card, ...]
    """The draw pile as it was shuffled, the uppermost card first."""
    top: int
    """How many cards have been drawn from it."""
    used: tuple[Card, ...]
    """The used pile, in no order that matters."""
    tokens: Tokens
    direction: Direction
    turn: int | None
    """Whose turn it is, or whose lays the others answer."""
    laid: int
    """Cards laid in this turn."""
    to_lay: int
    """Cards still to be laid in this turn."""
    play_two: bool
    """Whether the next turn must lay two cards (SVT-3.2)."""
    last_to_lay: int | None
    """In this round, by time (SVT-3.3)."""
    choices: tuple[Choice, ...]
    """What the rivals have chosen so far, by seat (SVT-2.5)."""
    cards_laid: int
    """In the whole game."""
    journal: bytes
    """What has happened to the cards with hearts; see memory.py."""
    _rows: dict[int | None, Row]
    """The row as viewers see it, as far as they have looked."""

    def __init__(self, seats: int, options: Mapping[str, OptionValue], chance: Chance) -> None:
        self.seats = seats
        self.options = options
        self.chance = chance
        self.outcome: Outcome | None = None
        self.events = ()
        self._rows = {}

    def view(self, seat: int | None) -> View:
        """What lies face up, the backs of hands and draw pile, and what only this seat knows (SVT-1.1 to SVT-1.3)."""
        hand, choice = None, Choice.UNSPECIFIED
        if seat is not None:
            if not 0 <= seat < self.seats:
                raise ValueError(f"the seats are 0 to {self.seats - 1}, got {seat}")
            hand, choice = own_hand(self.hands[seat]), self.choices[seat]
        return View(
            self.phase,
            self.round,
            self._players(),
            hand,
            self._row(seat),
            self._draw_pile(),
            len(self.used),
            self.direction,
            self.turn,
            self.to_lay,
            self.play_two,
            self.last_to_lay,
            choice,
            self.cards_laid,
        )

    def _players(self) -> tuple[Player, ...]:
        return tuple(map(player, self.hands, self.tokens.composure, self.tokens.nerves))

    def _row(self, seat: int | None) -> Row:
        rows = self._rows
        if seat not in rows:
            public = rows.get(None) or rows.setdefault(None, public_row(self.row))
            rows[seat] = row_for(seat, self.row, public)
        return rows[seat]

    def _draw_pile(self) -> DrawPile:
        left = len(self.pile) - self.top
        return draw_pile(left, self.pile[self.top].back if left else Card.UNSPECIFIED)

    # ---- copying ----

    def clone(self) -> Self:
        """An independent copy."""
        copy = type(self).__new__(type(self))
        for name in Table.__slots__:
            setattr(copy, name, getattr(self, name))
        return copy

    def resample(self, seat: int | None, seed: bytes) -> Self:
        """A copy in which hearts and choices that the seat has not seen, and all that is to come, are drawn anew."""
        copy = self.clone()
        copy.chance = chance = Chance(seed)
        copy.events = tuple(event for event in self.events if event.audience is None or event.audience == seat)
        draws = chance.rolls("resample/choices", 2, self.seats)
        copy.choices = tuple(
            Choice(draw) if choice and chooser != seat else choice
            for chooser, (choice, draw) in enumerate(zip(self.choices, draws, strict=True))
        )
        known = self.journal, self.seats, tuple([card for card in self.pile[self.top :] if card < HEART])
        copy._exchange_hearts(memory.recall(*known), memory.redraw(chance, seat, *known))
        return copy

    def _exchange_hearts(self, before: memory.Hearts, hearts: memory.Hearts) -> None:
        """Puts other hearts into every hand, the row and both piles; of the draw pile only the back on top stays."""
        self.journal = hearts.journal
        self.hands = tuple(
            tuple(sorted((*held, *(card for card in hand if card > HEART))))
            for held, hand in zip(hearts.hands, self.hands, strict=True)
        )
        hidden = iter(hearts.row)
        self.set_row(tuple(row_card(seat, next(hidden) if up else card, up) for seat, card, up in self.row))
        used = list(self.used)
        for was, becomes in zip(before.buried, hearts.buried, strict=True):
            used[used.index(was)] = becomes
        self.used = tuple(sorted(used))
        left = self.pile[self.top :]
        top = left[:1]
        if top and top[0] < HEART:
            top = self.chance.shuffled("resample/top", hearts.pile, 1)
        below = [*hearts.pile, *(card for card in left if card > HEART)]
        for card in top:
            below.remove(card)
        self.pile = top + self.chance.shuffled("resample/pile", below)
        self.top = 0

    def save(self) -> bytes:
        """The whole state as JSON."""
        kept = {name: getattr(self, name) for name in KEPT}
        kept |= {"pile": self.pile[self.top :], "used": tuple(sorted(self.used)), "journal": self.journal.hex()}
        game, seed = type(self).game, self.chance.seed.hex()
        return saving.dump(Saved(game.id, game.version, self.seats, self.options, seed, **kept))

    def put(self, was: Saved) -> None:
        """Makes the table what it was when it was saved."""
        for name in KEPT:
            setattr(self, name, getattr(was, name))
        self.top = 0
        self.journal = bytes.fromhex(was.journal)

    # ---- cards ----

    def deal(self) -> None:
        """Shuffles all cards, gives everybody a hand and lays out the rest (SVT-2.1)."""
        cards = self.chance.shuffled("deal", DECK)
        dealt, seats = HAND * self.seats, range(self.seats)
        self.hands = tuple(tuple(sorted(cards[seat : dealt : self.seats])) for seat in seats)
        self.pile, self.top, self.used, self.row = cards[dealt:], 0, (), ()
        held = [(seat, card) for seat in seats for card in self.hands[seat] if card < HEART]
        self.journal = b"".join(memory.DRAWN[seat][card] for seat, card in held)
        none = (0,) * self.seats
        self.tokens = Tokens(none, none)
        self.choices = (Choice.UNSPECIFIED,) * self.seats
        self.direction = Direction.CLOCKWISE
        self.play_two, self.last_to_lay, self.cards_laid = False, None, 0
        own = [Event(HandTaken(own_hand(hand)), seat) for seat, hand in enumerate(self.hands)]
        self.events = (Event(HandsDealt(self._players(), self._draw_pile())), *own)

    def draw(self, seat: int, count: int) -> None:
        """Draws so many cards, or as many as there are (SVT-2.6, SVT-2.7)."""
        for _ in range(min(count, len(self.pile) - self.top + len(self.used))):
            card = self.pile[self.top]
            self.top += 1
            self.set_hand(seat, tuple(sorted((*self.hands[seat], card))))
            if card < HEART:
                self.journal += memory.DRAWN[seat][card]
            self.events += (Event(CardDrawn(seat, card.back, self._draw_pile())), _front_seen(seat, card))
            self.refill()

    def refill(self) -> None:
        """Shuffles the used pile into a new draw pile as soon as that is empty (SVT-2.7)."""
        if self.top == len(self.pile) and self.used:
            self.journal += memory.SHUFFLED
            number = self.journal.count(memory.SHUFFLED)
            self.pile = self.chance.shuffled(f"shuffle/{number}", sorted(self.used))
            self.top = 0
            self.used = ()
            self.events += (Event(PileShuffled(self._draw_pile())),)

    def set_hand(self, seat: int, hand: tuple[Card, ...]) -> None:
        """Gives a seat these cards, which are sorted."""
        self.hands = (*self.hands[:seat], hand, *self.hands[seat + 1 :])

    def set_row(self, row: tuple[RowCard, ...]) -> None:
        """Makes this the row."""
        self.row = row
        self._rows = {}
