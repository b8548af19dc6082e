"""Tracebacks of bots: they begin in the bot's own code, not in what called it."""

from __future__ import annotations

from types import TracebackType

from croupier_client import answers

_FRAMEWORK = {"asyncio", "uvloop", "croupier_client"}


def own_frames(trace: TracebackType | None) -> TracebackType | None:
    """The traceback from the first frame on that belongs to the bot; none for an answer that cannot be one.

    If there is no frame of the bot otherwise, it is we who failed, and the traceback stays whole."""
    frame, last = trace, trace
    while frame is not None and _module(frame).partition(".")[0] in _FRAMEWORK:
        frame, last = frame.tb_next, frame
    if frame is None and last is not None and _module(last) == answers.__name__:
        return None
    return frame or trace


def _module(frame: TracebackType) -> str:
    return str(frame.tb_frame.f_globals.get("__name__", ""))
