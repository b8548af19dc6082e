"""The leak gate over gRPC: for every game, and for games and services that leak, which it must catch."""

from collections.abc import Sequence

import pytest
from tests.service.conformance.hosted import besides_barrier, serving, token_of
from tests.service.conformance.leak_gate import Leak, Rigged, leak_gate, placements
from tests.service.conformance.leaky import FAULTS, Leaky, LeakyLie

from croupier.v1 import bots_pb2, turns_pb2
from croupier_games import Event, Game
from croupier_games.conformance import cases
from croupier_games.conformance.play import Play
from croupier_games.lie import LIE
from croupier_service.hall import Hall
from croupier_service.session import Session

PARTS = 4
PLACEMENTS = 16
"""Per part: together they are the gate of one game."""
PROBES = 24
"""Placements within which a leak must be found."""


async def put_through(game: Game, count: int, part: int = 0, parts: int = 1) -> int:
    compared = 0
    async with leak_gate(game) as gate:
        for number, placement in enumerate(placements(game, count)):
            if number % parts == part:
                compared += await gate.check(placement)
    return compared


@pytest.mark.parametrize("part", range(PARTS))
async def test_nothing_on_the_wire_depends_on_what_is_hidden(game: Game, part: int) -> None:
    """Every byte sent to a seat or spectator is the same, whatever that viewer must not know."""
    assert await put_through(game, PARTS * PLACEMENTS, part, PARTS) > 30 * PLACEMENTS


async def test_the_gate_is_the_same_for_the_games_of_others(sealed: Game) -> None:
    """A game from another package, whose payloads travel as Any, is held to the same."""
    assert await put_through(sealed, PLACEMENTS) > 30 * PLACEMENTS


async def test_a_secret_choice_makes_no_sound(game: Game) -> None:
    """While several decide, a seat that has chosen makes nothing at all be sent to those who still decide."""
    shared = (state for case in cases(game) for state in Play(case).steps() if len(state.deciders) > 1)
    state = next(shared, None)
    if state is None:
        return  # in this game nobody decides while others do
    rigged = Rigged(game)
    rigged.prepared = state.clone()
    tokens = [token_of(seat) for seat in range(state.seats)]
    async with serving({game.id: rigged}) as wire:
        created = await wire.create(game.id, tokens, state.options, bytes(32))
        bots = [await wire.bot(token) for token in tokens]
        arrived = [await bot.heard() for bot in bots]  # with the last of them the game is dealt
        dealt = [before + await bot.heard() for before, bot in zip(arrived, bots, strict=True)]
        asked = [len(besides_barrier(messages).turns) for messages in dealt]
        assert asked == [seat in state.deciders for seat in range(state.seats)]
        for seat in state.deciders[:-1]:
            answer = turns_pb2.Answer(session_id=created.session.session_id, seat=seat, decision_id=1, index=0)
            await bots[seat].answer(answer)
            state.play(seat, state.legal(seat)[0])
            own = besides_barrier(await bots[seat].heard())
            assert len(own.turns) == (seat in state.deciders)  # its next step, where a choice takes several
            for bot in bots:
                if bot is not bots[seat]:
                    assert besides_barrier(await bot.heard()) == bots_pb2.PlayResponse()
        for bot in bots:
            await bot.leave()


async def test_the_gate_passes_what_does_not_leak() -> None:
    """The stand-in for LIE passes as long as it has no fault: what is caught below is the fault."""
    await put_through(LeakyLie(Leaky), 4)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
async def test_the_gate_catches_games_that_leak(fault: type[Leaky]) -> None:
    """Views, orders, refusals and events that depend on another's hand are found."""
    with pytest.raises(Leak):
        await put_through(LeakyLie(fault), PROBES)


async def test_the_gate_catches_a_count_of_events_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """A number that also counts what only others were told is found."""
    monkeypatch.setattr(Session, "seen_events", lambda session, seat: len(session.history))
    with pytest.raises(Leak):
        await put_through(LIE, PROBES)


async def test_the_gate_catches_events_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """A turn with the private events of others is found."""

    def all_events(session: Session, seat: int) -> Sequence[Event]:
        return session.history[session.chairs[seat].told :]

    monkeypatch.setattr(Session, "events_since_decision", all_events)
    with pytest.raises(Leak):
        await put_through(LIE, PROBES)


async def test_the_gate_catches_an_extra_wake_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A turn that is sent again because another seat made its secret choice is found, although it says nothing new."""
    moved = Hall.moved

    def moved_and_asked_again(hall: Hall, session: Session) -> None:
        moved(hall, session)
        for seat, chair in enumerate(session.chairs):
            if chair.open:
                hall.asked(session, seat)

    monkeypatch.setattr(Hall, "moved", moved_and_asked_again)
    with pytest.raises(Leak, match="need not or cannot know"):
        await put_through(LIE, PROBES)
