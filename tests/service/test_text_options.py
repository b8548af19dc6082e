"""Options that are free texts: a session of Chain Reaction plays with the table it was opened with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.v1 import catalog_pb2
from croupier_games import GAMES

if TYPE_CHECKING:
    from tests.service.conftest import House

TABLE = next(option for option in GAMES["chain_reaction"].options if option.name == "table").examples[0]


def table_option(text: str) -> dict[str, catalog_pb2.OptionValue]:
    return {"table": catalog_pb2.OptionValue(text=text)}


async def test_a_session_plays_with_the_table_it_was_opened_with(house: House) -> None:
    """What the catalog shows, corrected, is what is played and what the record names."""
    corrected = TABLE.replace("1234=15x4", "1234=15x3 1234=13")
    assert corrected != TABLE
    table = await house.table(game_id="chain_reaction", options=table_option(corrected))
    assert (await table.session()).options["table"].text == corrected
    tokens = (await table.turn()).view.chain_reaction.supply.tokens
    assert [token.points for token in tokens if list(token.numbers) == [1, 2, 3, 4]] == [13, 15, 15, 15]
    await table.play_out()
    assert (await table.record()).session.options["table"].text == corrected


async def test_a_table_that_makes_no_sense_opens_no_session(house: House) -> None:
    """The refusal says what a table is and what is wrong with this one, and does not repeat all of it."""
    for text, wrong in (
        (TABLE + " 5r", "'5r'"),
        (TABLE.partition("CDEF")[0], "0 tiles of CDEF"),
        ("x" * 5000, "1 to 2000 characters"),
    ):
        with house.refuses("BAD_OPTION") as message:
            await house.create("", "", game_id="chain_reaction", options=table_option(text))
        assert "option 'table' takes" in message[0]
        assert wrong in message[0]
        assert len(message[0]) < 400
