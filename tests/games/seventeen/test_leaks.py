"""The leak gate for 17: it passes the game, and catches every way to show a little too much.

Random players call at once, so their rows are short and nothing is ever buried: here patient ones play."""

from collections.abc import Iterator, Mapping
from itertools import permutations
from typing import Any

import pytest

from croupier_games import Action, Event, IllegalAction, OptionValue
from croupier_games.chance import Chance
from croupier_games.conformance import Case
from croupier_games.conformance import leaks as gate
from croupier_games.conformance.hidden import resample_keeps_what_is_known, sealed_choices_are_redrawn
from croupier_games.conformance.play import Broken, Play, at_random
from croupier_games.seventeen import SEVENTEEN, memory
from croupier_games.seventeen.actions import CALL
from croupier_games.seventeen.data import Card
from croupier_games.seventeen.rules import Seventeen, SeventeenState
from croupier_games.seventeen.view import (
    CallMade,
    CardsRemoved,
    Choice,
    ChoiceMade,
    FrontSeen,
    HandTaken,
    HeartLaid,
    Phase,
    RoundStarted,
    Row,
    View,
)

GATE = {check.__name__: check for check in (resample_keeps_what_is_known, *gate.CHECKS)}


def patient(play: Play, purpose: str, size: int) -> int:
    """As at random, but calling, which always comes last, only one time in eight."""
    at = at_random(play, purpose, size)
    calls = purpose.startswith("action") and size > 1 and at == size - 1
    return at_random(play, f"{purpose}/again", size - 1) if calls and at_random(play, f"{purpose}/calm", 8) else at


class Faultless(SeventeenState):
    """Does everything right; each subclass does one thing wrong."""

    def unseen(self, seat: int | None) -> Iterator[Card]:
        """The hearts in the hands of others."""
        for holder, hand in enumerate(self.hands):
            if holder != seat:
                yield from (card for card in hand if card < Card.HEART)


class HeartsOfHands(Faultless):
    """A rival's hand shows the front of a heart among its two-sided cards."""

    def view(self, seat: int | None) -> View:
        view = super().view(seat)
        players = tuple(
            shown._replace(two_sided=shown.two_sided + tuple(card for card in hand if card < Card.HEART)[:1])
            for shown, hand in zip(view.players, self.hands, strict=True)
        )
        return view._replace(players=players)


class SumOfHearts(Faultless):
    """A number that people seldom read depends on the hearts of others."""

    def view(self, seat: int | None) -> View:
        view = super().view(seat)
        return view._replace(cards_laid=view.cards_laid + sum(card.worth for card in self.unseen(seat)))


class HandsInOrderOfTheirFronts(Faultless):
    """Hearts and two-sided cards are listed together, sorted by their fronts."""

    def view(self, seat: int | None) -> View:
        view = super().view(seat)
        players = tuple(
            shown._replace(two_sided=tuple(card.back for card in sorted(hand, key=lambda card: (card.worth, card))))
            for shown, hand in zip(view.players, self.hands, strict=True)
        )
        return view._replace(players=players)


class FrontsInTheRow(Faultless):
    """The row is shown as the rules know it."""

    def view(self, seat: int | None) -> View:
        return super().view(seat)._replace(row=Row(self.row))


class FrontsInTheRowToTheNext(Faultless):
    """Only the next seat sees what was laid heart up."""

    def view(self, seat: int | None) -> View:
        view = super().view(seat)
        if seat is None:
            return view
        row = super().view((seat - 1) % self.seats).row
        return view._replace(row=row)


class FrontOfTheDrawPile(Faultless):
    """The uppermost card of the draw pile lies the wrong way up."""

    def view(self, seat: int | None) -> View:
        view = super().view(seat)
        top = self.pile[self.top] if view.draw_pile.size else Card.UNSPECIFIED
        return view._replace(draw_pile=view.draw_pile._replace(top=top))


class NextButOneOfTheDrawPile(Faultless):
    """The back of the second card can be seen as well."""

    def view(self, seat: int | None) -> View:
        view = super().view(seat)
        return view._replace(play_two=self.pile[self.top + 1 : self.top + 2] > (Card.HEART,))


class UsedPile(Faultless):
    """The size of the used pile depends on what was buried there."""

    def view(self, seat: int | None) -> View:
        return super().view(seat)._replace(used_size=sum(card.worth for card in self.used))


class WhoCalled(Faultless):
    """While the window is open, everybody sees whether somebody has called."""

    def view(self, seat: int | None) -> View:
        return super().view(seat)._replace(play_two=Choice.CALL in self.choices)


class WhoPassed(Faultless):
    """While the window is open, a choice is shown to the left neighbour."""

    def view(self, seat: int | None) -> View:
        view = super().view(seat)
        return view if seat is None else view._replace(choice=self.choices[seat] or self.choices[seat - 1])


class WhoHesitates(Faultless):
    """While the window is open, everybody sees how many have still to choose."""

    def view(self, seat: int | None) -> View:
        view = super().view(seat)
        return view._replace(to_lay=len(self.deciders)) if self.phase is Phase.CALLS else view


class IdentityOfHearts(Faultless):
    """Hearts in the row can be told apart by when they were drawn."""

    def view(self, seat: int | None) -> View:
        view = super().view(seat)
        drawn = [self.journal.find(memory.DRAWN[laid.seat][laid.card]) for laid in self.row if laid.heart_up]
        return view._replace(cards_laid=1000 * view.cards_laid + sum(drawn))


class ToldToAll(Faultless):
    """What one seat is told is told to everybody."""

    kinds: tuple[type, ...] = ()

    def play(self, seat: int, action: Action) -> None:
        super().play(seat, action)
        self.events = tuple(
            Event(what) if isinstance(what, self.kinds) else Event(what, to) for what, to in self.events
        )


class DrawsToldToAll(ToldToAll):
    """The front of a drawn card."""

    kinds = (FrontSeen,)


class HeartsToldToAll(ToldToAll):
    """The front of a card laid heart up."""

    kinds = (HeartLaid,)


class ChoicesToldToAll(ToldToAll):
    """What a rival chose."""

    kinds = (ChoiceMade,)


class HandsToldToAll(ToldToAll):
    """The hand of whoever laid."""

    kinds = (HandTaken,)

    def play(self, seat: int, action: Action) -> None:
        super().play(seat, action)
        hand = super().view(seat).hand
        assert hand is not None
        self.events += (Event(HandTaken(hand)),)


class EveryCallerNamed(Faultless):
    """Afterwards, also those callers are named who sat further away."""

    def play(self, seat: int, action: Action) -> None:
        callers = [other for other, choice in enumerate(self.choices) if choice is Choice.CALL]
        callers += [seat] if action is CALL and self.phase is Phase.CALLS else []
        super().play(seat, action)
        if any(isinstance(event.what, CallMade) for event in self.events):
            self.events += tuple(Event(CallMade(caller)) for caller in callers)


class LastToChooseNamed(Faultless):
    """Afterwards, it is told who made the others wait."""

    def play(self, seat: int, action: Action) -> None:
        answering = self.phase is Phase.CALLS
        super().play(seat, action)
        if answering and self.phase is not Phase.CALLS:
            self.events += (Event(RoundStarted(self.round.number, seat)),)


class FrontsOfRemovedCards(Faultless):
    """Remove-last is not unseen."""

    def play(self, seat: int, action: Action) -> None:
        row = self.row
        super().play(seat, action)
        if any(isinstance(event.what, CardsRemoved) for event in self.events):
            self.events += (Event(CardsRemoved(seat, tuple(laid.card for laid in row[-1:]), 0)),)


class RefusalsThatTell(Faultless):
    """A refusal explains itself with what only others know."""

    def play(self, seat: int, action: Action) -> None:
        try:
            super().play(seat, action)
        except IllegalAction as error:
            raise IllegalAction(f"{error} ({sum(card.worth for card in self.unseen(seat))})") from None


LEAKS: dict[type[Faultless], str] = {
    HeartsOfHands: "resample_keeps_what_is_known",
    SumOfHearts: "resample_keeps_what_is_known",
    HandsInOrderOfTheirFronts: "resample_keeps_what_is_known",
    FrontsInTheRow: "resample_keeps_what_is_known",
    FrontsInTheRowToTheNext: "resample_keeps_what_is_known",
    FrontOfTheDrawPile: "resample_keeps_what_is_known",
    NextButOneOfTheDrawPile: "resample_keeps_what_is_known",
    UsedPile: "resample_keeps_what_is_known",
    WhoCalled: "open_decisions_stay",
    WhoPassed: "open_decisions_stay",
    WhoHesitates: "open_decisions_stay",
    IdentityOfHearts: "resample_keeps_what_is_known",
    DrawsToldToAll: "worlds_stay_alike",
    HeartsToldToAll: "choices_leak_only_as_shown",
    ChoicesToldToAll: "open_decisions_stay",
    HandsToldToAll: "events_hold_no_secrets",
    EveryCallerNamed: "choices_leak_only_as_shown",
    FrontsOfRemovedCards: "worlds_stay_alike",
    RefusalsThatTell: "refusals_tell_nothing",
}
"""Each leak, and a check that must find it."""


def game_of(kind: type[Faultless]) -> Seventeen:
    class Game(Seventeen):
        def deal(self, seats: int, options: Mapping[str, OptionValue], seed: bytes) -> SeventeenState:
            state = kind(seats, options, Chance(seed))
            state.start(state.chance.below("start", seats))
            return state

    game = Game()
    kind.game = game
    return game


def first_leak(kind: type[Faultless], check: str, seeds: int) -> Broken | None:
    game = game_of(kind)
    for seats, number in [(seats, number) for number in range(seeds) for seats in (2, 3, 4, 6)]:
        try:
            GATE[check](Play(Case(game, seats, {}, number), patient))
        except Broken as leak:
            return leak
    return None


@pytest.mark.rule("SVT-1.1", "SVT-1.2", "SVT-1.3", "ALL-4", "ALL-5")
@pytest.mark.parametrize("check", GATE)
def test_the_game_passes_the_gate_with_patient_players(check: str) -> None:
    assert first_leak(Faultless, check, 3) is None


@pytest.mark.parametrize("leak", LEAKS)
def test_the_gate_catches_the_leak(leak: type[Faultless]) -> None:
    assert first_leak(leak, LEAKS[leak], 8)


def test_patient_players_reach_what_the_gate_is_to_look_at() -> None:
    """Hearts are buried, piles shuffled, windows answered in part, and hearts lie in the row."""
    reached: set[str] = set()
    for number in range(12):
        for state in Play(Case(SEVENTEEN, 2 + number % 5, {}, number), patient).steps():
            assert isinstance(state, SeventeenState)
            reached |= {"buried"} if memory.BURIED in state.journal else set()
            reached |= {"shuffled"} if memory.SHUFFLED in state.journal else set()
            reached |= {"half a window"} if any(state.choices) else set()
            reached |= {"hearts"} if any(laid.heart_up for laid in state.row) else set()
    assert reached == {"buried", "shuffled", "half a window", "hearts"}


def told_after_a_window(kind: type[Faultless], order: tuple[int, ...]) -> list[object]:
    state = game_of(kind).new(seats=4, options={}, seed=bytes(32))
    layer = state.deciders[0]
    state.play(layer, state.legal(layer)[0])
    told: list[object] = []
    for step in order:
        state.play((layer + step) % 4, state.legal((layer + step) % 4)[0])
        told += [event.what for event in state.events if event.audience is None]
    return told


@pytest.mark.rule("ALL-4", "SVT-2.5")
def test_the_order_of_answers_is_told_to_nobody_and_a_game_that_told_would_be_noticed() -> None:
    """`resample` keeps who has still to choose, so who was last is looked at here: by asking in every order."""
    orders = list(permutations((1, 2, 3)))
    assert all(told_after_a_window(Faultless, order) == told_after_a_window(Faultless, orders[0]) for order in orders)
    named = [told_after_a_window(LastToChooseNamed, order) for order in orders]
    assert any(told != named[0] for told in named)


def test_the_suite_s_check_of_sealed_choices_looks_at_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """A resample that keeps the choices of others is found."""

    def keeps_choices(state: Any, seat: int | None, seed: bytes) -> Any:
        twin = resample(state, seat, seed)
        twin.choices = state.choices
        return twin

    resample = SeventeenState.resample
    sealed_choices_are_redrawn(Play(Case(SEVENTEEN, 4), patient))
    monkeypatch.setattr(SeventeenState, "resample", keeps_choices)
    with pytest.raises(Broken, match="never changes what seats"):
        sealed_choices_are_redrawn(Play(Case(SEVENTEEN, 4), patient))
