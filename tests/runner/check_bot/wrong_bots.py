"""Bots that each do one thing wrong: what they do instead of `plain_bot`, or, of bots that speak lines, all they do.

A table to be read: the check that catches it, what is wrong, and words of the sentence that says so."""

from typing import NamedTuple


class Wrong(NamedTuple):
    check: str
    what: str
    words: str
    code: str
    protocol: str = "grpc"
    also: tuple[str, ...] = ()
    """Other checks that must fail too."""


GRPC = [
    Wrong(
        "greets",
        "shows its token without the word Bearer",
        "expected the metadata 'authorization: Bearer' and CROUPIER_TOKEN, got ",
        "def metadata(self): return (('authorization', self.token),)",
    ),
    Wrong(
        "greets",
        "has too long a name",
        "its name has 65 characters, and may have 64",
        "name = 65 * 'x'",
    ),
    Wrong(
        "greets",
        "says hello with every message",
        "it said hello again on the same stream",
        "def send(self, answers): self.out.put(bots_pb2.PlayRequest(hello=self.hello(), answers=answers))",
    ),
    Wrong(
        "greets",
        "begins without hello",
        "its first message carries no hello",
        "def hello(self): return None",
    ),
    Wrong(
        "games",
        "counts the legal actions from 1",
        "was refused as ILLEGAL_ACTION",
        "def choose(self, turn): return turn.legal_count",
    ),
    Wrong(
        "games",
        "does not answer where there is no choice",
        "did not answer decision",
        "def open(self, turns): return [turn for turn in turns if turn.legal_count > 1]",
    ),
    Wrong(
        "seats",
        "knows a game by its session alone",
        "keep what you remember of a game under session and seat",
        "def open(self, turns): return {turn.session_id: turn for turn in turns}.values()",
    ),
    Wrong(
        "detail",
        "cannot take a view that it did not ask for",
        "its process ended with exit code 1",
        "def choose(self, turn):\n  assert not turn.HasField('view')\n  return 0",
    ),
    Wrong(
        "batches",
        "sends every answer by itself",
        "though 64 turns came at a time; answer every turn of a message once, and put the answers",
        "def send(self, answers):\n  for each in answers: self.out.put(bots_pb2.PlayRequest(answers=[each]))",
    ),
    Wrong(
        "batches",
        "answers the first turn of a large batch twice",
        "more often than it was asked; answer every turn exactly once",
        "def send(self, answers): super().send(answers + answers[:len(answers) // 50])",
    ),
    Wrong(
        "hurry",
        "thinks 50 ms about every turn, one after the other",
        "it has 32 games at once and 1 s for each decision: think less, or in parallel",
        "def choose(self, turn):\n  time.sleep(0.05)\n  return 0",
    ),
    Wrong(
        "reconnect",
        "gives up when the stream is lost",
        "its process ended with exit code 1 though the stream was still open; after UNAVAILABLE connect again",
        "def lost(self, error): sys.exit(error.details())",
        also=("again",),
    ),
    Wrong(
        "again",
        "answers no decision twice, unless it was refused",
        "when it came again within",
        "done = set()\n"
        "def open(self, turns):\n"
        "  new = [turn for turn in turns if (turn.session_id, turn.seat, turn.decision_id) not in self.done]\n"
        "  self.done.update((turn.session_id, turn.seat, turn.decision_id) for turn in new)\n"
        "  return new\n"
        "def refused(self, refusal): self.done.discard((refusal.session_id, refusal.seat, refusal.decision_id))",
    ),
    Wrong(
        "refused",
        "answers no decision twice on the same stream",
        "when it came again within",
        "def play(self):\n"
        "  self.done = set()\n"
        "  super().play()\n"
        "def open(self, turns):\n"
        "  new = [turn for turn in turns if (turn.session_id, turn.seat, turn.decision_id) not in self.done]\n"
        "  self.done.update((turn.session_id, turn.seat, turn.decision_id) for turn in new)\n"
        "  return new",
    ),
    Wrong(
        "refused",
        "takes a refused answer for the end",
        "a refusal ends nothing",
        "def refused(self, refusal):\n  if refusal.reason == 'BAD_CHOICE': sys.exit('refused')",
    ),
    Wrong(
        "stranger",
        "looks for the game of every refusal",
        "a refusal may name what a bot does not know",
        "games = {}\n"
        "def seated(self, seating): self.games[seating.session_id] = seating\n"
        "def refused(self, refusal): self.games[refusal.session_id]",
    ),
    Wrong(
        "stranger",
        "answers a refused decision again at once, and not when its turn comes",
        "more often than it was asked",
        "def refused(self, refusal):\n"
        "  if refusal.reason == 'STALE_DECISION':\n"
        "    self.send([turns_pb2.Answer(session_id=refusal.session_id, seat=refusal.seat, "
        "decision_id=refusal.decision_id)])",
    ),
    Wrong(
        "abort",
        "expects every game to have a result",
        "an aborted game ends with a game_over that has no outcome",
        "def game_over(self, result): result.outcome.results[result.seat]",
    ),
    Wrong(
        "abort",
        "expects every game that ends to have begun",
        "KeyError",
        "games = {}\n"
        "def seated(self, seating): self.games[seating.session_id, seating.seat] = seating\n"
        "def game_over(self, result): del self.games[result.session_id, result.seat]",
    ),
    Wrong(
        "newer",
        "minds unknown fields",
        "leave unread what you do not know",
        "def seated(self, seating):\n"
        "  from google.protobuf.unknown_fields import UnknownFieldSet\n"
        "  assert not len(UnknownFieldSet(seating))",
    ),
    Wrong(
        "newer",
        "knows all causes of a forfeit",
        "Enum ForfeitCause has no name defined for value 99",
        "def game_over(self, result):\n"
        "  from croupier.v1.sessions_pb2 import ForfeitCause\n"
        "  for each in result.outcome.results: ForfeitCause.Name(each.forfeit_cause)",
    ),
    Wrong(
        "newer",
        "takes an empty message for the end",
        "its process ended with exit code 0",
        "def receive(self, response):\n  if not response.ByteSize(): os._exit(0)\n  super().receive(response)",
    ),
    Wrong(
        "newer",
        "takes it for an error that it knows no event of a turn",
        "kinds of events",
        "def hello(self): return bots_pb2.Hello()\n"
        "def choose(self, turn):\n"
        "  for each in turn.events:\n"
        "    game = getattr(each, each.WhichOneof('game'))\n"
        "    assert game.WhichOneof('kind'), 'an event of no kind'\n"
        "  return 0",
    ),
    Wrong(
        "closes",
        "comes back whatever happens",
        "the service closed its stream with OK, but 5 s later it still runs and has connected again",
        "def play(self):\n  while True: super().play()",
    ),
    Wrong(
        "closes",
        "takes the end for an error",
        "the service closed its stream with OK, and it ended with exit code 3",
        "def play(self):\n  super().play()\n  sys.exit(3)",
    ),
    Wrong(
        "terminates",
        "ignores SIGTERM",
        "it was sent SIGTERM, but 5 s later it still runs",
        "def play(self):\n  signal.signal(signal.SIGTERM, signal.SIG_IGN)\n  super().play()",
    ),
    Wrong(
        "terminates",
        "is ended by SIGTERM",
        "it was sent SIGTERM and was ended by SIGTERM",
        "def play(self):\n  signal.signal(signal.SIGTERM, signal.SIG_DFL)\n  super().play()",
    ),
    Wrong(
        "terminates",
        "leaves a process behind",
        "it ended and left processes behind: sleep",
        "def play(self):\n"
        "  import subprocess\n"
        "  subprocess.Popen(['sleep', '600'], start_new_session=True, stdout=-3, stderr=-3)\n"
        "  super().play()",
    ),
    Wrong(
        "denied",
        "tries for ever",
        "as for a wrong token, but 5 s later it still runs and has connected again",
        "def lost(self, error): pass",
    ),
    Wrong(
        "denied",
        "ends as if all were well",
        "and it ended with exit code 0, as if all were well",
        "def lost(self, error):\n  if error.code() is not grpc.StatusCode.UNAVAILABLE: os._exit(0)",
    ),
    Wrong(
        "denied",
        "says nothing",
        "and it ended without a word on stderr",
        "def lost(self, error):\n  if error.code() is not grpc.StatusCode.UNAVAILABLE: os._exit(1)",
    ),
]

_LINES = """
import json, sys, time, signal, random
def say(line): print(line if isinstance(line, str) else json.dumps(line), flush=True)
def answer(turn): say({**{k: turn[k] for k in ('session', 'seat', 'decision')}, 'choose': choose(turn)})
def choose(turn): return random.randrange(turn['legal_count'])
def want(): say({'want': {'view': False}})
def hear(line):
    if line['type'] == 'turn': answer(line)
def end(): pass
"""
_RUN = """
want()
for text in sys.stdin: hear(json.loads(text))
end()
"""


def _lines(check: str, what: str, words: str, code: str) -> Wrong:
    return Wrong(check, what, words, _LINES + code + _RUN, "stdio")


STDIO = [
    _lines("greets", "begins with a banner", "does not begin as it should", "def want(): say('My bot 1.0')"),
    _lines("games", "chooses what is not there", "was refused as BAD_CHOICE", "def choose(turn): return -1"),
    _lines(
        "quiet",
        "prints to stdout what it thinks",
        "it wrote lines to stdout that answer nothing",
        "def choose(turn):\n  say('I think')\n  return 0",
    ),
    _lines(
        "newer",
        "knows all types of lines",
        "try croupier bridge --as-newer",
        "known = {'turn': answer, 'hello': id, 'seated': id, 'refused': id, 'game_over': id}\n"
        "def hear(line): known[line['type']](line)",
    ),
    _lines(
        "closes",
        "waits when there are no more lines",
        "its stdin was closed, as at the end of a tournament, but 5 s later it still runs",
        "def end(): time.sleep(600)",
    ),
    _lines(
        "terminates",
        "ignores SIGTERM",
        "it was sent SIGTERM, but 5 s later it still runs",
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)",
    ),
]
