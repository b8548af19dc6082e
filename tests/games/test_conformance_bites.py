"""The suite bites: for each of its checks there is a game with one defect that the check catches."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Mapping
from typing import Any, cast

import pytest
from outside_sealed.components import Hand, HandDealt, Offer, OfferSealed, Pass
from outside_sealed.components import View as SealedView
from outside_sealed.game import SEALED, SealedGame
from outside_sealed.play import SealedState

from croupier_games import Action, Event, IllegalAction, Option, OptionError, OptionValue, Outcome, SeatResult, View
from croupier_games.conformance import CHECKS, ConformanceError, cases, run

LEAK_GATE = (
    "worlds_stay_alike",
    "choices_leak_only_as_shown",
    "events_hold_no_secrets",
    "refusals_tell_nothing",
    "open_decisions_stay",
    "resample_keeps_what_is_known",
)

Defect = type[SealedState] | type[SealedGame]


def game_of(defect: Defect) -> SealedGame:
    """The outside game with one defect, in its states or in itself."""
    if issubclass(defect, SealedGame):
        states, kind = defect.state, defect
    else:
        states, kind = defect, SealedGame
    bound = cast("type[SealedState]", type(states.__name__, (states,), {"__slots__": ()}))
    game = cast("SealedGame", type(kind.__name__, (kind,), {"state": bound})())
    bound.game = game
    return game


def caught(check: str, defect: Defect) -> ConformanceError | None:
    """What the check has to say about the game, if anything."""
    for case in cases(game_of(defect)):
        try:
            run(CHECKS[check], case)
        except ConformanceError as error:
            return error
    return None


class IdInCapitals(SealedGame):
    id = "Sealed!"


class OptionWithoutMeaning(SealedGame):
    options = (*SEALED.options, Option("secret", bool, False, " "))  # type: ignore[assignment]


class FreeTextWithoutExamples(SealedGame):
    options = (*SEALED.options, Option("motto", str, None, "Any text.", max_length=9))  # type: ignore[assignment]


class FreeTextUnchecked(SealedGame):
    options = (*SEALED.options, Option("motto", str, None, "Latin.", max_length=40, examples=("carpe",)))  # type: ignore[assignment]


class OptionNobodyCanChoose(SealedGame):
    def check(self, seats: int, options: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
        if options.get("cards") == 5:
            raise OptionError("five are too many")
        return super().check(seats, options)


class UnknownOptionIgnored(SealedGame):
    def check(self, seats: int, options: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
        known = {option.name for option in self.options}
        return super().check(seats, {name: value for name, value in options.items() if name in known})


class SeatsCorrectedSilently(SealedGame):
    def new(self, *, seats: int, options: Mapping[str, OptionValue] | None = None, seed: bytes) -> SealedState:
        state = super().new(seats=min(max(seats, 2), 4), options=options, seed=seed)
        assert isinstance(state, SealedState)
        return state


class DecidersDescending(SealedState):
    def settle(self) -> None:
        super().settle()
        self.deciders = self.deciders[::-1]


class ActionsForEverybody(SealedState):
    def legal(self, seat: int) -> tuple[Action, ...]:
        return super().legal(seat) or (Pass(),)


class ActionOfferedTwice(SealedState):
    def legal(self, seat: int) -> tuple[Action, ...]:
        return super().legal(seat) * 2


class NotationMisread(SealedGame):
    def parse(self, text: str) -> Action:
        action = super().parse(text)
        return Offer(action.card % 6 + 1) if isinstance(action, Offer) else action


class AnyTextIsAPass(SealedGame):
    def parse(self, text: str) -> Action:
        return super().parse(text) if text.startswith("offer") else Pass()


class PassOfferedButRefused(SealedState):
    def play(self, seat: int, action: Action) -> None:
        if action == Pass():
            raise IllegalAction("nobody may pass")
        super().play(seat, action)


class RefusalChangesThePot(SealedState):
    def play(self, seat: int, action: Action) -> None:
        try:
            super().play(seat, action)
        except IllegalAction:
            self.pot += 1
            raise


class AnythingIsAPass(SealedState):
    def play(self, seat: int, action: Action) -> None:
        super().play(seat, action if isinstance(action, Action) else Pass())


class SecondOfferIgnored(SealedState):
    def play(self, seat: int, action: Action) -> None:
        if 0 <= (seat or 0) < self.seats and self.sealed[seat or 0] is not None:
            return
        super().play(seat, action)


class HandsSharedAmongClones(SealedState):
    def clone(self) -> SealedState:
        copy = super().clone()
        copy.hands = self.hands
        return copy


class ChanceOfItsOwn(SealedState):
    luck = itertools.count()

    def deal(self) -> None:
        super().deal()
        self.pot += next(self.luck)


class LookingFillsThePot(SealedState):
    def view(self, seat: int | None) -> SealedView:
        self.pot += 1
        return super().view(seat)


class PotNotSaved(SealedState):
    def save(self) -> bytes:
        fields = json.loads(super().save())
        return json.dumps(fields | {"pot": 0}).encode()


class GarbageIsANewGame(SealedGame):
    def restore(self, data: bytes) -> SealedState:
        try:
            return super().restore(data)
        except Exception:
            return self.deal(2, self.check(2, {}), bytes(32))


class LongerThanDeclared(SealedGame):
    max_actions = 3


class PlacesBySeat(SealedState):
    def _result(self) -> Outcome:
        results = tuple(SeatResult(seat + 1, points) for seat, points in enumerate(self.points))
        return Outcome(results, "the game is over")


class SharedPlaceNotSkipped(SealedState):
    def _result(self) -> Outcome:
        return Outcome(tuple(SeatResult(1 + (seat > 1) - (seat == 3)) for seat in range(self.seats)), "over")


class HandAsAList(SealedState):
    def view(self, seat: int | None) -> SealedView:
        view = super().view(seat)
        return view._replace(hand=Hand(cast("tuple[int, ...]", list(view.hand.cards)))) if view.hand else view


class WidePicture(SealedGame):
    def render(self, view: View) -> str:
        return super().render(view).replace("\n", " and ").ljust(81, ".")


class EventWithoutSentence(SealedState):
    def deal(self) -> None:
        super().deal()
        self.events += (Event(Hand(())),)


class EventToNobody(SealedState):
    def deal(self) -> None:
        super().deal()
        self.events += (Event(OfferSealed(0), self.seats),)


class ResampleRedrawsTheOwnHand(SealedState):
    def resample(self, seat: int | None, seed: bytes) -> SealedState:
        return super().resample(None, seed)


class ResampleMovesTheOriginal(SealedState):
    def resample(self, seat: int | None, seed: bytes) -> SealedState:
        copy = super().resample(seat, seed)
        self.seed = seed
        return copy


class ResampleLosesTheSeed(SealedState):
    def resample(self, seat: int | None, seed: bytes) -> SealedState:
        copy = super().resample(seat, seed)
        copy.seed = b""
        return copy


class ResampleIsAClone(SealedState):
    def resample(self, seat: int | None, seed: bytes) -> SealedState:
        return self.clone()


class NeighboursHandInView(SealedState):
    def view(self, seat: int | None) -> SealedView:
        view = super().view(seat)
        return view if seat is None else view._replace(hand=Hand(self.hands[seat - 1]))


class SealedCardInPot(SealedState):
    def view(self, seat: int | None) -> SealedView:
        return super().view(seat)._replace(pot=self.pot + sum(card or 0 for card in self.sealed))


class OfferToldToEverybody(SealedState):
    def play(self, seat: int, action: Action) -> None:
        super().play(seat, action)
        self.events = tuple(event._replace(audience=None) for event in self.events)


class RestOfHandToldToEverybody(SealedState):
    def play(self, seat: int, action: Action) -> None:
        super().play(seat, action)
        self.events += (Event(HandDealt(Hand(self.hands[seat]))),)


class DealToldToEverybody(SealedState):
    def deal(self) -> None:
        super().deal()
        self.events = tuple(event._replace(audience=None) for event in self.events)


class RefusalNamesTheOthersCards(SealedState):
    def play(self, seat: int, action: Action) -> None:
        try:
            super().play(seat, action)
        except IllegalAction as error:
            raise IllegalAction(f"{error}; the last seat holds {self.hands[-1]}") from None


class RefusalTellsWhetherTheOfferWasAPass(SealedState):
    def play(self, seat: int, action: Action) -> None:
        try:
            super().play(seat, action)
        except IllegalAction as error:
            passed = "somebody passed" if 0 in self.sealed else "nobody passed"
            raise IllegalAction(f"{error}; {passed}") from None


class ViewMarksWhoHasSealed(SealedState):
    def view(self, seat: int | None) -> SealedView:
        waiting = len(self.deciders)
        return super().view(seat)._replace(round=self.round * 10 + waiting)


class SealingIsAnnounced(SealedState):
    def play(self, seat: int, action: Action) -> None:
        super().play(seat, action)
        self.events += (Event(OfferSealed(0)),)


DEFECTS: dict[str, tuple[Defect, ...]] = {
    "game_introduces_itself": (IdInCapitals,),
    "options_are_documented": (OptionWithoutMeaning, FreeTextWithoutExamples),
    "options_are_exercised": (OptionNobodyCanChoose,),
    "wrong_options_are_errors": (UnknownOptionIgnored, FreeTextUnchecked),
    "wrong_seats_are_errors": (SeatsCorrectedSilently,),
    "deciders_are_seats": (DecidersDescending,),
    "only_deciders_may_act": (ActionsForEverybody,),
    "legal_lists_are_short": (ActionOfferedTwice,),
    "notations_read_back": (NotationMisread,),
    "other_texts_are_no_notations": (AnyTextIsAPass,),
    "legal_actions_are_playable": (PassOfferedButRefused,),
    "illegal_actions_change_nothing": (RefusalChangesThePot,),
    "foreign_actions_change_nothing": (AnythingIsAPass, RefusalChangesThePot),
    "stale_actions_change_nothing": (SecondOfferIgnored,),
    "clones_are_equal": (HandsSharedAmongClones,),
    "earlier_clones_stay": (HandsSharedAmongClones,),
    "same_seed_same_play": (ChanceOfItsOwn,),
    "looking_changes_nothing": (LookingFillsThePot,),
    "restored_states_play_on": (PotNotSaved,),
    "garbage_is_not_restored": (GarbageIsANewGame,),
    "play_ends_in_time": (LongerThanDeclared,),
    "places_are_consistent": (PlacesBySeat, SharedPlaceNotSkipped),
    "views_are_plain_values": (HandAsAList,),
    "renders_fit": (WidePicture,),
    "events_are_sentences": (EventWithoutSentence, EventToNobody),
    "resample_keeps_what_is_known": (ResampleRedrawsTheOwnHand, NeighboursHandInView, SealedCardInPot),
    "resample_changes_nothing": (ResampleMovesTheOriginal,),
    "resampled_states_play_on": (ResampleLosesTheSeed,),
    "deals_are_redrawn": (ResampleIsAClone,),
    "sealed_choices_are_redrawn": (ResampleIsAClone,),
    "worlds_stay_alike": (NeighboursHandInView, RestOfHandToldToEverybody),
    "choices_leak_only_as_shown": (OfferToldToEverybody,),
    "events_hold_no_secrets": (DealToldToEverybody, RestOfHandToldToEverybody),
    "refusals_tell_nothing": (RefusalNamesTheOthersCards, RefusalTellsWhetherTheOfferWasAPass),
    "open_decisions_stay": (ViewMarksWhoHasSealed, SealingIsAnnounced),
}


def test_every_check_has_a_game_that_it_catches() -> None:
    assert DEFECTS.keys() == CHECKS.keys()


@pytest.mark.parametrize(
    ("check", "defect"),
    [
        pytest.param(check, defect, id=f"{check}-{defect.__name__}")
        for check, defects in DEFECTS.items()
        for defect in defects
    ],
)
def test_the_check_catches_the_defect(check: str, defect: Defect) -> None:
    error = caught(check, defect)
    assert error is not None
    assert "the game raised" not in error.problem or defect is ResampleLosesTheSeed


@pytest.mark.parametrize("check", CHECKS)
def test_the_game_without_a_defect_passes(check: str) -> None:
    """What the checks catch is the defect, not the way in which these tests make games."""
    assert not caught(check, SealedState)


@pytest.mark.parametrize(
    "leak",
    [
        NeighboursHandInView,
        SealedCardInPot,
        OfferToldToEverybody,
        RestOfHandToldToEverybody,
        DealToldToEverybody,
        RefusalNamesTheOthersCards,
        RefusalTellsWhetherTheOfferWasAPass,
        ViewMarksWhoHasSealed,
        SealingIsAnnounced,
    ],
)
def test_no_leak_gets_through_the_gate(leak: Defect) -> None:
    assert any(caught(check, leak) for check in LEAK_GATE)


def test_an_error_says_which_promise_broke_in_which_case_and_step() -> None:
    error = caught("refusals_tell_nothing", RefusalNamesTheOthersCards)
    assert error is not None
    assert error.check == "refusals_tell_nothing"
    assert error.promise == CHECKS["refusals_tell_nothing"].__doc__
    assert str(error).startswith(f"refusals_tell_nothing: {error.problem}")
    assert f"case: sealed, {error.case.seats} seats" in str(error)
    assert f"step: {error.step}" in str(error)


def test_a_game_that_raises_is_reported_like_a_broken_promise() -> None:
    def burst(*_: Any) -> str:
        raise RuntimeError("no picture")

    kind = type("Bursting", (SealedGame,), {"render": cast("Callable[..., str]", burst)})
    with pytest.raises(ConformanceError, match="the game raised RuntimeError: no picture"):
        run(CHECKS["renders_fit"], next(iter(cases(game_of(kind)))))


@pytest.mark.parametrize("check", CHECKS.values(), ids=CHECKS)
def test_every_check_states_its_promise(check: Callable[..., None]) -> None:
    assert check.__doc__
    assert check.__doc__.endswith(".")
    assert "\n" not in check.__doc__
