"""Checks that a state is a value: it can be copied, repeated, stored and read back."""

from __future__ import annotations

from croupier_games.conformance.play import Play, everything, require, require_equal, require_same
from croupier_games.errors import RestoreError

GARBAGE = (b"", b"\0", b"garbage", b"{}", b"[]", b"null", b"0", b'""', bytes(range(256)))


def clones_are_equal(play: Play) -> None:
    """A clone equals its original, and playing on the clone leaves the original as it was."""
    for state in play.sampled_steps():
        before = everything(state)
        clone = state.clone()
        require(clone is not state, "clone() returns the state itself")
        require_same(everything(clone), before, "in a clone")
        if state.deciders:
            clone.play(*play.choice())
            require_same(everything(state), before, "after playing on a clone")


def earlier_clones_stay(play: Play) -> None:
    """Every earlier clone stays unchanged while the original goes on to the end."""
    kept = [(state.clone(), everything(state)) for state in play.sampled_steps()]
    for number, (clone, before) in enumerate(kept):
        require_same(everything(clone), before, f"in clone {number} after the play")


def same_seed_same_play(play: Play) -> None:
    """The same seed and actions give identical views, events and saves: all chance comes from the seed."""
    again = Play(play.case)
    for state, other in zip(play.steps(), again.steps(), strict=True):
        if play.is_sampled():
            require_same(everything(other), everything(state), "in a second play of the same seed and actions")


def looking_changes_nothing(play: Play) -> None:
    """Asking for views, legal actions, clones and saves changes nothing, and the answers stay as they were."""
    unseen = Play(play.case)
    for state, _ in zip(play.steps(), unseen.steps(), strict=True):
        if play.is_sampled():
            require_equal(everything(state), everything(state), "the state, asked twice")
    require_same(everything(unseen.state), everything(play.state), "in a play that nobody looked at")


def restored_states_play_on(play: Play) -> None:
    """A state that is saved and restored again and again goes on exactly as one that never was."""
    game = play.case.game
    twin = game.restore(play.state.save())
    for state in play.steps():
        if play.is_sampled():
            expected = everything(state)
            if play.step == 0:
                del expected["events"]
            require_same(everything(twin), expected, "after save and restore")
            twin = game.restore(twin.save())
            require_equal(twin.events, (), "the events of a restored state")
        if state.deciders:
            twin.play(*play.choice())


def garbage_is_not_restored(play: Play) -> None:
    """Bytes that are no saved state raise RestoreError, a cut one included."""
    data = play.state.save()
    require(type(data) is bytes, f"save() returns {type(data).__name__}, not bytes")
    for garbage in (*GARBAGE, data[:-1], data[: len(data) // 2]):
        try:
            play.case.game.restore(garbage)
        except RestoreError:
            continue
        require(False, f"restore takes {garbage!r}")


CHECKS = (
    clones_are_equal,
    earlier_clones_stay,
    same_seed_same_play,
    looking_changes_nothing,
    restored_states_play_on,
    garbage_is_not_restored,
)
