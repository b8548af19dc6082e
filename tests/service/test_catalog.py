"""CatalogService says of each game what its class says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.v1 import catalog_pb2
from croupier_games import GAMES

if TYPE_CHECKING:
    from tests.service.conftest import House


async def test_all_games_are_listed_by_id(house: House) -> None:
    """ListGames names every game of the table, in the order of their ids."""
    response = await house.catalog.ListGames(catalog_pb2.ListGamesRequest())
    assert [game.game_id for game in response.games] == sorted(GAMES)


async def test_a_game_is_described_as_its_class_says(house: House) -> None:
    """GetGame tells seats, version, length and every option with type, default, range and meaning."""
    for game in GAMES.values():
        told = (await house.catalog.GetGame(catalog_pb2.GetGameRequest(game_id=game.id))).game
        assert (told.title, told.summary, told.version) == (game.title, game.summary, game.version)
        assert (told.min_seats, told.max_seats, told.max_actions) == (game.min_seats, game.max_seats, game.max_actions)
        assert told.wire_package == game.wire_package
        assert [option.name for option in told.options] == [option.name for option in game.options]
        for shown, option in zip(told.options, game.options, strict=True):
            kinds = {
                bool: catalog_pb2.OPTION_TYPE_FLAG,
                int: catalog_pb2.OPTION_TYPE_NUMBER,
                str: catalog_pb2.OPTION_TYPE_TEXT,
            }
            assert shown.type == kinds[option.kind]
            assert shown.meaning == option.meaning
            assert tuple(shown.choices) == option.choices
            assert (shown.max_length if shown.HasField("max_length") else None) == option.max_length
            assert tuple(shown.examples) == option.examples
            assert (shown.minimum if shown.HasField("minimum") else None) == option.minimum
            assert (shown.maximum if shown.HasField("maximum") else None) == option.maximum
            assert shown.HasField("default_value") == (option.default is not None)


async def test_an_unknown_game_is_refused_with_those_there_are(house: House) -> None:
    """GetGame of an unknown id says which games there are."""
    with house.refuses("UNKNOWN_GAME") as message:
        await house.catalog.GetGame(catalog_pb2.GetGameRequest(game_id="chess"))
    assert "'chess'" in message[0]
    assert "lie" in message[0]
