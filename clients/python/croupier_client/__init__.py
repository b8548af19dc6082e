"""What a Python bot or backend imports to play through Croupier.

A bot is a function and `run`; a backend uses `Client`, or `AsyncClient` in asyncio programs.
"""

from croupier_client.bot import Bot
from croupier_client.client import AsyncClient, Client
from croupier_client.errors import (
    CroupierError,
    Denied,
    Exhausted,
    Illegal,
    Invalid,
    NotFound,
    Stale,
    TimedOut,
    Unavailable,
    WrongMoment,
)
from croupier_client.run import SettingsError, run, run_async, turn_detail
from croupier_client.turn import Turn

__all__ = [
    "AsyncClient",
    "Bot",
    "Client",
    "CroupierError",
    "Denied",
    "Exhausted",
    "Illegal",
    "Invalid",
    "NotFound",
    "SettingsError",
    "Stale",
    "TimedOut",
    "Turn",
    "Unavailable",
    "WrongMoment",
    "run",
    "run_async",
    "turn_detail",
]
