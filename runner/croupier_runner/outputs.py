"""What programs print: kept in a log up to a bound, so that no program fills the disk or keeps the runner busy."""

import asyncio
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

LOG_BYTES = 16 * 2**20
"""How much a log holds unless told otherwise, over all starts of its program."""
CHUNK_BYTES = 64 * 1024
"""How much is read at once."""
_SLOW_DOWN_S = 0.01
"""How long a program that has written more than its bound waits for each further chunk to be read."""


class Output:
    """The log of one program, or nowhere: takes what comes until the bound is reached, then says so and takes no more.

    What comes after that is still read, for a program must not hang because it is talkative, but slowly: whoever floods
    us waits for us, and we not for them.
    """

    def __init__(self, log: Path | None, bound: int = LOG_BYTES) -> None:
        self._file = open(log or os.devnull, "ab", buffering=0)  # noqa: SIM115  # stays open
        self._bound = bound
        self._left = bound - os.fstat(self._file.fileno()).st_size
        """Not positive from the start if an earlier start of the program has used it up."""

    async def take(self, reader: asyncio.StreamReader, heed: Callable[[bytes], None] | None = None) -> None:
        """Takes all that comes from there, to its end; `heed` sees every chunk, also those beyond the bound."""
        while chunk := await reader.read(CHUNK_BYTES):
            if heed is not None:
                heed(chunk)
            if self._left > 0:
                self._add(chunk)
            else:
                await asyncio.sleep(_SLOW_DOWN_S)

    def close(self) -> None:
        """Closes the log."""
        self._file.close()

    def _add(self, chunk: bytes) -> None:
        with suppress(OSError):  # a full disk must not leave the program waiting for a reader
            self._file.write(chunk[: self._left])
            if len(chunk) >= self._left:
                self._file.write(f"\n[croupier: cut here, this log holds {self._bound} bytes]\n".encode())
        self._left -= len(chunk)
