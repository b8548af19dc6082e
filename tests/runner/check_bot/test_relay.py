"""The relay changes nothing unless its script does, and passes on how streams end."""

import asyncio
import re
from pathlib import Path

import pytest

from croupier.v1 import bots_pb2
from croupier_client import Bot, Denied, Invalid, SeatPlan, Turn, run_async
from croupier_client.relay import Relay, RelayedStream, Script

pytestmark = pytest.mark.asyncio(loop_scope="session")

PAGE = Path(__file__).parents[3] / "docs" / "check-bot.md"
TOKEN = "a-token-behind-a-relay-"


class Player(Bot):
    """Plays the first legal action, and knows when its games end."""

    def __init__(self) -> None:
        self.over = asyncio.Event()

    def play(self, turn: Turn) -> int:
        return 0

    def game_over(self, result: bots_pb2.GameOver) -> None:
        self.over.set()


async def play_a_game(target: str, client, token: str) -> None:
    """Plays a game of which one bot has both seats."""
    player = Player()
    playing = asyncio.create_task(run_async(player, target=target, token=token))
    try:
        plan = SeatPlan(token=token)
        created = await client.create_session("lie", [plan, plan])
        await client.get_session(created.session.session_id, wait_until_over=True, timeout_s=60)
        await asyncio.wait_for(player.over.wait(), 60)
    finally:
        playing.cancel()
        await asyncio.wait({playing})


async def test_a_bot_does_not_notice_the_relay(service_target: str, client) -> None:
    async with Relay(service_target, "127.0.0.1:0") as relay:
        await play_a_game(relay.target, client, TOKEN + "1")


async def test_the_door_opens_again_at_the_same_address(service_target: str, client, tmp_path: Path) -> None:
    for listen in ("127.0.0.1:0", f"unix:{tmp_path}/relay.sock"):
        async with Relay(service_target, listen) as relay:
            address = relay.target
            await relay.close_door()
            await relay.open_door()
            assert relay.target == address
            await play_a_game(relay.target, client, TOKEN + "2")


async def test_why_the_service_ended_a_stream_arrives(service_target: str) -> None:
    """With the reason in its details, so that clients see the same error as without a relay."""

    class Rude(Script):
        async def from_bot(self, stream: RelayedStream, request: bots_pb2.PlayRequest) -> None:
            request.hello.name = 65 * "x"
            await stream.to_service(request)

    async with Relay(service_target, "127.0.0.1:0", Rude()) as relay:
        with pytest.raises(Invalid) as error:
            await run_async(Player(), target=relay.target, token=TOKEN + "3")
    assert error.value.reason == "BAD_REQUEST"


async def test_a_script_may_refuse_a_bot(service_target: str) -> None:
    class Bouncer(Script):
        async def opened(self, stream: RelayedStream) -> None:
            assert stream.authorization == f"Bearer {TOKEN}4"
            stream.end("PERMISSION_DENIED", "not today")

    async with Relay(service_target, "127.0.0.1:0", Bouncer()) as relay:
        with pytest.raises(Denied, match="not today"):
            await run_async(Player(), target=relay.target, token=TOKEN + "4")


async def test_the_script_of_the_page_is_one() -> None:
    """It loses every tenth message."""
    code = re.search(r"```python\n(.*?)\n\nasync def main", PAGE.read_text(), re.DOTALL)[1]
    names: dict[str, object] = {}
    exec(code, names)
    passed: list[int] = []

    class Stream:
        async def to_service(self, request: int) -> None:
            passed.append(request)

    script = names["Lossy"]()
    for number in range(1, 21):
        await script.from_bot(Stream(), number)

    assert passed == [number for number in range(1, 21) if number not in (10, 20)]
