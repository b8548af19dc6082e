"""The leak gate: nobody is ever shown, told or refused anything that depends on what they must not know.

What a viewer must not know is whatever `resample(viewer)` draws anew. So each check sets two worlds side by side that
the viewer cannot tell apart, and requires that every word to the viewer is the same in both."""

from __future__ import annotations

from collections.abc import Iterator

from croupier_games.conformance.play import (
    Play,
    name_of,
    require,
    require_equal,
    require_same_sight,
    seen_events,
    sight,
    viewers,
)
from croupier_games.errors import IllegalAction
from croupier_games.game import Action, State

WORLDS = 3
LOCK_STEPS = 12
CHOICES = 8
"""Choices of one seat that are compared with each other."""


def worlds_stay_alike(play: Play) -> None:
    """Two worlds that p cannot tell apart look alike to p for as long as p is told the same events in both."""
    for state in play.sampled_steps():
        viewer = viewers(state)[play.step % (state.seats + 1)]
        for world in range(WORLDS):
            twin = state.resample(viewer, play.seed_for(f"world/{world}"))
            _require_lock_step(play, state.clone(), twin, viewer)


def choices_leak_only_as_shown(play: Play) -> None:
    """Of another seat's choice, events tell p nothing that p's view does not show as well."""
    for state in play.steps():
        for chooser in state.deciders[:2]:
            tried = _spread(state.legal(chooser), CHOICES if play.is_sampled() else 2)
            afters = [_after(state, chooser, action) for action in tried]
            for viewer in viewers(state):
                if viewer != chooser:
                    _require_all_told_as_shown(afters, viewer, f"whatever seat {chooser} chose")


def events_hold_no_secrets(play: Play) -> None:
    """No event that p sees holds a part of another seat's view that `resample(p)` draws anew."""
    for state in play.steps():
        if not state.events:
            continue
        held = [set(_parts(state.view(seat))) for seat in range(state.seats)]
        for viewer in viewers(state):
            told = {part for event in seen_events(state, viewer) for part in _parts(event)}
            told -= set(_parts(state.view(viewer)))
            for other in range(state.seats):
                if other != viewer and told & held[other]:
                    _require_no_secret(play, viewer, other, told & held[other])


def refusals_tell_nothing(play: Play) -> None:
    """An action that p tries is taken or refused, with the same words, whatever p does not know."""
    known: dict[Action, None] = {}
    for state in play.steps():
        known |= {action: None for seat in state.deciders for action in state.legal(seat)}
        seat = play.step % state.seats
        legal = set(state.legal(seat))
        tried = [action for action in known if action not in legal][-8:]
        words = [_refusal(state, seat, action) for action in tried]
        for world in range(WORLDS):
            twin = state.resample(seat, play.seed_for(f"refusal/{world}"))
            for action, expected in zip(tried, words, strict=True):
                refusal = _refusal(twin, seat, action)
                require_equal(refusal, expected, f"what seat {seat} is told when it tries {action}")


def open_decisions_stay(play: Play) -> None:
    """While a seat must decide, what others choose changes nothing that it sees and tells it nothing."""
    for state in play.steps():
        if len(state.deciders) < 2:
            continue
        chooser, action = play.choice()
        after = state.clone()
        after.play(chooser, action)
        for seat in after.deciders:
            if seat in state.deciders and seat != chooser:
                _require_undisturbed(state, after, seat, chooser)


def _require_undisturbed(before: State, after: State, seat: int, chooser: int) -> None:
    was, now = sight(before, seat), sight(after, seat)
    for what in ("view", "legal actions", "notations"):
        require(
            was[what] == now[what],
            f"seat {chooser} chose, and the {what} of seat {seat} changed to {now[what]}",
        )
    told = seen_events(after, seat)
    require(not told, f"seat {chooser} chose, and seat {seat}, which must still decide, is told {told}")


def _require_no_secret(play: Play, viewer: int | None, other: int, told: set[tuple[str, object]]) -> None:
    for world in range(WORLDS):
        twin = play.state.resample(viewer, play.seed_for(f"secret/{world}"))
        leaks = sorted(str(value) for _, value in told - set(_parts(twin.view(other))))
        require(not leaks, f"{name_of(viewer)} is told what only seat {other} may know: {leaks}")


def _require_lock_step(play: Play, state: State, twin: State, viewer: int | None) -> None:
    """Plays the same actions in both worlds until the viewer is told something that differs."""
    for number in range(LOCK_STEPS):
        common = list(_common_actions(state, twin))
        if not common:
            return
        seat, action = common[play.policy(play, f"lock/{number}", len(common))]
        state.play(seat, action)
        twin.play(seat, action)
        _require_told_as_shown(twin, state, viewer, f"whatever is hidden, {number + 1} actions on")
        if repr(seen_events(state, viewer)) != repr(seen_events(twin, viewer)):
            return
        require_same_sight(twin, state, viewer, f"in a world that looked the same, {number + 1} actions on")


def _require_told_as_shown(one: State, other: State, viewer: int | None, when: str) -> None:
    """Raises Broken if events tell two worlds apart that look the same to the viewer."""
    if repr(one.view(viewer)) == repr(other.view(viewer)):
        told = seen_events(one, viewer)
        require_equal(told, seen_events(other, viewer), f"{name_of(viewer)} sees the same and is told ({when})")


def _require_all_told_as_shown(worlds: list[State], viewer: int | None, when: str) -> None:
    """The same for any number of worlds."""
    told: dict[str, object] = {}
    for world in worlds:
        events = seen_events(world, viewer)
        before = told.setdefault(repr(world.view(viewer)), events)
        require_equal(events, before, f"{name_of(viewer)} sees the same and is told ({when})")


def _after(state: State, seat: int, action: Action) -> State:
    after = state.clone()
    after.play(seat, action)
    return after


def _spread(legal: tuple[Action, ...], count: int) -> tuple[Action, ...]:
    """About so many actions from all over the list, the first and the last among them."""
    return (*legal[: -1 : max(1, len(legal) // (count - 1))], legal[-1])


def _common_actions(state: State, twin: State) -> Iterator[tuple[int, Action]]:
    for seat in state.deciders:
        there = twin.legal(seat)
        for action in state.legal(seat):
            if action in there:
                yield seat, action


def _parts(value: object) -> Iterator[tuple[str, object]]:
    """The parts of a view or event that are big enough to be told apart: NamedTuples, and tuples of three or more."""
    if isinstance(value, tuple):
        if hasattr(value, "_fields"):
            yield type(value).__name__, value
        elif len(value) >= 3:
            yield "tuple", value
        for part in value:
            yield from _parts(part)


def _refusal(state: State, seat: int, action: Action) -> str:
    try:
        state.clone().play(seat, action)
    except IllegalAction as error:
        return f"refused: {error}"
    return "taken"


CHECKS = (
    worlds_stay_alike,
    choices_leak_only_as_shown,
    events_hold_no_secrets,
    refusals_tell_nothing,
    open_decisions_stay,
)
