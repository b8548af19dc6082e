"""What the message of a session says, in the terms of the rules."""

from croupier.v1 import sessions_pb2
from croupier_games import OptionValue

_CAUSES = {
    sessions_pb2.FORFEIT_CAUSE_RESIGNED: "resigned",
    sessions_pb2.FORFEIT_CAUSE_TIME: "ran out of time",
    sessions_pb2.FORFEIT_CAUSE_ILLEGAL: "played what is not allowed",
    sessions_pb2.FORFEIT_CAUSE_DISCONNECTED: "left",
    sessions_pb2.FORFEIT_CAUSE_CRASHED: "crashed",
    sessions_pb2.FORFEIT_CAUSE_PROTOCOL: "did not keep to the protocol",
}


def options_of(session: sessions_pb2.Session) -> dict[str, OptionValue]:
    """The options as the rules take them."""
    return {
        name: value.flag if value.HasField("flag") else value.number if value.HasField("number") else value.text
        for name, value in session.options.items()
    }


def cause_in_words(cause: sessions_pb2.ForfeitCause) -> str:
    """Why a seat was given up."""
    return _CAUSES.get(cause, f"for a reason ({cause}) that this version does not know")


def seat_name(session: sessions_pb2.Session, seat: int) -> str:
    """Who sits there, for people."""
    name = session.seats[seat].name if seat < len(session.seats) else ""
    return f"{name} (seat {seat})" if name else f"seat {seat}"
