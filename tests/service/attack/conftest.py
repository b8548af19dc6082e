"""What the attackers need."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeAlias

import pytest

Until: TypeAlias = "Callable[[Callable[[], object]], Awaitable[None]]"


@pytest.fixture
def until() -> Until:
    """Lets the service and its clients go on until something is so."""

    async def reached(so: Callable[[], object]) -> None:
        while not so():  # noqa: ASYNC110  # nothing tells us
            await asyncio.sleep(0)

    return reached
