"""Checks of who may do what: deciders, legal actions, notations, refusals."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, is_dataclass
from typing import cast

from croupier_games.conformance.play import Play, require, require_equal
from croupier_games.errors import IllegalAction, NotationError
from croupier_games.game import Action, State

LEGAL_LIMIT = 400
NOTATION_LIMIT = 80
NO_NOTATIONS = ("", " ", "no such action!", "\0", "-1")


@dataclass(frozen=True, slots=True)
class Foreign(Action):
    """An action of no game at all."""

    def __str__(self) -> str:
        return "foreign"


def deciders_are_seats(play: Play) -> None:
    """Deciders are seats of the table in ascending order; there are none exactly when there is an outcome."""
    for state in play.steps():
        require_equal(state.deciders, tuple(sorted(set(state.deciders))), "deciders in ascending order")
        require(all(0 <= seat < state.seats for seat in state.deciders), f"no such seats: {state.deciders}")
        require(
            bool(state.deciders) == (state.outcome is None),
            f"deciders are {state.deciders} while the outcome is {state.outcome}",
        )


def only_deciders_may_act(play: Play) -> None:
    """An open state offers each decider at least one legal action and everyone else none; a finished one none."""
    for state in play.steps():
        for seat in range(state.seats):
            legal = state.legal(seat)
            require(type(legal) is tuple, f"legal({seat}) is no tuple but {legal!r}")
            if seat in state.deciders:
                require(legal, f"seat {seat} must decide and has no legal action")
            else:
                require(not legal, f"seat {seat} need not decide and is offered {len(legal)} actions")


def legal_lists_are_short(play: Play) -> None:
    """A list of legal actions has fewer than 400 entries, none twice, in an order that stays the same."""
    for state in play.steps():
        for seat in state.deciders:
            legal = state.legal(seat)
            require(len(legal) < LEGAL_LIMIT, f"seat {seat} is offered {len(legal)} actions")
            require(len(set(legal)) == len(legal), f"seat {seat} is offered an action twice: {legal}")
            require_equal(state.legal(seat), legal, f"legal({seat}), asked again")
            for action in legal:
                frozen = is_dataclass(action) and type(action).__dataclass_params__.frozen
                require(
                    isinstance(action, Action) and frozen,
                    f"{action!r} is no Action that is a frozen dataclass",
                )


def notations_read_back(play: Play) -> None:
    """A notation is short, unique among a seat's legal actions, and parses back to an equal action."""
    game = play.case.game
    for state in play.steps():
        for seat in state.deciders:
            notations = [str(action) for action in state.legal(seat)]
            require(len(set(notations)) == len(notations), f"seat {seat} has a notation twice: {notations}")
            for action, text in zip(state.legal(seat), notations, strict=True):
                short = 0 < len(text) <= NOTATION_LIMIT and text.isprintable() and text == text.strip()
                require(short, f"a notation is one short line, not {text!r}")
                parsed = game.parse(text)
                require(parsed == action, f"{text!r} parses to {parsed!r}, not {action!r}")
                require_equal(str(parsed), text, "the notation of the parsed action")


def other_texts_are_no_notations(play: Play) -> None:
    """A text that is no action raises NotationError with a message."""
    for text in NO_NOTATIONS:
        try:
            action = play.case.game.parse(text)
        except NotationError as error:
            require(str(error), f"the NotationError for {text!r} does not say what was expected")
        else:
            require(False, f"{text!r} parses to {action!r}")


def legal_actions_are_playable(play: Play) -> None:
    """Whatever is in the legal list can be played."""
    for state in play.steps():
        for seat in state.deciders:
            legal = state.legal(seat)
            for action in {legal[0], legal[-1], legal[len(legal) // 2]}:
                try:
                    state.clone().play(seat, action)
                except IllegalAction as error:
                    require(False, f"seat {seat} is offered {action} but may not play it: {error}")


def illegal_actions_change_nothing(play: Play) -> None:
    """An action that is not legal now raises IllegalAction and changes nothing."""
    known: dict[Action, None] = {}
    for state in play.sampled_steps():
        for seat in range(state.seats):
            legal = state.legal(seat)
            _require_refused(state, seat, [action for action in known if action not in legal][-8:])
        known |= {action: None for seat in state.deciders for action in state.legal(seat)}


def foreign_actions_change_nothing(play: Play) -> None:
    """A seat that is not asked or does not exist, and a thing that is no action of the game, are refused likewise."""
    for state in play.sampled_steps():
        for seat in state.deciders[:2]:
            # What a careless caller may pass in spite of the types.
            things = (Foreign(), None, "", str(state.legal(seat)[0]), 0)
            _require_refused(state, seat, cast("tuple[Action, ...]", things))
        for asked in state.deciders[:1]:
            action = state.legal(asked)[0]
            strangers = [seat for seat in range(-2, state.seats + 2) if seat not in state.deciders]
            for seat in (*strangers, 10**6, cast("int", None)):
                _require_refused(state, seat, [action])


def stale_actions_change_nothing(play: Play) -> None:
    """An action played a second time, when it is not legal any more, is refused and changes nothing."""
    latest: tuple[int, Action] | None = None
    for state in play.steps():
        if latest is not None and latest[1] not in state.legal(latest[0]):
            _require_refused(state, latest[0], [latest[1]])
        if state.deciders:
            latest = play.choice()


def _require_refused(state: State, seat: int, actions: Collection[Action]) -> None:
    if not actions:
        return
    before = (state.save(), state.deciders, repr(state.events))
    for action in actions:
        try:
            state.play(seat, action)
        except IllegalAction as error:
            require(str(error), f"the IllegalAction for {action!r} does not say why")
        else:
            require(False, f"seat {seat} may play {action!r}, which is not legal")
    after = (state.save(), state.deciders, repr(state.events))
    require_equal(after, before, f"the state after seat {seat} was refused {actions!r}")


CHECKS = (
    deciders_are_seats,
    only_deciders_may_act,
    legal_lists_are_short,
    notations_read_back,
    other_texts_are_no_notations,
    legal_actions_are_playable,
    illegal_actions_change_nothing,
    foreign_actions_change_nothing,
    stale_actions_change_nothing,
)
