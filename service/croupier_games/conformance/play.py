"""A play-through that a check walks along, and what a seat gets to know on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from croupier_games.chance import Chance
from croupier_games.conformance.case import Case
from croupier_games.game import Action, State

Policy = Callable[["Play", str, int], int]
"""Picks one of so many possibilities, for a purpose."""


ALL_UP_TO = 24
THEN_EVERY = 7


class Broken(Exception):
    """A promise does not hold; `run` adds which one, in which case and at which step."""


def require(holds: object, problem: str) -> None:
    """Raises Broken with the problem unless the promise holds."""
    if not holds:
        raise Broken(problem)


def require_equal(now: object, expected: object, what: str) -> None:
    """Raises Broken unless both read the same to the last character."""
    if repr(now) != repr(expected):
        raise Broken(f"{what}: expected {expected!r}, got {now!r}")


def at_random(play: Play, purpose: str, size: int) -> int:
    """A choice that follows from the case, the step and the purpose."""
    return Chance(play.case.seed_for("policy")).below(f"{purpose}/step/{play.step}", size)


def always_first(play: Play, purpose: str, size: int) -> int:
    """The first possibility."""
    return 0


def always_last(play: Play, purpose: str, size: int) -> int:
    """The last possibility."""
    return size - 1


class Play:
    """One play of a case: the state, and the step it has reached."""

    def __init__(self, case: Case, policy: Policy = at_random) -> None:
        self.case = case
        self.policy = policy
        self.step = 0
        self.state = case.open()

    def steps(self) -> Iterator[State]:
        """The state as dealt and after every action, to the end, which comes within the declared maximum."""
        yield self.state
        while self.state.deciders:
            limit = self.case.game.max_actions
            require(self.step < limit, f"the game goes on after {limit} actions, its declared maximum")
            seat, action = self.choice()
            self.state.play(seat, action)
            self.step += 1
            yield self.state

    def sampled_steps(self) -> Iterator[State]:
        """Every step of a short play; of a long one all at first, then some: for checks that cost much."""
        return (state for state in self.steps() if self.is_sampled())

    def is_sampled(self) -> bool:
        """Whether the step is one of `sampled_steps`; the last always is."""
        return self.step < ALL_UP_TO or self.step % THEN_EVERY == 0 or not self.state.deciders

    def choice(self) -> tuple[int, Action]:
        """Who acts next and how: the same answer until a step is made."""
        return self.choice_in(self.state)

    def choice_in(self, state: State, ahead: int = 0) -> tuple[int, Action]:
        """The same for another state, which may be some actions ahead of the play."""
        seat = state.deciders[self.policy(self, f"seat/{ahead}", len(state.deciders))]
        legal = state.legal(seat)
        require(legal, f"seat {seat} must decide and has no legal action")
        return seat, legal[self.policy(self, f"action/{ahead}", len(legal))]

    def seed_for(self, purpose: str) -> bytes:
        """A seed of this case and step for some purpose."""
        return self.case.seed_for(f"{purpose}/step/{self.step}")


def viewers(state: State) -> tuple[int | None, ...]:
    """Everybody who looks on: the seats, and None for the spectators."""
    return (*range(state.seats), None)


def name_of(viewer: int | None) -> str:
    """The viewer in words."""
    return "a spectator" if viewer is None else f"seat {viewer}"


def seen_events(state: State, viewer: int | None) -> tuple[tuple[object, ...], ...]:
    """What the viewer is told of the latest action."""
    return tuple(event.what for event in state.events if event.audience is None or event.audience == viewer)


def sight(state: State, viewer: int | None) -> dict[str, str]:
    """All that the viewer can see of a state, as text."""
    legal = () if viewer is None else state.legal(viewer)
    return {
        "view": repr(state.view(viewer)),
        "legal actions": repr(legal),
        "notations": repr([str(action) for action in legal]),
        "deciders": repr(state.deciders),
        "outcome": repr(state.outcome),
    }


def require_same_sight(now: State, expected: State, viewer: int | None, when: str) -> None:
    """Raises Broken unless the viewer sees the very same in both states."""
    for (what, one), other in zip(sight(now, viewer).items(), sight(expected, viewer).values(), strict=True):
        require(one == other, f"{when}, {name_of(viewer)} sees other {what}: {one} instead of {other}")


def everything(state: State) -> dict[str, object]:
    """All that can be asked of a state, as one comparable value."""
    facts: dict[str, object] = {name_of(viewer): sight(state, viewer) for viewer in viewers(state)}
    return facts | {"save": state.save(), "events": repr(state.events), "options": dict(state.options)}


def require_same(now: dict[str, object], expected: dict[str, object], when: str) -> None:
    """Raises Broken with the first fact of `everything` that is not as expected."""
    for what, value in expected.items():
        require(now[what] == value, f"{when}, {what} differs: {now[what]!r} instead of {value!r}")
