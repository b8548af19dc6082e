"""CatalogService: which games there are."""

from croupier.v1 import catalog_pb2, catalog_pb2_grpc
from croupier_service.hall import Hall
from croupier_service.rpc.context import Context
from croupier_service.wire.messages import game_message


class Catalog(catalog_pb2_grpc.CatalogServiceServicer):
    """Answers from the hall's table of games."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall

    async def ListGames(  # noqa: N802
        self, request: catalog_pb2.ListGamesRequest, context: Context
    ) -> catalog_pb2.ListGamesResponse:
        """All games, by id."""
        games = self._hall.games
        return catalog_pb2.ListGamesResponse(games=[game_message(games[game_id]) for game_id in sorted(games)])

    async def GetGame(  # noqa: N802
        self, request: catalog_pb2.GetGameRequest, context: Context
    ) -> catalog_pb2.GetGameResponse:
        """One game."""
        return catalog_pb2.GetGameResponse(game=game_message(self._hall.game(request.game_id)))
