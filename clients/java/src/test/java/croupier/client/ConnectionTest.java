package croupier.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import croupier.v1.Bots.PlayRequest;
import croupier.v1.Bots.PlayResponse;
import croupier.v1.Bots.Welcome;
import croupier.v1.Turns;
import croupier.v1.Turns.LegalDetail;
import croupier.v1.Turns.TurnDetail;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A real connection to a service that follows a script. */
@Timeout(60)
class ConnectionTest {
  private static final PlayResponse WELCOME =
      PlayResponse.newBuilder().setWelcome(Welcome.getDefaultInstance()).build();
  private static final PlayResponse THREE_TURNS =
      PlayResponse.newBuilder().addTurns(turn(1)).addTurns(turn(2)).addTurns(turn(3)).build();
  private static final Bot FIRST = turn -> Choice.index(0);

  private final List<Duration> pauses = new ArrayList<>();

  @Test
  void overTcpTheBotGreetsWithItsTokenAndAnswersABatchWithOneMessage() throws Exception {
    try (FakeService service = FakeService.onTcp(ConnectionTest::threeTurnsThenTheEnd)) {
      play(service, FIRST);
      assertGreetedAndAnswered(service);
    }
  }

  @Test
  void overAUnixSocketTheSameHappens() throws Exception {
    try (FakeService service = FakeService.onUnixSocket(ConnectionTest::threeTurnsThenTheEnd)) {
      play(service, FIRST);
      assertGreetedAndAnswered(service);
    }
  }

  @Test
  void whenTheServiceGoesAwayTheBotComesBack() throws Exception {
    List<StreamObserver<PlayResponse>> calls = new ArrayList<>();
    FakeService.Script script =
        (request, replies) -> {
          calls.add(replies);
          if (calls.size() < 3) {
            replies.onError(Status.UNAVAILABLE.asRuntimeException());
          } else {
            replies.onCompleted();
          }
        };
    try (FakeService service = FakeService.onTcp(script)) {
      play(service, FIRST);
    }
    assertEquals(3, calls.size());
    assertEquals(2, pauses.size());
  }

  @Test
  void whenTheServiceRefusesTheBotItSaysWhyAndDoesNotComeBack() throws Exception {
    Status refused = Status.UNAUTHENTICATED.withDescription("no such token");
    FakeService.Script script = (request, replies) -> replies.onError(refused.asRuntimeException());
    try (FakeService service = FakeService.onTcp(script)) {
      var end = assertThrows(StreamEndedException.class, () -> play(service, FIRST));
      assertEquals("UNAUTHENTICATED: no such token", end.getMessage());
    }
    assertEquals(List.of(), pauses);
  }

  @Test
  void whatABotThrowsComesOutAsItIs() throws Exception {
    IllegalStateException failure = new IllegalStateException("lost the thread");
    Bot confused =
        turn -> {
          throw failure;
        };
    try (FakeService service = FakeService.onTcp(ConnectionTest::threeTurnsThenTheEnd)) {
      assertSame(failure, assertThrows(RuntimeException.class, () -> play(service, confused)));
    }
  }

  @Test
  void delaysDoubleUpToACapAndAreScattered() {
    Backoff backoff = new Backoff();
    for (long longest : new long[] {250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000}) {
      long delay = backoff.next().toMillis();
      assertTrue(longest / 2 <= delay && delay <= longest, delay + " ms of " + longest);
    }
  }

  private void play(FakeService service, Bot bot) throws Exception {
    Settings settings = new Settings(service.target(), "secret", "tester");
    TurnDetail detail = TurnDetail.newBuilder().setLegal(LegalDetail.LEGAL_DETAIL_COUNT).build();
    new Connection(settings, detail, pauses::add).play(bot);
  }

  private static void assertGreetedAndAnswered(FakeService service) {
    assertEquals("Bearer secret", service.authorization());
    List<PlayRequest> received = service.received();
    assertEquals(2, received.size());
    assertEquals("tester", received.get(0).getHello().getName());
    assertEquals(LegalDetail.LEGAL_DETAIL_COUNT, received.get(0).getHello().getDetail().getLegal());
    assertEquals(3, received.get(1).getAnswersCount());
  }

  private static void threeTurnsThenTheEnd(
      PlayRequest request, StreamObserver<PlayResponse> replies) {
    if (request.hasHello()) {
      replies.onNext(WELCOME);
      replies.onNext(THREE_TURNS);
    } else {
      replies.onCompleted();
    }
  }

  private static Turns.Turn.Builder turn(int decision) {
    return Turns.Turn.newBuilder().setDecisionId(decision).setLegalCount6(2);
  }
}
