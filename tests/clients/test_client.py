"""What a backend may rely on, whether it blocks or awaits: the same requests, results and errors."""

import asyncio
import inspect
import math

import grpc
import pytest

from croupier.games.lie.v1 import lie_pb2
from croupier.v1 import catalog_pb2, games_pb2, records_pb2, sessions_pb2, turns_pb2
from croupier_client import (
    AsyncClient,
    Client,
    CroupierError,
    Denied,
    Exhausted,
    Illegal,
    Invalid,
    NotFound,
    SeatPlan,
    Stale,
    TimedOut,
    Unavailable,
    WrongMoment,
    calls,
)

SESSION = sessions_pb2.Session(session_id="s", game_id="lie")
TURN = turns_pb2.Turn(session_id="s", decision_id=4)


class Blocking:
    """Calls a Client from a thread, because the host lives in the test's event loop."""

    def __init__(self, target: str) -> None:
        self._client = Client(target)

    async def call(self, name: str, /, *args, **kwargs):
        return await asyncio.to_thread(lambda: getattr(self._client, name)(*args, **kwargs))

    async def collect(self, name: str, /, *args, **kwargs) -> list:
        return await asyncio.to_thread(lambda: list(getattr(self._client, name)(*args, **kwargs)))

    async def close(self) -> None:
        self._client.close()


class Awaiting:
    """Calls an AsyncClient."""

    def __init__(self, target: str) -> None:
        self._client = AsyncClient(target)

    async def call(self, name: str, /, *args, **kwargs):
        return await getattr(self._client, name)(*args, **kwargs)

    async def collect(self, name: str, /, *args, **kwargs) -> list:
        return [item async for item in getattr(self._client, name)(*args, **kwargs)]

    async def close(self) -> None:
        await self._client.close()


@pytest.fixture(params=[Blocking, Awaiting])
async def client(request, host):
    client = request.param(host.target)
    yield client
    await client.close()


async def test_the_catalogue(host, client) -> None:
    lie = catalog_pb2.Game(game_id="lie")
    host.replies["ListGames"] = catalog_pb2.ListGamesResponse(games=[lie])
    host.replies["GetGame"] = catalog_pb2.GetGameResponse(game=lie)
    assert await client.call("list_games") == [lie]
    assert await client.call("get_game", "lie") == lie
    assert host.seen[-1] == ("GetGame", catalog_pb2.GetGameRequest(game_id="lie"), None)


async def test_a_session_is_created_from_plain_values(host, client) -> None:
    """Seats are names, None or SeatPlans; options are bools, ints and texts."""
    reply = sessions_pb2.CreateSessionResponse(session=SESSION, owner_token="o")
    host.replies["CreateSession"] = reply
    plan = sessions_pb2.SeatPlan(name="bot", token="t" * 22)
    limits = sessions_pb2.TimeControl(move_ms=500)
    options = {"joker_ones": True, "start_seat": 1, "bid_order": "count_first"}
    seats = ["Ada", None, plan]
    created = await client.call(
        "create_session", "lie", seats, options, time_control=limits, seed=b"s" * 32, auto_play_forced=True
    )
    assert created == reply
    assert host.seen[0][1] == sessions_pb2.CreateSessionRequest(
        game_id="lie",
        seats=[sessions_pb2.SeatPlan(name="Ada"), sessions_pb2.SeatPlan(), plan],
        options={
            "joker_ones": catalog_pb2.OptionValue(flag=True),
            "start_seat": catalog_pb2.OptionValue(number=1),
            "bid_order": catalog_pb2.OptionValue(text="count_first"),
        },
        time_control=limits,
        seed=b"s" * 32,
        auto_play_forced=True,
    )


async def test_a_number_of_seats_is_so_many_open_ones(host, client) -> None:
    host.replies["CreateSession"] = sessions_pb2.CreateSessionResponse()
    await client.call("create_session", "lie", 3)
    assert host.seen[0][1].seats == [SeatPlan(), SeatPlan(), SeatPlan()]


async def test_a_token_that_no_call_can_carry_is_refused_before_anything_is_sent(host, client) -> None:
    with pytest.raises(ValueError, match="printable ASCII"):
        await client.call("get_turn", "s", "zażółć")
    assert host.seen == []


@pytest.mark.parametrize("kind", [Client, AsyncClient])
@pytest.mark.parametrize("target", ["", None, "127.0.0.1", "http://localhost:7017", "localhost:0", "local host:1"])
def test_a_target_that_can_be_none_is_refused_at_once(kind, target) -> None:
    with pytest.raises(ValueError, match="host:port or unix:/path"):
        kind(target)


@pytest.mark.parametrize("target", ["[::1]:7017", "dns:///croupier.example:7017", "unix:///run/c.sock", "a-b.c:1"])
def test_every_form_of_a_target_is_taken(target) -> None:
    Client(target).close()


async def test_no_time_control_is_none_at_all(host, client) -> None:
    host.replies["CreateSession"] = sessions_pb2.CreateSessionResponse()
    await client.call("create_session", "lie", [None, None])
    assert not host.seen[0][1].HasField("time_control")


async def test_pages_of_sessions_read_as_one_list(host, client) -> None:
    sessions = [sessions_pb2.Session(session_id=name) for name in "abc"]
    host.replies["ListSessions"] = [
        sessions_pb2.ListSessionsResponse(sessions=sessions[:2], next_page_token="more"),
        sessions_pb2.ListSessionsResponse(sessions=sessions[2:]),
    ]
    state = sessions_pb2.SESSION_STATE_RUNNING
    assert await client.collect("list_sessions", "lie", state, page_size=2) == sessions
    asked = [request for _, request, _ in host.seen]
    assert [request.page_token for request in asked] == ["", "more"]
    assert all(request.game_id == "lie" and request.state == state for request in asked)


async def test_seats_are_claimed_and_given_up(host, client) -> None:
    claimed = sessions_pb2.ClaimSeatResponse(seat=0, seat_token="t")
    host.replies["ClaimSeat"] = claimed
    host.replies["ForfeitSeat"] = sessions_pb2.ForfeitSeatResponse(session=SESSION)
    host.replies["AbortSession"] = sessions_pb2.AbortSessionResponse(session=SESSION)
    assert await client.call("claim_seat", "s", seat=0, name="Ada", entropy=b"e") == claimed
    assert await client.call("forfeit_seat", "s", "t") == SESSION
    assert await client.call("abort_session", "s", "o") == SESSION
    host.replies["RotateSeatToken"] = sessions_pb2.RotateSeatTokenResponse(seat_token="new")
    assert await client.call("rotate_seat_token", "s", "o", 1) == "new"
    claim, forfeit, abort, rotate = host.seen
    assert (rotate[1].seat, rotate[1].token, rotate[2]) == (1, "", "Bearer o")
    assert claim[1].HasField("seat")  # seat 0 is a seat, not the absence of one
    assert claim[2] is None
    assert not forfeit[1].HasField("seat")
    assert forfeit[1].cause == sessions_pb2.FORFEIT_CAUSE_RESIGNED
    assert (forfeit[2], abort[2]) == ("Bearer t", "Bearer o")


async def test_a_seat_plays_a_turn(host, client) -> None:
    host.replies["GetTurn"] = sessions_pb2.GetTurnResponse(turn=TURN)
    host.replies["SubmitAction"] = sessions_pb2.SubmitActionResponse(notation="2x3")
    assert await client.call("get_turn", "s", "t") == TURN
    action = lie_pb2.Action(bid=lie_pb2.Bid(count=2, value=3))
    done = await client.call("submit", "s", "t", 1, 4, action=action, request_id="r", dry_run=True)
    assert done.notation == "2x3"
    answer = turns_pb2.Answer(
        session_id="s", seat=1, decision_id=4, action=games_pb2.GameAction(lie=action), request_id="r"
    )
    assert host.seen[-1] == (
        "SubmitAction",
        sessions_pb2.SubmitActionRequest(answer=answer, dry_run=True),
        "Bearer t",
    )


async def test_the_first_action_is_a_choice_too(host, client) -> None:
    """Index 0 is sent as chosen, not left out."""
    host.replies["SubmitAction"] = sessions_pb2.SubmitActionResponse()
    await client.call("submit", "s", "t", 0, 1, index=0)
    assert host.seen[0][1].answer.WhichOneof("choice") == "index"


@pytest.mark.parametrize("choice", [{}, {"index": 0, "notation": "x"}])
async def test_exactly_one_form_of_a_choice(client, choice) -> None:
    with pytest.raises(TypeError, match="exactly one"):
        await client.call("submit", "s", "t", 0, 1, **choice)


@pytest.mark.parametrize(
    ("seats", "options"),
    [([7], {}), (["a"], {"x": 1.5}), ("Ada", {}), (2.0, {}), (True, {}), (None, {}), (SeatPlan(name="Ada"), {})],
)
async def test_wrong_values_are_named_before_anything_is_sent(host, client, seats, options) -> None:
    with pytest.raises(TypeError, match="expected a"):
        await client.call("create_session", "lie", seats, options)
    assert host.seen == []


async def test_a_watch_is_an_iterator_to_the_end(host, client) -> None:
    steps = [
        sessions_pb2.WatchSessionResponse(start=sessions_pb2.WatchStart(next_event=3)),
        sessions_pb2.WatchSessionResponse(over=SESSION),
    ]
    host.replies["WatchSession"] = steps
    assert await client.collect("watch", "s", "t", from_event=3) == steps
    assert host.seen[0][1:] == (sessions_pb2.WatchSessionRequest(session_id="s", from_event=3), "Bearer t")


async def test_records_and_sessions(host, client) -> None:
    record = records_pb2.Record(session=SESSION)
    host.replies["GetRecord"] = records_pb2.GetRecordResponse(record=record)
    host.replies["GetSession"] = sessions_pb2.GetSessionResponse(session=SESSION)
    assert await client.call("get_record", "s") == record
    assert await client.call("get_session", "s", wait_until_over=True) == SESSION
    assert host.seen[-1][1].wait_until_over


def test_waiting_for_an_end_has_no_limit_of_its_own() -> None:
    assert calls.get_session("s").deadline_s == calls.TIMEOUT_S
    assert calls.get_session("s", wait_until_over=True).deadline_s is None
    assert calls.get_session("s", wait_until_over=True, timeout_s=60).deadline_s == 60
    assert calls.get_game("lie", timeout_s=math.inf).deadline_s is None


@pytest.mark.parametrize(
    ("code", "reason", "kind"),
    [
        ("NOT_FOUND", "UNKNOWN_SESSION", NotFound),
        ("UNAUTHENTICATED", "TOKEN_MISSING", Denied),
        ("PERMISSION_DENIED", "TOKEN_NOT_FOR_THIS", Denied),
        ("INVALID_ARGUMENT", "BAD_OPTION", Invalid),
        ("INVALID_ARGUMENT", "ILLEGAL_ACTION", Illegal),
        ("FAILED_PRECONDITION", "SESSION_RUNNING", WrongMoment),
        ("ABORTED", "STALE_DECISION", Stale),
        ("FAILED_PRECONDITION", "OUT_OF_TURN", Stale),
        ("RESOURCE_EXHAUSTED", "LIMIT_REACHED", Exhausted),
        ("DEADLINE_EXCEEDED", "DEADLINE_EXCEEDED", TimedOut),
        ("UNAVAILABLE", "UNAVAILABLE", Unavailable),
        ("DATA_LOSS", "NEVER_HEARD_OF", CroupierError),
    ],
)
async def test_errors_have_a_class_and_a_reason(host, client, refusal_status, code, reason, kind) -> None:
    status = grpc.StatusCode[code]
    host.replies["GetGame"] = refusal_status(status, reason, "do this instead")
    with pytest.raises(kind) as caught:
        await client.call("get_game", "lie")
    error = caught.value
    assert type(error) is kind
    assert (error.reason, error.message, error.code) == (reason, "do this instead", status)
    assert str(error) == f"{reason}: do this instead"


async def test_a_watch_fails_like_a_call(host, client, refusal_status) -> None:
    host.replies["WatchSession"] = refusal_status(grpc.StatusCode.NOT_FOUND, "UNKNOWN_SESSION", "no such")
    with pytest.raises(NotFound):
        await client.collect("watch", "s")


@pytest.mark.parametrize("kind", [Blocking, Awaiting])
async def test_a_service_that_is_not_there_is_unavailable(kind, tmp_path) -> None:
    """Without any ErrorInfo the status itself is the reason; it is a ConnectionError as well."""
    client = kind(f"unix:{tmp_path}/nobody")
    with pytest.raises(ConnectionError) as caught:
        await client.call("list_games")
    assert isinstance(caught.value, Unavailable)
    assert caught.value.reason == "UNAVAILABLE"
    assert f"cannot reach unix:{tmp_path}/nobody; is croupier-service running there?" in caught.value.message
    await client.close()


def _methods(client: type) -> dict[str, list[str]]:
    public = {name: member for name, member in vars(client).items() if not name.startswith("_")}
    return {name: list(inspect.signature(member).parameters) for name, member in public.items()}


def test_both_clients_have_the_same_methods_and_arguments() -> None:
    assert _methods(Client) == _methods(AsyncClient)
    assert _methods(Client)["get_game"] == ["self", "game_id", "timeout_s"]


@pytest.mark.parametrize("name", sorted(name for name in _methods(Client) if name != "close"))
def test_every_method_has_its_sentence(name) -> None:
    assert inspect.getdoc(getattr(Client, name)) == inspect.getdoc(getattr(AsyncClient, name)) != ""


def test_every_call_of_the_api_has_a_method() -> None:
    """Nothing the service offers to backends is out of reach, and every path leads somewhere."""
    offered = {
        f"/{service.full_name}/{method.name}"
        for file in (catalog_pb2, sessions_pb2, records_pb2)
        for service in file.DESCRIPTOR.services_by_name.values()
        for method in service.methods
    }
    described = {
        calls.list_games().path,
        calls.get_game("lie").path,
        calls.create_session("lie", []).path,
        calls.get_session("s").path,
        calls.list_sessions("", "", None, 0, None, 1).path,
        calls.claim_seat("s").path,
        calls.reveal_entropy("s", "t", b"e").path,
        calls.get_turn("s").path,
        calls.submit("s", "t", 0, 1, index=0).path,
        calls.watch("s").path,
        calls.forfeit_seat("s", "t").path,
        calls.abort_session("s", "t").path,
        calls.rotate_seat_token("s", "t", 0).path,
        calls.get_record("s").path,
    }
    assert described == offered
