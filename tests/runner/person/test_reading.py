"""What the service sends can be read back: the person sees the very view that the rules made for the seat."""

import random

import pytest

from croupier.v1 import games_pb2
from croupier_games import GAMES
from croupier_runner.person.reading import Reader
from croupier_service.wire.games import GameCodec


@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.parametrize("seats", [1, 3])
def test_every_view_and_event_of_a_game_is_read_as_the_rules_made_it(game_id: str, seats: int) -> None:
    game = GAMES[game_id]
    if seats < game.min_seats:
        seats = 2
    codec, reader = GameCodec(game), Reader(game, seats, {})
    state = game.new(seats=seats, seed=bytes([7]) * 32)
    chance = random.Random(7)
    sentences = 0
    while True:
        for event in state.events:
            sent = games_pb2.GameEvent.FromString(codec.event(event.what))
            assert reader.sentence(sent) == str(event.what)
            sentences += 1
        watcher = chance.choice([None, *range(seats)])
        sent_view = games_pb2.GameView.FromString(codec.view(state.view(watcher)))
        assert reader.view(sent_view) == state.view(watcher)
        if not state.deciders:
            break
        seat = chance.choice(state.deciders)
        state.play(seat, chance.choice(state.legal(seat)))
    assert sentences > 5
    assert reader.shown(sent_view) == game.render(state.view(watcher))
