"""What a Python bot or backend imports to play through Croupier.

A bot is a function and `run`; a backend uses `Client`, or `AsyncClient` in asyncio programs.
"""

from croupier.v1.sessions_pb2 import ForfeitCause, SeatPlan, SessionState, SpectatorAccess, Spectators, TimeControl
from croupier.v1.turns_pb2 import TurnDetail
from croupier_client.bot import Bot
from croupier_client.channel import tls_credentials
from croupier_client.client import AsyncClient, Client
from croupier_client.entropy import entropy_commitment
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
    "ForfeitCause",
    "Illegal",
    "Invalid",
    "NotFound",
    "SeatPlan",
    "SessionState",
    "SettingsError",
    "SpectatorAccess",
    "Spectators",
    "Stale",
    "TimeControl",
    "TimedOut",
    "Turn",
    "TurnDetail",
    "Unavailable",
    "WrongMoment",
    "entropy_commitment",
    "run",
    "run_async",
    "tls_credentials",
    "turn_detail",
]
