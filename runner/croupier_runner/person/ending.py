"""How a game ended, for the people who played it."""

from textwrap import wrap

from croupier.v1 import records_pb2, sessions_pb2
from croupier_runner.records import verify
from croupier_runner.sessions import cause_in_words

WIDTH = 80
_INDENT = " " * 7


def outcome_lines(session: sessions_pb2.Session) -> list[str]:
    """The places, best first, with points and how they came about."""
    outcome = session.outcome
    lines = [f"The game is over: {outcome.reason}"]
    wide = max(len(seat.name) for seat in session.seats)
    for seat, result in sorted(enumerate(outcome.results), key=lambda each: each[1].place):
        facts = [f"{result.points} points"] if result.HasField("points") else []
        facts += [f"{figure.name.replace('_', ' ')} {figure.value}" for figure in result.tie_breaks]
        facts += [cause_in_words(result.forfeit_cause)] if result.forfeit_cause else []
        name = session.seats[seat].name.ljust(wide)
        lines.append(f"  {result.place}. {name} (seat {seat})  {', '.join(facts)}".rstrip())
        for note in result.notes:
            lines += wrap(note, WIDTH, initial_indent=_INDENT, subsequent_indent=f"{_INDENT}  ")
    return lines


def proof_lines(record: records_pb2.Record) -> list[str]:
    """What can be said for the game: that its record holds, or what in it does not."""
    wrong = verify(record)
    if wrong:
        return ["The record of this game does not hold:", *(f"  {sentence}" for sentence in wrong)]
    moves = sum(entry.HasField("action") for entry in record.entries)
    return [f"The record holds: the deal is the one that was committed to, and all {moves} actions were legal."]
