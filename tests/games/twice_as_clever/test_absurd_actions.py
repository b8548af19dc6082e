"""Actions that nobody can have meant are refused in words, and never by a crash while making them."""

import pytest

from croupier_games import IllegalAction
from croupier_games.twice_as_clever import TWICE_AS_CLEVER
from croupier_games.twice_as_clever.actions import FreeEntry, Mark
from croupier_games.twice_as_clever.data import Color


@pytest.mark.parametrize("kind", [Mark, FreeEntry])
@pytest.mark.parametrize("row", [-1, 0, 5, 2**32 - 1])
def test_a_row_that_the_sheet_does_not_have(kind: type[Mark] | type[FreeEntry], row: int) -> None:
    """Typed actions come from anybody."""
    state = TWICE_AS_CLEVER.new(seats=1, seed=bytes(32))
    with pytest.raises(IllegalAction):
        state.play(0, kind(Color.SILVER, 3, row))
