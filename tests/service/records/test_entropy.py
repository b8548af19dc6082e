"""Commit and reveal: a seat binds itself to its entropy, and shows it when everybody else is bound."""

import asyncio
from hashlib import sha256
from typing import Any

import pytest

from croupier.v1 import bots_pb2, sessions_pb2
from croupier_client import Bot, Turn, run_async
from croupier_games import GAMES
from croupier_runner.records import verify
from croupier_service.restoring import restored
from croupier_service.seats import Holder
from croupier_service.session import Phase
from croupier_service.store import Entry, Kept
from croupier_service.store.entries import decode, encode
from croupier_service.store.memory import MemoryStore

MINE, YOURS = b"m" * 32, b"y" * 32


def committed(session_id: str, entropy: bytes) -> bytes:
    """As docs/chance.md says."""
    return sha256(b"croupier/entropy/1" + session_id.encode() + b"\0" + entropy).digest()


async def reveal(table: Any, seat: int, entropy: bytes, token: str = "") -> sessions_pb2.Session:
    request = sessions_pb2.RevealEntropyRequest(session_id=table.id, seat=seat, entropy=entropy)
    metadata = (("authorization", f"Bearer {token or table.tokens[seat]}"),)
    response: sessions_pb2.RevealEntropyResponse = await table.house.sessions.RevealEntropy(request, metadata=metadata)
    return response.session


@pytest.fixture
async def bound(house: Any) -> Any:
    """A session of two seats that have committed to their entropy, and are to reveal it."""
    table = await house.create("", "", seed=b"", commitment_salt=b"")
    for seat, entropy in enumerate((MINE, YOURS)):
        await table.claim(seat=seat, entropy_commitment=committed(table.id, entropy))
    return table


async def test_the_game_is_dealt_when_everybody_has_revealed_and_the_record_shows_it(bound: Any) -> None:
    waiting = await bound.session()
    assert waiting.state == sessions_pb2.SESSION_STATE_WAITING
    assert [seat.entropy_commitment for seat in waiting.seats] == [committed(bound.id, each) for each in (MINE, YOURS)]
    assert not any(seat.entropy_revealed for seat in waiting.seats)

    assert [seat.entropy_revealed for seat in (await reveal(bound, 1, YOURS)).seats] == [False, True]
    assert (await reveal(bound, 0, MINE)).state == sessions_pb2.SESSION_STATE_RUNNING

    await bound.play_out()
    record = await bound.record()
    mixed = sha256(b"croupier/deal/1" + record.service_seed + b"\x20" + MINE + b"\x20" + YOURS).digest()
    assert (list(record.seat_entropy), record.deal_seed) == ([MINE, YOURS], mixed)
    assert verify(record) == []


async def test_who_gives_entropy_openly_or_none_sits_beside_who_commits(house: Any) -> None:
    """What was given openly is bound too: everybody sees its commitment before anybody reveals."""
    table = await house.create("", "", "", seed=b"")
    await table.claim(seat=0, entropy=b"open")
    await table.claim(seat=1, entropy_commitment=committed(table.id, YOURS))
    seats = (await table.claim(seat=2)).session.seats
    assert [seat.entropy_commitment for seat in seats] == [
        committed(table.id, b"open"),
        committed(table.id, YOURS),
        b"",
    ]

    assert (await reveal(table, 1, YOURS)).state == sessions_pb2.SESSION_STATE_RUNNING


async def test_what_is_no_reveal_is_refused_and_changes_nothing(house: Any, bound: Any) -> None:
    before = await bound.everything()
    for entropy in (YOURS, b"", bytes(65)):
        with house.refuses("BAD_REQUEST"):
            await reveal(bound, 0, entropy)
    with house.refuses("TOKEN_NOT_FOR_THIS"):
        await reveal(bound, 0, MINE, token=bound.tokens[1])
    assert await bound.everything() == before


async def test_nobody_reveals_before_everybody_is_bound(house: Any) -> None:
    """Else whoever comes last could choose what to contribute."""
    table = await house.create("", "")
    await table.claim(seat=0, entropy_commitment=committed(table.id, MINE))

    with house.refuses("SESSION_WAITING"):
        await reveal(table, 0, MINE)


async def test_a_reveal_may_be_repeated(bound: Any) -> None:
    await reveal(bound, 0, MINE)
    await reveal(bound, 0, MINE)
    await reveal(bound, 1, YOURS)

    assert (await reveal(bound, 1, YOURS)).state == sessions_pb2.SESSION_STATE_RUNNING


async def test_who_does_not_reveal_in_time_gets_no_deal_and_is_named(house: Any, clock: Any, bound: Any) -> None:
    """To deal without what is missing would let whoever knows the rest choose between two deals."""
    await reveal(bound, 0, MINE)
    clock.advance(house.hall.limits.reveal_s - 1)
    assert (await bound.session()).state == sessions_pb2.SESSION_STATE_WAITING
    clock.advance(1)

    session = await bound.session(wait_until_over=True)
    assert session.state == sessions_pb2.SESSION_STATE_ABORTED
    assert [seat.entropy_revealed for seat in session.seats] == [True, False]
    with house.refuses("SESSION_ABORTED"):
        await reveal(bound, 1, YOURS)
    with house.refuses("SESSION_ABORTED"):
        await bound.record()


async def test_a_game_that_was_dealt_is_not_ended_by_the_time_for_revealing(house: Any, clock: Any, bound: Any) -> None:
    await reveal(bound, 0, MINE)
    await reveal(bound, 1, YOURS)
    clock.advance(10 * house.hall.limits.reveal_s)

    assert (await bound.session()).state == sessions_pb2.SESSION_STATE_RUNNING


@pytest.mark.parametrize(
    "claim", [{"entropy_commitment": b"short"}, {"entropy": b"x", "entropy_commitment": bytes(32)}]
)
async def test_a_claim_commits_with_32_bytes_and_gives_nothing_else(house: Any, claim: dict[str, bytes]) -> None:
    table = await house.create("", "")
    with house.refuses("BAD_REQUEST"):
        await table.claim(seat=0, **claim)


async def test_a_session_in_the_midst_of_revealing_survives_a_restart(house: Any, clock: Any, bound: Any) -> None:
    """From the bytes of its log, with the time to reveal anew."""
    await reveal(bound, 0, MINE)
    log = [decode(encode(entry)) for entry in await house.store.load(bound.id)]
    await reveal(bound, 1, YOURS)

    session = restored(Kept(bound.id, 1, over=False), log, GAMES["lie"], Holder, _Sink(), clock, house.hall)
    assert session.revealing
    session.reveal(1, YOURS)
    assert session.phase is Phase.RUNNING
    assert session.deal_seed == house.hall.find(bound.id).deal_seed
    assert session.chain.link == house.hall.find(bound.id).chain.link


class _Sink(MemoryStore):
    """A store that takes what is appended to sessions that it never saw the beginning of."""

    def append(self, session_id: str, number: int, entry: Entry) -> None:
        """Taken."""


async def wanted(bot: Any, count: int) -> list[bots_pb2.EntropyWanted]:
    """What a bot's stream has been asked to contribute, once it is so much."""

    def asked() -> list[bots_pb2.EntropyWanted]:
        return [each for message in bot.messages for each in message.entropy_wanted]

    await bot.until(lambda: len(asked()) >= count)
    return asked()


async def contribute(bot: Any, session_id: str, seat: int, **step: bytes) -> None:
    given = bots_pb2.SeatEntropy(session_id=session_id, seat=seat, **step)
    await bot.call.write(bots_pb2.PlayRequest(entropy=[given]))


@pytest.mark.parametrize("connected_first", [True, False])
async def test_bots_commit_and_reveal_on_their_streams(
    house: Any, tokens: tuple[str, ...], connected_first: bool
) -> None:
    """One that contributes is given its seat with its commitment; beside one that does not, which sits down at once."""
    if connected_first:
        giver = await house.connect(tokens[0], gives_entropy=True)
        other = await house.connect(tokens[1])
    table = await house.create(tokens[0], tokens[1], seed=b"")
    if not connected_first:
        giver = await house.connect(tokens[0], gives_entropy=True)
        other = await house.connect(tokens[1])
    (first,) = await wanted(giver, 1)
    assert (first.session_id, first.seat, list(first.entropy_commitments)) == (table.id, 0, [])
    assert first.seed_commitment == table.created.seed_commitment
    assert (await table.session()).seats[0].state == sessions_pb2.SEAT_STATE_RESERVED

    await contribute(giver, table.id, 0, commitment=committed(table.id, MINE))
    second = (await wanted(giver, 2))[1]
    assert list(second.entropy_commitments) == [committed(table.id, MINE), b""]
    assert not other.seated

    await contribute(giver, table.id, 0, entropy=MINE)
    await asyncio.gather(giver.until(lambda: giver.seated), other.until(lambda: other.seated))
    assert (await table.session()).state == sessions_pb2.SESSION_STATE_RUNNING


async def test_a_bot_that_comes_back_is_asked_again(house: Any, tokens: tuple[str, ...]) -> None:
    table = await house.create(tokens[0], "", seed=b"")
    bot = await house.connect(tokens[0], gives_entropy=True)
    await wanted(bot, 1)
    await bot.leave()
    bot = await house.connect(tokens[0], gives_entropy=True)
    await wanted(bot, 1)
    await contribute(bot, table.id, 0, commitment=committed(table.id, MINE))
    await table.claim(seat=1)
    await wanted(bot, 2)
    await bot.leave()
    bot = await house.connect(tokens[0], gives_entropy=True)

    assert (await wanted(bot, 1))[0].entropy_commitments


async def test_a_contribution_that_cannot_be_taken_is_refused_on_the_stream(
    house: Any, tokens: tuple[str, ...]
) -> None:
    table = await house.create(tokens[0], tokens[1], seed=b"")
    bot = await house.connect(tokens[0], gives_entropy=True)
    for seat, step in ((0, {"entropy": MINE}), (1, {"commitment": bytes(32)}), (0, {"commitment": b"short"}), (0, {})):
        await contribute(bot, table.id, seat, **step)
    await bot.until(lambda: len(bot.refusals) == 4)

    reasons = [refusal.reason for refusal in bot.refusals]
    assert reasons == ["BAD_REQUEST", "TOKEN_NOT_FOR_THIS", "BAD_REQUEST", "BAD_REQUEST"]
    assert (await table.session()).seats[0].state == sessions_pb2.SEAT_STATE_RESERVED


async def test_nobody_is_asked_where_the_deal_is_to_be_that_of_a_given_seed(
    house: Any, tokens: tuple[str, ...]
) -> None:
    """A duplicate deal stays one, whatever its bots would contribute: they are seated at once."""
    bot = await house.connect(tokens[0], gives_entropy=True)
    table = await house.create(tokens[0], tokens[0])
    await bot.until(lambda: len(bot.seated) == 2)

    assert not any(message.entropy_wanted for message in bot.messages)
    assert (await table.session()).state == sessions_pb2.SESSION_STATE_RUNNING


async def test_a_bot_of_the_python_client_gives_entropy_when_it_is_told_to(house: Any, tokens: tuple[str, ...]) -> None:
    """Both bots commit, hear what everybody is bound to, and reveal; the record is dealt from what they gave."""
    bots = [_First(), _First()]
    target = house.server.addresses[0]
    playing = [
        asyncio.ensure_future(run_async(bot, target=target, token=token, gives_entropy=True, head=True))
        for bot, token in zip(bots, tokens, strict=False)
    ]
    table = await house.create(tokens[0], tokens[1], seed=b"")
    await table.session(wait_until_over=True)
    record = await table.record()
    for task in playing:
        task.cancel()
    await asyncio.wait(playing)

    assert verify(record, [*bots[0].heads, *bots[1].heads]) == []
    assert len({*record.seat_entropy}) == 2
    shown = [seat.entropy_commitment for seat in record.session.seats]
    assert [list(wanted.entropy_commitments) for bot in bots for wanted in bot.bound] == [shown, shown]


class _First(Bot):
    """Takes the first legal action, and keeps what a bot should keep."""

    def __init__(self) -> None:
        self.bound: list[bots_pb2.EntropyWanted] = []
        self.heads: list[bytes] = []

    def play(self, turn: Turn) -> int:
        self.heads.append(turn.raw.head)
        return 0

    def revealing(self, wanted: bots_pb2.EntropyWanted) -> None:
        self.bound.append(wanted)
