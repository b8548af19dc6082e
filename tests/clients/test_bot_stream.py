"""What a bot may rely on while it plays: batches, refusals, reconnects, asynchronous thinking."""

import asyncio

import grpc
import pytest

from croupier.v1 import bots_pb2, turns_pb2
from croupier_client import Bot, CroupierError, Denied, Turn, Unavailable
from croupier_client.answers import add_answer
from croupier_client.player import HOLD_S, MAX_ANSWERS, Player
from croupier_client.stream import LONGEST_DELAY_S, backoff


async def test_the_bot_introduces_itself(host, play) -> None:
    """Name, token and the wanted detail are in the first message."""
    heard = []

    async def script(talk) -> None:
        heard.append((await talk.greet(), talk.token()))

    host.scripts = [script]
    await play(lambda turn: 0, turns_pb2.TurnDetail(omit_view=True))
    hello = bots_pb2.Hello(name="tester", detail=turns_pb2.TurnDetail(omit_view=True))
    assert heard == [(hello, "Bearer a-token-of-this-bot-22")]


async def test_answers_of_a_batch_go_out_together(host, play, turn) -> None:
    """n turns in one message are answered by one request with n answers, in order."""
    heard = []

    async def script(talk) -> None:
        await talk.greet()
        await talk.say(turns=[turn(n, session_id=f"s{n}") for n in range(1, 33)])
        heard.append(await talk.hear())
        await talk.say(turns=[turn(2, session_id="s1")])
        heard.append(await talk.hear())

    host.scripts = [script]
    await play(lambda turn: turn.legal[1])
    assert [len(request.answers) for request in heard] == [32, 1]
    assert [(a.session_id, a.decision_id, a.notation) for a in heard[0].answers] == [
        (f"s{n}", n, "raise") for n in range(1, 33)
    ]
    assert not any(request.HasField("hello") for request in heard)


async def test_asynchronous_answers_that_need_no_waiting_are_one_batch_too(host, play, turn) -> None:
    heard = []

    async def script(talk) -> None:
        await talk.greet()
        await talk.say(turns=[turn(1, session_id=f"s{n}") for n in range(8)])
        heard.append(await talk.hear())

    async def answer(turn: Turn) -> int:
        return 0

    host.scripts = [script]
    await play(answer)
    assert len(heard[0].answers) == 8


async def test_thinking_about_one_game_does_not_hold_up_another(host, play, turn) -> None:
    """Asynchronous plays run at the same time; each answer goes out when it is ready."""
    order = []
    quick_is_done = asyncio.Event()

    async def script(talk) -> None:
        await talk.greet()
        await talk.say(turns=[turn(1, "slow")])
        await talk.say(turns=[turn(1, "quick")])
        order.extend(a.session_id for a in (await talk.hear()).answers)
        quick_is_done.set()
        order.extend(a.session_id for a in (await talk.hear()).answers)

    async def answer(turn: Turn) -> str:
        if turn.session_id == "slow":
            await quick_is_done.wait()
        return "fold"

    host.scripts = [script]
    await play(answer)
    assert order == ["quick", "slow"]


async def test_a_game_that_ends_stops_the_thinking_about_it(host, play, turn) -> None:
    """An answer nobody waits for is not sent, and the stream goes on."""
    given_up = asyncio.Event()
    heard = []

    class Thinker(Bot):
        async def play(self, turn: Turn) -> int:
            if turn.session_id == "doomed":
                try:
                    await asyncio.Event().wait()
                finally:
                    given_up.set()
            return 0

    async def script(talk) -> None:
        await talk.greet()
        await talk.say(turns=[turn(1, "doomed")])
        await talk.say(games_over=[bots_pb2.GameOver(session_id="doomed")])
        await given_up.wait()
        await talk.say(turns=[turn(1, "other")])
        heard.append(await talk.hear())

    host.scripts = [script]
    await play(Thinker())
    assert [a.session_id for a in heard[0].answers] == ["other"]


async def test_a_refused_answer_is_told_and_its_turn_comes_again(host, play, turn) -> None:
    class Learner(Bot):
        told: list[str]

        def __init__(self) -> None:
            self.told = []

        def play(self, turn: Turn) -> str:
            return "raise" if self.told else "cheat"

        def refused(self, refusal: bots_pb2.Refusal) -> None:
            self.told.append(refusal.reason)

    heard = []

    async def script(talk) -> None:
        await talk.greet()
        await talk.say(turns=[turn(1)])
        heard.append((await talk.hear()).answers[0].notation)
        refusal = bots_pb2.Refusal(session_id="s", decision_id=1, reason="ILLEGAL_ACTION")
        await talk.say(refusals=[refusal], turns=[turn(1)])
        heard.append((await talk.hear()).answers[0].notation)

    host.scripts = [script]
    bot = Learner()
    await play(bot)
    assert (heard, bot.told) == (["cheat", "raise"], ["ILLEGAL_ACTION"])


async def test_a_refusal_nobody_listens_to_is_written_to_stderr(host, play, capsys) -> None:
    async def script(talk) -> None:
        await talk.greet()
        await talk.say(refusals=[bots_pb2.Refusal(session_id="s", reason="STALE_DECISION", message="too late")])

    host.scripts = [script]
    await play(lambda turn: 0)
    assert "STALE_DECISION" in capsys.readouterr().err


async def test_only_the_first_refusals_are_written(host, play, capsys) -> None:
    """Five with reason and message, then one line that says no more follow."""
    refusal = bots_pb2.Refusal(session_id="s", reason="ILLEGAL_ACTION", message="9x9 is no bid")

    async def script(talk) -> None:
        await talk.greet()
        await talk.say(refusals=[refusal] * 4)
        await talk.say(refusals=[refusal] * 4)

    host.scripts = [script]
    await play(lambda turn: 0)
    *shown, last = capsys.readouterr().err.splitlines()
    assert len(shown) == 5
    assert all("ILLEGAL_ACTION" in line and "9x9 is no bid" in line for line in shown)
    assert "not shown" in last


async def test_a_bot_hears_of_its_tables(host, play, turn) -> None:
    """seated comes before the first turn, whose seating it is; game_over comes last."""
    story = []

    class Listener(Bot):
        def seated(self, seating: bots_pb2.Seated) -> None:
            story.append(("seated", seating.game_id))

        def play(self, turn: Turn) -> int:
            story.append(("play", turn.seating.game_id))
            return 0

        async def game_over(self, result: bots_pb2.GameOver) -> None:
            story.append(("over", result.session_id))

    async def script(talk) -> None:
        await talk.greet()
        seated = bots_pb2.Seated(session_id="s", seat=0, game_id="lie")
        await talk.say(seated=[seated], turns=[turn(1)])
        await talk.hear()
        await talk.say(games_over=[bots_pb2.GameOver(session_id="s")])

    host.scripts = [script]
    await play(Listener)
    assert story == [("seated", "lie"), ("play", "lie"), ("over", "s")]


async def test_a_dropped_bot_comes_back_and_plays_the_turns_that_come_again(host, play, turn, pauses, capsys) -> None:
    """UNAVAILABLE is no end: the bot says so on stderr, waits, reconnects, and greets again."""
    heard = []

    async def drop(talk) -> None:
        await talk.greet()
        await talk.say(turns=[turn(1)])
        await talk.hear()
        await talk.hang_up(grpc.StatusCode.UNAVAILABLE, "restarting")

    async def carry_on(talk) -> None:
        heard.append((await talk.greet()).name)
        await talk.say(turns=[turn(1), turn(1, session_id="t")])
        heard.extend(answer.session_id for answer in (await talk.hear()).answers)

    host.scripts = [drop, drop, carry_on]
    await play(lambda turn: 0)
    assert heard == ["tester", "s", "t"]
    assert len(pauses) == 2
    assert "restarting" in capsys.readouterr().err


async def test_a_drop_forgets_what_was_being_thought(host, play, turn) -> None:
    """The turn comes again after a reconnect, so the first thought about it must not answer as well."""
    thoughts, heard = [], []

    async def answer(turn: Turn) -> int:
        thoughts.append(turn.decision_id)
        if len(thoughts) == 1:
            await asyncio.Event().wait()
        return 1

    async def drop(talk) -> None:
        await talk.greet()
        await talk.say(turns=[turn(1)])
        await talk.hang_up(grpc.StatusCode.UNAVAILABLE)

    async def carry_on(talk) -> None:
        await talk.greet()
        await talk.say(turns=[turn(1)])
        heard.append(await talk.hear())

    host.scripts = [drop, carry_on]
    await play(answer)
    assert thoughts == [1, 1]
    assert [len(request.answers) for request in heard] == [1]


async def test_a_stream_that_ends_under_an_answer_is_a_drop_too(host, play, turn) -> None:
    """Whatever status the library makes of a write into a dead stream, the bot comes back."""
    attempts = []

    async def drop(talk) -> None:
        attempts.append("drop")
        await talk.greet()
        await talk.say(turns=[turn(n + 1, session_id=f"s{n}") for n in range(64)])
        await talk.hang_up(grpc.StatusCode.UNAVAILABLE)

    async def end(talk) -> None:
        attempts.append("end")
        await talk.greet()

    host.scripts = [drop] * 20 + [end]
    await play(lambda turn: "x" * 5000)
    assert attempts == ["drop"] * 20 + ["end"]


def test_pauses_grow_to_a_cap() -> None:
    delays = backoff()
    seen = [next(delays) for _ in range(12)]
    assert seen[0] < 0.5 < max(seen) <= LONGEST_DELAY_S
    assert min(seen[-3:]) >= LONGEST_DELAY_S / 2


@pytest.mark.parametrize(
    "code",
    [
        grpc.StatusCode.UNAUTHENTICATED,
        grpc.StatusCode.PERMISSION_DENIED,
        grpc.StatusCode.INVALID_ARGUMENT,
        grpc.StatusCode.FAILED_PRECONDITION,
        grpc.StatusCode.RESOURCE_EXHAUSTED,
    ],
)
async def test_what_will_not_get_better_is_not_tried_again(host, play, pauses, code) -> None:
    async def script(talk) -> None:
        await talk.hear()
        await talk.hang_up(code, "go away")

    host.scripts = [script]
    with pytest.raises(CroupierError, match="go away") as caught:
        await play(lambda turn: 0)
    assert (caught.value.code, pauses) == (code, [])
    assert isinstance(caught.value, Denied) == (code.name in {"UNAUTHENTICATED", "PERMISSION_DENIED"})


@pytest.mark.parametrize("asynchronous", [False, True])
async def test_an_exception_in_play_ends_the_bot(host, play, turn, asynchronous) -> None:
    """It comes out as it was raised: not wrapped, not hidden, not retried."""

    async def script(talk) -> None:
        await talk.greet()
        await talk.say(turns=[turn(1), turn(1, "t")])
        await talk.hear()

    def fail(turn: Turn) -> int:
        raise ZeroDivisionError("a bug of the bot")

    async def fail_later(turn: Turn) -> int:
        return fail(turn)

    host.scripts = [script]
    with pytest.raises(ZeroDivisionError, match="a bug of the bot"):
        await play(fail_later if asynchronous else fail)


async def test_a_bots_own_trouble_with_some_service_is_not_taken_for_a_lost_stream(host, play, turn, pauses) -> None:
    """A bot may use a Client itself; what that raises in play is an exception like any other."""

    async def script(talk) -> None:
        await talk.greet()
        await talk.say(turns=[turn(1)])
        await talk.hear()

    def ask_elsewhere(turn: Turn) -> int:
        raise Unavailable("UNAVAILABLE", "an oracle is away", grpc.StatusCode.UNAVAILABLE)

    host.scripts = [script]
    with pytest.raises(Unavailable, match="an oracle is away"):
        await play(ask_elsewhere)
    assert pauses == []


@pytest.mark.parametrize("choice", [None, 1.5, True, ["fold"], b"fold", bots_pb2.Hello()])
@pytest.mark.parametrize("asynchronous", [False, True])
async def test_an_answer_of_a_wrong_type_is_explained(host, play, turn, choice, asynchronous) -> None:
    async def script(talk) -> None:
        await talk.greet()
        await talk.say(turns=[turn(1)])
        await talk.hear()

    async def later(turn: Turn):
        return choice

    host.scripts = [script]
    with pytest.raises(TypeError, match=r"expected .*, got"):
        await play(later if asynchronous else lambda turn: choice)


@pytest.mark.parametrize("position", [-1, 2])
def test_a_position_outside_the_list_is_explained(turn, position) -> None:
    with pytest.raises(ValueError, match=f"0 to 1, got {position}"):
        add_answer(bots_pb2.PlayRequest(), turn(1), position)


def test_anything_that_is_an_index_is_a_position(turn) -> None:
    """Numbers of numeric libraries, such as the result of an argmax, are welcome."""

    class Number:
        def __index__(self) -> int:
            return 1

    request = bots_pb2.PlayRequest()
    add_answer(request, turn(1), Number())
    assert request.answers[0].index == 1


async def test_fields_of_a_newer_service_are_ignored(host, play, turn) -> None:
    """An older bot plays on with a service that has learnt to say more."""
    heard = []
    news = bytes([0xC2, 0x3E, 0x03]) + b"new"  # field 1000, three bytes

    async def script(talk) -> None:
        await talk.greet()
        newer = bots_pb2.PlayResponse.FromString(
            bots_pb2.PlayResponse(
                turns=[turns_pb2.Turn.FromString(turn(1).SerializeToString() + news)]
            ).SerializeToString()
            + news
        )
        await talk.say(turns=newer.turns)
        heard.append(await talk.hear())

    host.scripts = [script]
    await play(lambda turn: turn.legal[0])
    assert heard[0].answers[0].notation == "fold"


class Outbox:
    """Collects what a Player sends."""

    def __init__(self) -> None:
        self.sizes: list[int] = []

    async def send(self, request: bots_pb2.PlayRequest) -> None:
        self.sizes.append(len(request.answers))


async def test_no_message_has_more_answers_than_the_service_takes(turn) -> None:
    outbox = Outbox()
    batch = bots_pb2.PlayResponse(turns=[turn(1, f"s{n}") for n in range(2 * MAX_ANSWERS + 1)])
    async with asyncio.TaskGroup() as tasks:
        await Player(as_is, outbox.send, tasks, clock=lambda: 0.0).receive(batch)
    assert outbox.sizes == [MAX_ANSWERS, MAX_ANSWERS, 1]


async def test_reading_never_waits_for_writing(turn) -> None:
    """A service and a bot that both have much to say do not wait for each other; the answers catch up together."""
    sizes: list[int] = []
    service_reads = asyncio.Event()

    async def send(request: bots_pb2.PlayRequest) -> None:
        await service_reads.wait()
        sizes.append(len(request.answers))

    async with asyncio.TaskGroup() as tasks:
        player = Player(as_is, send, tasks)
        async with asyncio.timeout(30):
            for number in range(1, 4):
                await player.receive(bots_pb2.PlayResponse(turns=[turn(number), turn(number, "t")]))
                await asyncio.sleep(0)
        service_reads.set()
    assert sizes == [2, 4]


async def test_a_slow_bot_sends_what_it_has(turn) -> None:
    """Answers wait for their batch only as long as the clocks hardly notice."""
    outbox = Outbox()
    times = iter(n * HOLD_S for n in range(100))
    batch = bots_pb2.PlayResponse(turns=[turn(1, f"s{n}") for n in range(3)])
    async with asyncio.TaskGroup() as tasks:
        await Player(as_is, outbox.send, tasks, clock=lambda: next(times)).receive(batch)
    assert len(outbox.sizes) > 1
    assert sum(outbox.sizes) == 3


class First(Bot):
    def play(self, turn: Turn) -> int:
        return 0


as_is = First()
