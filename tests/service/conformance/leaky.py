"""Ways to leak: LIE with one small fault each, which nobody would see in its views by looking at them."""

from __future__ import annotations

from collections.abc import Mapping

from croupier_games import Action, Event, IllegalAction, OptionValue, State
from croupier_games.lie import LIE
from croupier_games.lie.rules import Lie, LieState
from croupier_games.lie.view import HandArranged, View


class Leaky(State):
    """A state of LIE that does everything right; each subclass does one thing wrong."""

    game = LIE

    def __init__(self, inner: LieState) -> None:
        self.inner = inner
        self._show()

    def _show(self) -> None:
        inner = self.inner
        self.seats, self.options, self.deciders = inner.seats, inner.options, inner.deciders
        self.outcome, self.events = inner.outcome, inner.events

    def secret(self, seat: int | None) -> int:
        """Something about the hands of the others."""
        hands = [hand for holder, hand in enumerate(self.inner.hands) if holder != seat]
        return sum(card.low + card.showing for hand in hands for card in hand.cards)

    def legal(self, seat: int) -> tuple[Action, ...]:
        return self.inner.legal(seat)

    def play(self, seat: int, action: Action) -> None:
        self.inner.play(seat, action)
        self._show()

    def view(self, seat: int | None) -> View:
        return self.inner.view(seat)

    def clone(self) -> Leaky:
        copy = type(self)(self.inner.clone())
        copy.events = self.events
        return copy

    def resample(self, seat: int | None, seed: bytes) -> Leaky:
        return type(self)(self.inner.resample(seat, seed))

    def save(self) -> bytes:
        return self.inner.save()


class InView(Leaky):
    """A field that people seldom read depends on the hands of others."""

    def view(self, seat: int | None) -> View:
        view = super().view(seat)
        return view._replace(round=view.round._replace(out=(self.secret(seat),)))


class InLegalOrder(Leaky):
    """The legal actions stand in an order that depends on the hands of others."""

    def legal(self, seat: int) -> tuple[Action, ...]:
        legal = super().legal(seat)
        return legal[::-1] if self.secret(seat) % 2 else legal


class InRefusal(Leaky):
    """A refusal explains itself with what only others know."""

    def play(self, seat: int, action: Action) -> None:
        try:
            super().play(seat, action)
        except IllegalAction as error:
            raise IllegalAction(f"{error} ({self.secret(seat)})") from None


class InReason(Leaky):
    """Which of two reasons a refusal gives depends on the hands of others."""

    def play(self, seat: int, action: Action) -> None:
        if seat in self.deciders and action not in self.legal(seat) and self.secret(seat) % 2:
            raise IllegalAction("no")
        super().play(seat, action)


class ToEverybody(Leaky):
    """What one seat is told is told to all."""

    def _show(self) -> None:
        super()._show()
        self.events = tuple(
            Event(event.what) if isinstance(event.what, HandArranged) else event for event in self.events
        )


class ToTheNext(Leaky):
    """A private event goes to the neighbour."""

    def _show(self) -> None:
        super()._show()
        self.events = tuple(
            event if event.audience is None else Event(event.what, (event.audience + 1) % self.seats)
            for event in self.events
        )


class LeakyLie(Lie):
    """LIE with the given fault."""

    def __init__(self, fault: type[Leaky]) -> None:
        self._fault = fault

    def deal(self, seats: int, options: Mapping[str, OptionValue], seed: bytes) -> State:  # type: ignore[override]
        return self._fault(super().deal(seats, options, seed))


FAULTS: tuple[type[Leaky], ...] = (InView, InLegalOrder, InRefusal, InReason, ToEverybody, ToTheNext)
