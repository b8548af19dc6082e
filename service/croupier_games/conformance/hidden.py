"""Checks of `resample`: it draws anew what a viewer cannot know, keeps what is known, and can be played on.

The leak gate leans on it: if resample redrew too little, the gate would have nothing to tell apart."""

from __future__ import annotations

from dataclasses import replace

from croupier_games.conformance.play import (
    Play,
    everything,
    name_of,
    require,
    require_equal,
    require_same,
    require_same_sight,
    seen_events,
    viewers,
)
from croupier_games.game import State

DRAWS = 16
"""Redraws after which something that may change has changed, unless it cannot."""


def resample_keeps_what_is_known(play: Play) -> None:
    """`resample(p)` keeps p's view, legal actions, deciders and outcome, and tells p no other events."""
    for state in play.sampled_steps():
        for viewer in viewers(state):
            twin = state.resample(viewer, play.seed_for("resample"))
            require_same_sight(twin, state, viewer, f"after resample({viewer})")
            told = repr(seen_events(twin, viewer))
            known = told in ("()", repr(seen_events(state, viewer)))
            require(known, f"after resample({viewer}), {name_of(viewer)} is told {told}")


def resample_changes_nothing(play: Play) -> None:
    """`resample` leaves its state as it was and follows from its seed alone."""
    for state in play.sampled_steps():
        before = everything(state)
        for viewer in viewers(state):
            seed = play.seed_for("resample")
            twin = state.resample(viewer, seed)
            require(twin is not state, f"resample({viewer}) returns the state itself")
            require_equal(state.resample(viewer, seed).save(), twin.save(), "resampled again with the same seed")
            if twin.deciders:
                twin.play(*play.choice_in(twin))
        require_same(everything(state), before, "after resampling")


def resampled_states_play_on(play: Play) -> None:
    """A resampled state is a state like any other: it saves, restores and plays on to an end."""
    for state in play.sampled_steps():
        if play.step % 4:
            continue
        viewer = viewers(state)[play.step // 4 % (state.seats + 1)]
        twin = play.case.game.restore(state.resample(viewer, play.seed_for("resample")).save())
        for ahead in range(play.case.game.max_actions - play.step):
            if twin.deciders:
                twin.play(*play.choice_in(twin, ahead))
        require(twin.outcome is not None, f"the play of resample({viewer}) does not end in time")


def deals_are_redrawn(play: Play) -> None:
    """Cards that differ from deal to deal and that p does not see are drawn anew by `resample(p)`."""
    state, case = play.state, play.case
    deals = [replace(case, number=-1 - number).open() for number in range(DRAWS)]
    for viewer in viewers(state):
        own = set(values_in(state.view(viewer)))
        hidden = [other for other in range(state.seats) if other != viewer and _secrets(state, deals, other) - own]
        if hidden:
            _require_redrawn(play, state, viewer, hidden)


def sealed_choices_are_redrawn(play: Play) -> None:
    """A choice that p cannot see yet is drawn anew by `resample(p)`."""
    for state in play.steps():
        if len(state.deciders) < 2:
            continue
        chooser, action = play.choice()
        chosen, otherwise = state.clone(), state.clone()
        chosen.play(chooser, action)
        otherwise.play(chooser, state.legal(chooser)[-1])
        for viewer in viewers(state):
            sealed = chosen.view(viewer) == otherwise.view(viewer) and chosen.legal(chooser) == ()
            if viewer != chooser and sealed and chosen.view(chooser) != otherwise.view(chooser):
                _require_redrawn(play, chosen, viewer, [chooser])


def values_in(view: object) -> list[object]:
    """Every field and entry of a view, at every depth."""
    if not isinstance(view, tuple):
        return [view]
    return [view, *(value for part in view for value in values_in(part))]


def _secrets(state: State, deals: list[State], seat: int) -> set[object]:
    """The fields of a seat's view that are not the same in every deal, where spectators see no difference."""
    views = [deal.view(seat) for deal in deals if deal.view(None) == state.view(None)]
    return {field for place, field in enumerate(state.view(seat)) if any(view[place] != field for view in views)}


def _require_redrawn(play: Play, state: State, viewer: int | None, hidden: list[int]) -> None:
    draws = (state.resample(viewer, play.seed_for(f"redraw/{number}")) for number in range(DRAWS))
    redrawn = any(draw.view(other) != state.view(other) for draw in draws for other in hidden)
    require(
        redrawn,
        f"resample({viewer}) never changes what seats {hidden} see, which {name_of(viewer)} cannot know",
    )


CHECKS = (
    resample_keeps_what_is_known,
    resample_changes_nothing,
    resampled_states_play_on,
    deals_are_redrawn,
    sealed_choices_are_redrawn,
)
