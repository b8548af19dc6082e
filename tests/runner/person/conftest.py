"""A terminal that types by itself."""

import asyncio
import os
from collections.abc import Callable, Iterable

import pytest


class ScriptedTerminal:
    """Types what a script says, and then the same answer again and again; keeps all that it is shown."""

    interactive = True

    def __init__(self, lines: Iterable[str], then: str | None, size: os.terminal_size) -> None:
        self._lines = iter(lines)
        self._then = then
        self.size = size
        self.written: list[str] = []
        self.on_read: Callable[[], None] = lambda: None

    @property
    def text(self) -> str:
        """All that was shown."""
        return "\n".join(self.written)

    async def read_line(self, prompt: str) -> str:
        await asyncio.sleep(0)
        self.on_read()
        line = next(self._lines, self._then)
        if line is None:
            raise EOFError
        self.written.append(f"{prompt}{line}")
        return line

    def write(self, text: str) -> None:
        self.written.append(text)


@pytest.fixture
def scripted() -> Callable[..., ScriptedTerminal]:
    """A terminal that types these lines, and then always the last."""

    def terminal(*lines: str, then: str | None = "1", columns: int = 80, height: int = 24) -> ScriptedTerminal:
        return ScriptedTerminal(lines, then, os.terminal_size((columns, height)))

    return terminal


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of all processes that are started meanwhile."""
    pids: list[int] = []
    start = asyncio.create_subprocess_exec

    async def noted(*args: object, **settings: object) -> asyncio.subprocess.Process:
        process = await start(*args, **settings)  # type: ignore[arg-type]
        pids.append(process.pid)
        return process

    monkeypatch.setattr(asyncio, "create_subprocess_exec", noted)
    return pids
