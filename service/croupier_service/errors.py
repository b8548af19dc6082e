"""What the service refuses, and why.

ServiceError
├── BadRequest            a field is missing, malformed or contradicts another
│   ├── UnknownGame       no game of that id
│   ├── BadSeats          a number of seats the game does not have
│   ├── BadOption         an unknown option, or a value it does not take
│   ├── BadPageToken      not a page token of ListSessions
│   ├── BadChoice         no choice, garbage notation, or another game's payload
│   └── ProtocolError     the bot stream was not used as its contract says
├── Unauthenticated       no token where one is needed
├── Forbidden             a token, but not one for this
│   └── SpectatorsRefused nobody looks on at this session without a seat
├── UnknownSession        no session of that id
├── IllegalChoice         the choice is not among the legal actions; nothing has changed
├── WrongMoment           right request, wrong time
│   ├── OutOfTurn         the seat has nothing to decide now
│   ├── StaleDecision     the decision was made already, or is not the open one
│   ├── SeatTaken         the seat, or every seat, is taken
│   ├── SeatForfeited     the seat was given up; the house plays it
│   ├── SessionWaiting    the game has not been dealt yet
│   ├── SessionRunning    the game is still being played
│   ├── SessionOver       the game has ended
│   └── SessionAborted    the session was ended with no result
├── LimitReached          as much as this service allows; try later or ask for less
└── Unavailable           the service is draining, or cannot store

`reason` is the UPPER_SNAKE word that programs match on; docs/errors.md lists them all. Messages tell the caller what
to do and never reveal hidden state or a token.
"""

from typing import ClassVar

LONGEST_MESSAGE = 400
"""Messages may quote what a client sent, and travel in headers, which gRPC bounds."""


class ServiceError(Exception):
    """The root of all that the service refuses."""

    reason: ClassVar[str]

    def __init__(self, message: str) -> None:
        if len(message) > LONGEST_MESSAGE:
            message = message[: LONGEST_MESSAGE - 3] + "..."
        super().__init__(message)
        self.message = message


class BadRequest(ServiceError):
    """A field is missing, malformed or contradicts another."""

    reason = "BAD_REQUEST"


class UnknownGame(BadRequest):
    """No game of that id."""

    reason = "UNKNOWN_GAME"


class BadSeats(BadRequest):
    """A number of seats that the game does not have."""

    reason = "BAD_SEATS"


class BadOption(BadRequest):
    """An unknown option, or a value that it does not take."""

    reason = "BAD_OPTION"


class BadPageToken(BadRequest):
    """Not a page token of ListSessions."""

    reason = "BAD_PAGE_TOKEN"


class BadChoice(BadRequest):
    """No choice, garbage notation, or another game's payload."""

    reason = "BAD_CHOICE"


class ProtocolError(BadRequest):
    """The bot stream was not used as its contract says."""

    reason = "PROTOCOL_ERROR"


class Unauthenticated(ServiceError):
    """No token where one is needed."""

    reason = "TOKEN_MISSING"


class Forbidden(ServiceError):
    """A token, but not one for this."""

    reason = "TOKEN_NOT_FOR_THIS"


class SpectatorsRefused(Forbidden):
    """Nobody looks on at this session without a seat."""

    reason = "NO_SPECTATORS"


class UnknownSession(ServiceError):
    """No session of that id."""

    reason = "UNKNOWN_SESSION"


class IllegalChoice(ServiceError):
    """The choice is not among the legal actions; nothing has changed."""

    reason = "ILLEGAL_ACTION"


class WrongMoment(ServiceError):
    """Right request, wrong time."""

    reason = "WRONG_MOMENT"


class OutOfTurn(WrongMoment):
    """The seat has nothing to decide now."""

    reason = "OUT_OF_TURN"


class StaleDecision(WrongMoment):
    """The decision was made already, or is not the open one."""

    reason = "STALE_DECISION"


class SeatTaken(WrongMoment):
    """The seat, or every seat, is taken."""

    reason = "SEAT_TAKEN"


class SeatForfeited(WrongMoment):
    """The seat was given up; the house plays it."""

    reason = "SEAT_FORFEITED"


class SessionWaiting(WrongMoment):
    """The game has not been dealt yet."""

    reason = "SESSION_WAITING"


class SessionRunning(WrongMoment):
    """The game is still being played."""

    reason = "SESSION_RUNNING"


class SessionOver(WrongMoment):
    """The game has ended."""

    reason = "SESSION_OVER"


class SessionAborted(WrongMoment):
    """The session was ended with no result."""

    reason = "SESSION_ABORTED"


class LimitReached(ServiceError):
    """As much as this service allows; try later or ask for less."""

    reason = "LIMIT_REACHED"

    def __init__(self, message: str, *, limit: str = "", retry_s: float = 0.0) -> None:
        super().__init__(message)
        self.limit = limit
        """The setting that it ran into."""
        self.retry_s = retry_s
        """When to try again; 0: nobody can tell."""


class Unavailable(ServiceError):
    """The service is draining, or cannot store."""

    reason = "UNAVAILABLE"
