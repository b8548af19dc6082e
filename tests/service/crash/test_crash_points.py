"""The service is killed before, in and after everything it does with its store, and nobody was told a lie.

Players by calls and by streams and watchers of every seat note what they were told. After each death the service is
started again on the same file; at the end every game is played out, and its record is held against the notes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.service.crash.conftest import Evening

BOUNDARIES = (
    "before append",
    "after append",
    "in the transaction",
    "before commit",
    "during commit",
    "after commit",
    "before announcement",
)


async def died_and_checked(evening: Evening, boundary: str, lives: int, tables: int) -> None:
    """New tables in every life; the last life is that of a service that does not die."""
    for _ in range(lives):
        await evening.live(boundary, tables)
    await evening.live("never", 0)
    assert evening.deaths
    assert evening.tables


@pytest.mark.parametrize("boundary", BOUNDARIES)
async def test_killed_at_a_boundary(open_evening: Callable[[int], Evening], boundary: str) -> None:
    """No acknowledged move is missing, none is there twice, nothing was announced that did not come to pass."""
    await died_and_checked(open_evening(BOUNDARIES.index(boundary)), boundary, lives=2, tables=3)


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("boundary", BOUNDARIES)
async def test_killed_at_a_boundary_over_hundreds_of_games(
    open_evening: Callable[[int], Evening], boundary: str
) -> None:
    """The same with other games, and other moments, over and over."""
    for number in range(10):
        seed = 1_000 + 10 * BOUNDARIES.index(boundary) + number
        await died_and_checked(open_evening(seed), boundary, lives=4, tables=3)
