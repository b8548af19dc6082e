"""What the suites over gRPC share: the games they run for, and the ways to host them."""

import pytest

from croupier_games import Game, installed_games
from croupier_service.logs import configure

GAMES = installed_games()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that takes `game` runs for every installed game."""
    if "game" in metafunc.fixturenames:
        metafunc.parametrize("game", GAMES.values(), ids=list(GAMES))


@pytest.fixture(scope="session", autouse=True)
def quiet() -> None:
    """Thousands of sessions need no line each."""
    configure("console", "error")


@pytest.fixture
def sealed(outside_site: object, monkeypatch: pytest.MonkeyPatch) -> Game:
    """Somebody else's game, in this process: found through its entry point like any other."""
    monkeypatch.syspath_prepend(str(outside_site))
    return installed_games()["sealed"]
