"""A small bot on bare gRPC that does everything right; wrong bots differ from it in one thing."""

import os
import queue
import random
import signal
import sys
import time

import grpc

from croupier.v1 import bots_pb2, bots_pb2_grpc, turns_pb2


class PlainBot:
    """Plays at random."""

    name = "plain"
    token = os.environ["CROUPIER_TOKEN"]

    def run(self) -> None:
        signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
        while True:
            try:
                self.play()
                return
            except grpc.RpcError as error:
                self.lost(error)
            time.sleep(0.1)

    def play(self) -> None:
        with grpc.insecure_channel(os.environ["CROUPIER_TARGET"], [("grpc.use_local_subchannel_pool", 1)]) as channel:
            self.out = queue.SimpleQueue()
            self.out.put(bots_pb2.PlayRequest(hello=self.hello()))
            stub = bots_pb2_grpc.BotServiceStub(channel)
            try:
                for response in stub.Play(iter(self.out.get, None), metadata=self.metadata()):
                    self.receive(response)
            finally:
                self.out.put(None)

    def lost(self, error) -> None:
        if error.code() is not grpc.StatusCode.UNAVAILABLE:
            sys.exit(f"refused: {error.details()}")

    def metadata(self):
        return (("authorization", f"Bearer {self.token}"),)

    def hello(self):
        detail = turns_pb2.TurnDetail(omit_view=True, legal=turns_pb2.LEGAL_DETAIL_COUNT, omit_events=True)
        return bots_pb2.Hello(name=self.name, detail=detail)

    def receive(self, response) -> None:
        for seating in response.seated:
            self.seated(seating)
        for refusal in response.refusals:
            self.refused(refusal)
        for result in response.games_over:
            self.game_over(result)
        answers = [self.answer(turn) for turn in self.open(response.turns)]
        if answers:
            self.send(answers)

    def open(self, turns):
        return turns

    def answer(self, turn):
        return turns_pb2.Answer(
            session_id=turn.session_id, seat=turn.seat, decision_id=turn.decision_id, index=self.choose(turn)
        )

    def choose(self, turn) -> int:
        return random.randrange(turn.legal_count)

    def send(self, answers) -> None:
        self.out.put(bots_pb2.PlayRequest(answers=answers))

    def seated(self, seating) -> None: ...

    def refused(self, refusal) -> None: ...

    def game_over(self, result) -> None: ...


if __name__ == "__main__":
    PlainBot().run()
