"""Logging: one event per line, as JSON for machines or coloured for people. Tokens and hidden state never go in."""

import logging
import sys
from contextlib import suppress
from typing import TextIO

import structlog


def configure(log_format: str, log_level: str, stream: TextIO = sys.stderr) -> None:
    """Sets up structlog for the process."""
    renderer: structlog.types.Processor
    if log_format == "json":
        renderer = structlog.processors.JSONRenderer(sort_keys=True)
    else:
        renderer = structlog.dev.ConsoleRenderer(colors=stream.isatty())
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[log_level.upper()]),
        logger_factory=lambda *_: _Unfailing(stream),
        cache_logger_on_first_use=True,
    )


class _Unfailing(structlog.PrintLogger):
    """Loses lines that cannot be written: a full disk must not stop what is being told of it."""

    def msg(self, message: str) -> None:
        """Writes a line if it can."""
        with suppress(OSError):
            super().msg(message)

    log = debug = info = warn = warning = msg
    fatal = failure = err = error = critical = exception = msg
