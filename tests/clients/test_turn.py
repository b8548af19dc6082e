"""What a bot finds in a turn, and how typed actions travel."""

import pytest
from google.protobuf import any_pb2, descriptor_pb2, descriptor_pool, message_factory, wrappers_pb2

from croupier.games.lie.v1 import lie_pb2
from croupier.v1 import bots_pb2, games_pb2, turns_pb2
from croupier_client import Turn
from croupier_client.answers import add_answer
from croupier_client.payloads import unwrap, wrap


def full_turn() -> turns_pb2.Turn:
    action = lie_pb2.Action(challenge=lie_pb2.Challenge())
    return turns_pb2.Turn(
        session_id="s",
        seat=2,
        decision_id=5,
        view=games_pb2.GameView(lie=lie_pb2.View(phase=lie_pb2.PHASE_BID)),
        legal=[
            turns_pb2.LegalAction(notation="challenge", action=games_pb2.GameAction(lie=action)),
            turns_pb2.LegalAction(notation="2x3", action=games_pb2.GameAction(lie=lie_pb2.Action())),
        ],
        legal_count=2,
        events=[games_pb2.GameEvent(lie=lie_pb2.Event(all_arranged=lie_pb2.AllArranged()))],
        time_left_ms=1500,
    )


def third_party_action() -> type:
    """The message `Action` of a game that these stubs do not know."""
    file = descriptor_pb2.FileDescriptorProto(name="chess.proto", package="somebody.chess", syntax="proto3")
    action = file.message_type.add(name="Action")
    action.field.add(name="move", number=1, type="TYPE_STRING", label="LABEL_OPTIONAL")
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("somebody.chess.Action"))


def test_a_turn_has_everything_typed() -> None:
    seating = bots_pb2.Seated(session_id="s", game_id="lie")
    turn = Turn(full_turn(), seating)
    assert (turn.session_id, turn.seat, turn.decision_id, turn.time_left_s) == ("s", 2, 5, 1.5)
    assert turn.view == lie_pb2.View(phase=lie_pb2.PHASE_BID)
    assert turn.actions[0] == lie_pb2.Action(challenge=lie_pb2.Challenge())
    assert turn.events == [lie_pb2.Event(all_arranged=lie_pb2.AllArranged())]
    assert turn.seating is seating
    assert turn.raw == full_turn()


def test_legal_is_a_sequence_of_notations() -> None:
    legal = Turn(full_turn()).legal
    assert list(legal) == ["challenge", "2x3"]
    assert (legal[-1], legal[:1], len(legal)) == ("2x3", ["challenge"], 2)
    assert "2x3" in legal
    assert legal.index("2x3") == 1


def test_no_limit_is_none() -> None:
    assert Turn(turns_pb2.Turn()).time_left_s is None


@pytest.mark.parametrize(
    ("name", "advice"),
    [("view", "view=True"), ("legal", "legal='notation'"), ("actions", "legal='typed'"), ("seating", "seated")],
)
def test_what_was_not_asked_for_is_not_silently_empty(name, advice) -> None:
    with pytest.raises(AttributeError, match=advice):
        getattr(Turn(turns_pb2.Turn(legal_count=3)), name)


def test_a_view_of_another_package_is_unpacked_if_its_type_is_known() -> None:
    packed = any_pb2.Any()
    packed.Pack(wrappers_pb2.StringValue(value="a view"))
    assert unwrap(games_pb2.GameView(other=packed)) == wrappers_pb2.StringValue(value="a view")


def test_a_view_of_an_unknown_type_stays_packed() -> None:
    packed = any_pb2.Any(type_url="type.googleapis.com/nobody.knows.View", value=b"")
    assert unwrap(games_pb2.GameView(other=packed)) == packed


def test_a_view_of_a_game_newer_than_the_stubs_is_said_to_be_so() -> None:
    newer = games_pb2.GameView.FromString(bytes([0x72, 0x00]))  # field 14, a message
    with pytest.raises(LookupError, match="newer than these stubs"):
        unwrap(newer)


@pytest.mark.parametrize(
    "action",
    [lie_pb2.Action(), lie_pb2.Action(challenge=lie_pb2.Challenge()), lie_pb2.Action(bid=lie_pb2.Bid(count=2))],
)
def test_a_typed_action_finds_its_field(action) -> None:
    """Even an empty one: what is chosen is the oneof's field."""
    wrapped = wrap(action)
    assert wrapped.WhichOneof("game") == "lie"
    assert wrapped.lie == action


def test_an_action_of_another_package_travels_packed() -> None:
    action = third_party_action()(move="e4")
    request = bots_pb2.PlayRequest()
    add_answer(request, full_turn(), action)
    packed = request.answers[0].action.other
    assert packed.TypeName() == "somebody.chess.Action"
    assert type(action).FromString(packed.value) == action


def test_an_action_as_the_service_sent_it_can_be_sent_back() -> None:
    chosen = full_turn().legal[0].action
    request = bots_pb2.PlayRequest()
    add_answer(request, full_turn(), chosen)
    assert request.answers[0].action == chosen
