"""The leak gate over gRPC catches whatever 17 would show too much of: hearts, piles, and who chose what in a window."""

import pytest
from tests.service.conformance.leak_gate import Leak, leak_gate, placements
from tests.service.conformance.leaky_seventeen import FAULTS, Faultless, LeakySeventeen

from croupier_games import Game

PROBES = 36
"""Placements within which a leak must be found."""


async def put_through(game: Game, count: int) -> None:
    async with leak_gate(game) as gate:
        for placement in placements(game, count):
            await gate.check(placement)


async def test_the_gate_passes_what_does_not_leak() -> None:
    """The stand-in for 17 passes as long as it has no fault: what is caught below is the fault."""
    await put_through(LeakySeventeen(Faultless), 6)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
async def test_the_gate_catches_games_that_leak(fault: type[Faultless]) -> None:
    with pytest.raises(Leak):
        await put_through(LeakySeventeen(fault), PROBES)
