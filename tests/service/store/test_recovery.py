"""A store that works again: whoever waited hears of everything that happened, and once."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.service.conftest import HeldStore, OpenHouse


async def test_whoever_calls_before_it_is_noticed_takes_no_news_along(
    open_house: OpenHouse, held_store: HeldStore, tokens: tuple[str, ...]
) -> None:
    """The store is back, but nobody has tried yet: a call is still refused, and the next seat is asked all the same."""
    house = await open_house(store=held_store)
    table = await house.create("", tokens[1])
    await table.claim(seat=0)
    bot = await house.connect(tokens[1])
    await bot.answer(table.answer(await bot.next_turn(table, 1)))
    await table.submit(0, index=0)
    noticed = asyncio.Event()

    async def until_noticed(_: float) -> None:
        await noticed.wait()

    house.hall.herald._pause = until_noticed
    held_store.failing = True
    with house.refuses("UNAVAILABLE"):
        await table.submit(0, decision_id=2, index=0)
    held_store.failing = False
    with house.refuses("UNAVAILABLE"):
        await table.session()
    noticed.set()
    assert (await bot.next_turn(table, 1)).decision_id == 2
