"""The chain of a record: nobody who was told a head can be given another record."""

from collections.abc import Sequence
from typing import Any

import pytest

from croupier.v1 import records_pb2
from croupier_games import GAMES
from croupier_runner.chain import heads, lines
from croupier_runner.records import verify
from croupier_service.chain import head_of
from croupier_service.restoring import restored
from croupier_service.seats import Holder
from croupier_service.store import Chooser, Entry, Kept


@pytest.mark.parametrize("game_id", sorted(GAMES))
async def test_what_was_told_at_every_turn_and_at_the_end_is_in_the_record(played_game: Any, game_id: str) -> None:
    played = await played_game(game_id, auto_play_forced=game_id == "lie")
    record = played.record

    assert verify(record, played.told) == []
    assert {over.head for over in played.over} == {record.session.head} == {heads(record)[-1]}
    assert len(played.told) > 5
    assert all(len(head) == 32 for head in played.told)


async def test_a_game_with_a_forfeit_is_chained_too(played_game: Any) -> None:
    played = await played_game("lie", seats=3, forfeit=1)

    assert any(line.startswith("forfeit ") for line in lines(played.record))
    assert any(entry.action.chooser == records_pb2.CHOOSER_HOUSE for entry in played.record.entries)
    assert verify(played.record, played.told) == []


async def test_an_operator_who_writes_the_record_anew_is_found_out_by_who_kept_a_head(played_game: Any) -> None:
    """A record that was changed and chained again holds by itself: only a head that was told speaks against it."""
    played = await played_game("lie")
    forged = records_pb2.Record.FromString(played.record.SerializeToString())
    forged.entries[len(forged.entries) // 2].at_ms += 1
    forged.session.head = heads(forged)[-1]

    assert verify(forged) == []
    assert "was told" in " ".join(verify(forged, [played.record.session.head]))
    assert verify(forged, [played.told[0]]) == []
    assert "was told" in " ".join(verify(forged, [played.told[-1]]))


async def test_heads_are_told_in_play_only_to_seats_that_ask_and_where_the_seed_is_nobodys(house: Any) -> None:
    """Who gave the seed could find hidden choices by trying; a spectator could count what is hidden."""
    secret = await house.table(seed=b"", commitment_salt=b"")
    given = await house.table()

    assert (await secret.turn(0, head=True)).head
    assert not (await secret.turn(0)).head
    assert not (await secret.turn(None, head=True)).head
    assert not (await given.turn(0, head=True)).head
    assert not (await secret.session()).head
    assert (await given.play_out()).head


async def test_a_head_stays_the_same_until_the_seat_is_asked_again(house: Any) -> None:
    """Else it would tell that somebody has made a hidden choice."""
    table = await house.table(seats=3, seed=b"", commitment_salt=b"")
    before = await table.turn(0, head=True)
    await table.submit(1, index=0)

    assert await table.turn(0, head=True) == before


async def test_an_aborted_session_has_a_head_if_it_was_dealt(house: Any) -> None:
    dealt = await house.table()
    waiting = await house.create("", "")

    assert (await dealt.abort()).head == heads(await dealt.record())[-1]
    assert not (await waiting.abort()).head


@pytest.mark.parametrize("game_id", ["lie", "seventeen"])
async def test_a_session_that_was_restored_anywhere_goes_on_with_the_same_links(
    played_game: Any, house: Any, game_id: str
) -> None:
    """Wherever the log is cut, what seats were told when they were asked is told again, and the end has its head."""
    played = await played_game(game_id, seats=3, forfeit=2, auto_play_forced=True)
    session_id = played.record.session.session_id
    log: Sequence[Entry] = await house.store.load(session_id)
    known = {bytes(head) for head in played.told} | {played.record.session.head}
    chained = heads(played.record)
    asked = set()
    cuts = [number for number, entry in enumerate(log) if getattr(entry, "chooser", None) is Chooser.SEAT]
    for cut in cuts[:: max(1, len(cuts) // 40)]:
        session = _restored(house, session_id, log[:cut])
        asked |= {chair.link for chair in session.chairs if chair.open}
    whole = _restored(house, session_id, log)

    assert head_of(whole.chain.link) == played.record.session.head == chained[-1]
    assert asked
    assert {head_of(link) for link in asked} <= known


def _restored(house: Any, session_id: str, log: Sequence[Entry]) -> Any:
    game = GAMES[log[0].game_id]  # type: ignore[union-attr]
    return restored(Kept(session_id, 1, over=False), log, game, Holder, house.store, house.clock, house.hall)
