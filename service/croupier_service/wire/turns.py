"""Turns as bytes: the hot path. A turn is written field by field from parts that are mostly known already."""

from croupier.v1 import turns_pb2
from croupier_games import Game
from croupier_service.chain import head_of
from croupier_service.errors import BadChoice, BadRequest
from croupier_service.session import Choice, Session
from croupier_service.spectators import OPEN_EYES, Eyes
from croupier_service.wire.encode import field_bytes, varint_field
from croupier_service.wire.games import GameCodec

_FIELDS = {field.name: field.number for field in turns_pb2.Turn.DESCRIPTOR.fields}
_seat = varint_field(_FIELDS["seat"])
_decision_id = varint_field(_FIELDS["decision_id"])
_legal_count = varint_field(_FIELDS["legal_count"])
_next_event = varint_field(_FIELDS["next_event"])
_time_left_ms = varint_field(_FIELDS["time_left_ms"])

LONGEST_NOTATION = 1_024
"""Far more than any action's: a longer one is refused before it is parsed."""


class Detail:
    """How much of a turn somebody wants."""

    __slots__ = ("events", "head", "legal", "typed", "view")

    def __init__(self, message: turns_pb2.TurnDetail) -> None:
        if message.legal not in turns_pb2.LegalDetail.values():
            raise BadRequest(f"there is no LegalDetail {message.legal}; leave it out for the notations")
        self.view = not message.omit_view
        self.events = not message.omit_events
        self.head = message.head
        self.legal = message.legal != turns_pb2.LEGAL_DETAIL_COUNT
        self.typed = message.legal == turns_pb2.LEGAL_DETAIL_TYPED


class TurnWriter:
    """Writes turns and reads answers, for all games of a service."""

    def __init__(self, games: dict[str, Game]) -> None:
        self._codecs = {game_id: GameCodec(game) for game_id, game in games.items()}

    def codec(self, session: Session) -> GameCodec:
        """The codec of the session's game."""
        return self._codecs[session.game.id]

    def turn(self, session: Session, seat: int, detail: Detail) -> bytes:
        """A serialised Turn of a seat; its decision_id is 0 if the seat has nothing to decide."""
        codec = self._codecs[session.game.id]
        chair = session.chairs[seat]
        prefix = chair.prefix
        if not prefix:
            prefix = field_bytes(_FIELDS["session_id"], session.id.encode())
            chair.prefix = prefix = prefix + _seat(seat) if seat else prefix
        state = session.state
        if state is None:
            return prefix
        parts = [prefix]
        if detail.view:
            parts += codec.view_of_turn(state.view(seat))
        if chair.open:
            legal = state.legal(seat)
            parts += (_decision_id(chair.decisions), _legal_count(len(legal)))
            if detail.legal:
                parts.append(codec.legal(legal, detail.typed))
        if detail.events:
            for event in session.events_since_decision(seat):
                parts.append(codec.event_of_turn(event.what))
        parts.append(_next_event(session.seen_events(seat)))
        if chair.open and (time_left_ms := session.time_left_ms(seat)) is not None:
            parts.append(_time_left_ms(time_left_ms))
        if detail.head and chair.open and not session.created.seed_was_given:  # who gave it could guess hidden choices
            parts.append(field_bytes(_FIELDS["head"], head_of(chair.link)))
        return b"".join(parts)

    def spectator_turn(self, session: Session, detail: Detail, eyes: Eyes = OPEN_EYES) -> bytes:
        """What somebody with no seat sees, as a serialised Turn."""
        parts = [field_bytes(_FIELDS["session_id"], session.id.encode())]
        if detail.view and (view := eyes.view(session)) is not None:
            parts.append(field_bytes(_FIELDS["view"], self.codec(session).view(view)))
        parts.append(_next_event(eyes.events(session)))
        return b"".join(parts)

    def choice(self, session: Session, answer: turns_pb2.Answer) -> Choice:
        """What an answer chooses; a typed action that is none of this game is a choice too, and a wrong one."""
        kind = answer.WhichOneof("choice")
        if kind == "index":
            return Choice(position=answer.index)
        if kind == "notation":
            if len(answer.notation) > LONGEST_NOTATION:
                return Choice(wrong=BadChoice(f"no notation has more than {LONGEST_NOTATION} characters"))
            return Choice(notation=answer.notation)
        if kind == "action":
            try:
                return Choice(action=self.codec(session).read_action(answer.action))
            except BadChoice as error:
                return Choice(wrong=error)
        return Choice()
