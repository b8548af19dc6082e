"""Ways to leak in 17: one small fault each in what is seen of hearts, piles and open windows."""

from __future__ import annotations

from collections.abc import Mapping

from croupier_games import Action, Event, OptionValue
from croupier_games.chance import Chance
from croupier_games.seventeen.data import Card
from croupier_games.seventeen.rules import Seventeen, SeventeenState
from croupier_games.seventeen.view import Choice, ChoiceMade, HeartLaid, Row, View


class Faultless(SeventeenState):
    """A state that does everything right; each subclass does one thing wrong."""


class HeartsOfHands(Faultless):
    """A rival's hand shows the front of a heart among its two-sided cards."""

    def view(self, seat: int | None) -> View:
        """Too much."""
        view = super().view(seat)
        players = tuple(
            shown._replace(two_sided=shown.two_sided + tuple(card for card in hand if card < Card.HEART)[:1])
            for shown, hand in zip(view.players, self.hands, strict=True)
        )
        return view._replace(players=players)


class FrontsInTheRow(Faultless):
    """What lies heart up in the row is shown to everybody."""

    def view(self, seat: int | None) -> View:
        """Too much."""
        return super().view(seat)._replace(row=Row(self.row))


class FrontOfTheDrawPile(Faultless):
    """The uppermost card of the draw pile lies the wrong way up."""

    def view(self, seat: int | None) -> View:
        """Too much."""
        view = super().view(seat)
        top = self.pile[self.top] if view.draw_pile.size else Card.UNSPECIFIED
        return view._replace(draw_pile=view.draw_pile._replace(top=top))


class WhoCalled(Faultless):
    """While the window is open, everybody sees whether somebody has called."""

    def view(self, seat: int | None) -> View:
        """Too much."""
        return super().view(seat)._replace(play_two=Choice.CALL in self.choices)


class HeartsToldToAll(Faultless):
    """What a seat laid heart up is told to everybody."""

    kinds: type = HeartLaid

    def play(self, seat: int, action: Action) -> None:
        """Tells too much."""
        super().play(seat, action)
        self.events = tuple(Event(event.what) if isinstance(event.what, self.kinds) else event for event in self.events)


class ChoicesToldToAll(HeartsToldToAll):
    """What a rival chose is told to everybody."""

    kinds = ChoiceMade


class LeakySeventeen(Seventeen):
    """17 with the given fault."""

    def __init__(self, fault: type[Faultless]) -> None:
        self._fault = fault

    def deal(self, seats: int, options: Mapping[str, OptionValue], seed: bytes) -> SeventeenState:
        """As the game does, with the fault."""
        state = self._fault(seats, options, Chance(seed))
        state.start(state.chance.below("start", seats))
        return state


FAULTS: tuple[type[Faultless], ...] = (
    HeartsOfHands,
    FrontsInTheRow,
    FrontOfTheDrawPile,
    WhoCalled,
    HeartsToldToAll,
    ChoicesToldToAll,
)
