"""Games on the wire: what the hand-made writer makes of whole plays, and what it makes of typed answers."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from types import ModuleType, SimpleNamespace
from typing import Any, cast

import pytest
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.unknown_fields import UnknownFieldSet
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.service.conformance.said import own_message, payload, require_minimal, require_says

from croupier.v1 import games_pb2, turns_pb2
from croupier_games import GAMES, Action, Game, IllegalAction, State, installed_games
from croupier_games.conformance import Case, cases
from croupier_games.conformance.play import Play, viewers
from croupier_service.clock import RealClock
from croupier_service.config import Limits
from croupier_service.errors import BadChoice
from croupier_service.hall import Hall
from croupier_service.metrics import Metrics
from croupier_service.plans import Plan
from croupier_service.session import Choice, Session
from croupier_service.store import TimeControl
from croupier_service.store.memory import MemoryStore
from croupier_service.wire.games import GameCodec
from croupier_service.wire.turns import Detail, TurnWriter

EVERY_GAME = installed_games()
MOST_STEPS = 400
"""Of all plays of a game together; which ones is spread evenly over them."""


def moments(game: Game) -> Iterator[State]:
    """States of random plays: every table and option, as many moments of each as the budget allows."""
    tables = list(cases(game))
    share = max(2, MOST_STEPS // len(tables))
    for case in tables:
        states = [state.clone() for state in Play(case).steps()]
        stride = max(1, len(states) // share)
        yield from (*states[::stride], states[-1])


@pytest.fixture(params=EVERY_GAME.values(), ids=list(EVERY_GAME))
def game(request: pytest.FixtureRequest) -> Game:
    """Every installed game."""
    found: Game = request.param
    return found


# ---- real games ----


def test_views_events_and_actions_say_what_the_game_says(game: Game) -> None:
    """In whole plays with every option, what is written parses to the very values that the rules gave."""
    codec = GameCodec(game)
    view_type, event_type, action_type = (own_message(game, name) for name in ("View", "Event", "Action"))
    for state in moments(game):
        for viewer in viewers(state):
            view = state.view(viewer)
            encoded = codec.view(view)
            game_view = games_pb2.GameView.FromString(encoded)
            require_says(payload(game_view, view_type), view)
            require_minimal(game_view, encoded)
        for event in state.events:
            encoded = codec.event(event.what)
            game_event = games_pb2.GameEvent.FromString(encoded)
            require_says(payload(game_event, event_type), event.what)
            require_minimal(game_event, encoded)
        for seat in state.deciders:
            for action in state.legal(seat):
                encoded = codec.action(action)
                game_action = games_pb2.GameAction.FromString(encoded)
                require_says(payload(game_action, action_type), action)
                require_minimal(game_action, encoded)


def test_typed_actions_read_back(game: Game) -> None:
    """Every legal action, written as a GameAction and read again, is the same action."""
    codec = GameCodec(game)
    seen: set[Action] = set()
    for state in moments(game):
        for seat in state.deciders:
            seen.update(state.legal(seat))
    assert {type(action) for action in seen} == set(game.action_types)
    for action in seen:
        read = codec.read_action(games_pb2.GameAction.FromString(codec.action(action)))
        assert read == action
        assert type(read) is type(action)
        assert str(read) == str(action)


def table(game: Game, case: Case) -> Session:
    """A session of the case, dealt."""
    hall = Hall({game.id: game}, MemoryStore(), RealClock(), Metrics(), Limits())
    plan = Plan(
        game.id,
        [(f"seat {seat}", "") for seat in range(case.seats)],
        case.options,
        TimeControl(move_ms=3_600_000),
        seed=case.seed,
    )
    session, _ = hall.create(plan)
    for seat in range(case.seats):
        hall.claim(session.id, seat, "", "", b"")
    return session


@pytest.mark.parametrize("legal", [0, 1, 2, 3], ids=["default", "notation", "typed", "count"])
@pytest.mark.parametrize("omit", [False, True], ids=["everything", "bare"])
async def test_turns_say_what_the_session_says(game: Game, legal: int, omit: bool) -> None:
    """A whole turn parses to the view, the legal actions, the events and the numbers of its session, and no more."""
    writer = TurnWriter({game.id: game})
    wanted = turns_pb2.TurnDetail(omit_view=omit, omit_events=omit)
    wanted.legal = legal  # type: ignore[assignment]
    detail = Detail(wanted)
    for case in list(cases(game))[::7]:
        session = table(game, case)
        play = Play(case)
        for _, state in zip(range(40), play.steps(), strict=False):
            assert session.state is not None
            for seat in range(case.seats):
                encoded = writer.turn(session, seat, detail)
                turn = turns_pb2.Turn.FromString(encoded)
                require_minimal(turn, encoded)
                require_turn(turn, writer.codec(session), session, seat, wanted)
            spectator = turns_pb2.Turn.FromString(writer.spectator_turn(session, detail))
            assert spectator.HasField("view") == (not omit)
            if state.deciders:
                seat, action = play.choice()
                session.submit(seat, session.chairs[seat].decisions, Choice(notation=str(action)))


def require_turn(
    turn: turns_pb2.Turn, codec: GameCodec, session: Session, seat: int, wanted: turns_pb2.TurnDetail
) -> None:
    state, chair = session.state, session.chairs[seat]
    assert state is not None
    legal = state.legal(seat)
    assert len(UnknownFieldSet(turn)) == 0
    assert (turn.session_id, turn.seat, turn.legal_count) == (session.id, seat, len(legal))
    assert turn.decision_id == (chair.decisions if chair.open else 0)
    assert turn.next_event == sum(event.audience in (None, seat) for event in session.history)
    assert turn.HasField("time_left_ms") == chair.open
    assert turn.HasField("view") != wanted.omit_view
    if not wanted.omit_view:
        require_says(payload(turn.view, own_message(codec.game, "View")), state.view(seat))
    listed = legal if wanted.legal != turns_pb2.LEGAL_DETAIL_COUNT else ()
    assert [entry.notation for entry in turn.legal] == [str(action) for action in listed]
    for entry, action in zip(turn.legal, listed, strict=True):
        assert entry.HasField("action") == (wanted.legal == turns_pb2.LEGAL_DETAIL_TYPED)
        if entry.HasField("action"):
            require_says(payload(entry.action, own_message(codec.game, "Action")), action)
    told = () if wanted.omit_events else session.events_since_decision(seat)
    for said, event in zip(turn.events, told, strict=True):
        require_says(payload(said, own_message(codec.game, "Event")), event.what)


def test_legal_lists_are_remembered_by_object() -> None:
    """Lists of legal actions come out right however many there are, typed and not, and whatever was there before."""
    game = GAMES["lie"]
    codec = GameCodec(game)
    bids = [game.parse(f"{count}x{value}") for count in range(1, 31) for value in range(1, 7)]
    for number in range(5000):
        actions = (bids[number % 180], bids[number * 7 % 180])
        turn = turns_pb2.Turn.FromString(codec.legal(actions, typed=number % 3 == 0))
        assert [entry.notation for entry in turn.legal] == [str(action) for action in actions]


# ---- answers that make no sense ----


def refused(codec: GameCodec, state: State, wrapper: games_pb2.GameAction) -> bool:
    """Whether a typed action is refused, with words, in one of the two ways there are; anything else is raised."""
    try:
        action = codec.read_action(wrapper)
        state.clone().play(state.deciders[0], action)
    except (BadChoice, IllegalAction) as error:
        return bool(str(error))
    return False


def test_typed_actions_of_no_sense_are_bad_choices(game: Game) -> None:
    """Nothing at all, an empty action, another game's, an unknown type and broken bytes are BadChoice."""
    codec = GameCodec(game)
    own = own_message(game, "Action")
    name = own.DESCRIPTOR.full_name
    wrong = [
        games_pb2.GameAction(),
        games_pb2.GameAction(other=AnyMessage()),
        games_pb2.GameAction(other=AnyMessage(type_url=f"type.googleapis.com/{name}")),
        games_pb2.GameAction(other=AnyMessage(type_url=f"type.googleapis.com/{name}", value=b"\xff\xff\xff")),
        games_pb2.GameAction(other=AnyMessage(type_url="type.googleapis.com/no.such.Type", value=b"\x08\x01")),
        games_pb2.GameAction(other=AnyMessage(type_url="/" * 1000, value=b"\xff")),
    ]
    nested = games_pb2.GameAction()
    nested.other.Pack(games_pb2.GameAction())
    wrong.append(nested)
    for field in games_pb2.GameAction.DESCRIPTOR.fields:
        if field.name != "other":
            empty = games_pb2.GameAction()
            getattr(empty, field.name).SetInParent()
            wrong.append(empty)
    for wrapper in wrong:
        with pytest.raises(BadChoice):
            codec.read_action(wrapper)


def test_absurd_numbers_are_refused_like_any_other_action(game: Game) -> None:
    """Typed actions with unknown enum numbers and numbers beyond all reason are refused, and nothing else happens."""
    codec = GameCodec(game)
    own = own_message(game, "Action")
    state = next(iter(cases(game))).open()
    kinds: Any = own.DESCRIPTOR.oneofs_by_name["kind"].fields
    tried = 0
    for kind in kinds:
        for field in kind.message_type.fields:
            for number in (0, 99, 2**31 - 1, -1, 2**32 - 1, -(2**31), 2**63 - 1, 2**64 - 1):
                message: Any = own()
                inner = getattr(message, kind.name)
                inner.SetInParent()
                try:
                    if field.is_repeated:
                        getattr(inner, field.name).extend([number] * 50)
                    else:
                        setattr(inner, field.name, number)
                except (ValueError, TypeError, OverflowError):
                    continue  # the field cannot hold it, so nobody can send it
                wrapper = games_pb2.GameAction()
                wrapper.other.Pack(message)
                assert refused(codec, state, wrapper)
                tried += 1
    assert tried


class Suit(IntEnum):
    NONE = 0
    HEARTS = 1


@dataclass(frozen=True, slots=True)
class Pick(Action):
    """An action with a field of every sort."""

    card: int
    seat: int | None
    suit: Suit
    trump: Suit | None
    suits: tuple[Suit, ...]
    cards: tuple[int, ...]
    open: bool
    words: str

    def __str__(self) -> str:
        return "pick"


def pick_protos() -> descriptor_pb2.FileDescriptorProto:
    field = descriptor_pb2.FieldDescriptorProto
    file = descriptor_pb2.FileDescriptorProto(name="picking.proto", package="outside.games.picking.v1", syntax="proto3")
    file.enum_type.add(name="Suit").value.extend(
        [descriptor_pb2.EnumValueDescriptorProto(name=suit.name, number=suit) for suit in Suit]
    )
    pick = file.message_type.add(name="Pick")
    for number, name in enumerate(Pick.__dataclass_fields__, start=1):
        kind = {"open": field.TYPE_BOOL, "words": field.TYPE_STRING}.get(name, field.TYPE_UINT32)
        suit = name in ("suit", "trump", "suits")
        one = pick.field.add(name=name, number=number, type=field.TYPE_ENUM if suit else kind)
        one.label = field.LABEL_REPEATED if name in ("suits", "cards") else field.LABEL_OPTIONAL
        if suit:
            one.type_name = ".outside.games.picking.v1.Suit"
        if name in ("seat", "trump"):
            one.proto3_optional, one.oneof_index = True, len(pick.oneof_decl)
            pick.oneof_decl.add(name=f"_{name}")
    for name in ("Action", "View", "Event"):
        union = file.message_type.add(name=name)
        union.oneof_decl.add(name="kind")
        union.field.add(
            name="pick", number=1, type=field.TYPE_MESSAGE, type_name=".outside.games.picking.v1.Pick", oneof_index=0
        ).label = field.LABEL_OPTIONAL
    return file


@pytest.fixture(scope="module")
def picking() -> Iterator[GameCodec]:
    """The codec of a made-up game from outside, with fields in its action that no game of ours may have yet."""
    pool = descriptor_pool.DescriptorPool()
    pool.Add(pick_protos())
    module = ModuleType("picking_pb2")
    for name in ("Action", "View", "Event"):
        descriptor: Any = pool.FindMessageTypeByName(f"outside.games.picking.v1.{name}")
        setattr(module, name, message_factory.GetMessageClass(descriptor))
    rules = SimpleNamespace(id="picking", wire_package="outside.games.picking.v1", action_types=(Pick,))
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "outside.games.picking.v1.picking_pb2", module)
        yield GameCodec(cast(Game, rules))


@pytest.mark.parametrize(
    "pick",
    [
        Pick(0, None, Suit.NONE, None, (), (), False, ""),
        Pick(1, 0, Suit.HEARTS, Suit.NONE, (Suit.HEARTS, Suit.NONE), (3, 0, 3), True, "ß"),
        Pick(2**32 - 1, 5, Suit.NONE, Suit.HEARTS, (Suit.NONE,), (0,), False, "x" * 300),
    ],
    ids=["empty", "mixed", "large"],
)
def test_fields_of_every_sort_read_back(picking: GameCodec, pick: Pick) -> None:
    """Numbers, flags, texts, enums, lists of them, and whether an optional field is there, come back as they were."""
    read = picking.read_action(games_pb2.GameAction.FromString(picking.action(pick)))
    assert read == pick
    assert repr(read) == repr(pick)


@given(st.binary(max_size=60))
@settings(max_examples=200, deadline=None)
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    """Whatever bytes stand in the Any, they are read as an action or refused as BadChoice or IllegalAction."""
    for game in EVERY_GAME.values():
        codec = GameCodec(game)
        url = f"type.googleapis.com/{game.wire_package}.Action"
        state = next(iter(cases(game))).open()
        refused(codec, state, games_pb2.GameAction(other=AnyMessage(type_url=url, value=data)))
