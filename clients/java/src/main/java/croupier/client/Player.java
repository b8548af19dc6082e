package croupier.client;

import croupier.v1.Bots.GameOver;
import croupier.v1.Bots.PlayRequest;
import croupier.v1.Bots.PlayResponse;
import croupier.v1.Bots.Refusal;
import croupier.v1.Bots.Seated;
import croupier.v1.Turns;
import croupier.v1.Turns.Answer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** One bot on one stream: turns in, answers out, in batches. How they travel is not its concern. */
final class Player {
  /** The most answers that the service takes in one message. */
  static final int MAX_ANSWERS = 1024;

  /** Answers wait for the rest of their batch no longer: a slow bot's clocks run meanwhile. */
  static final long HOLD_NANOS = 10_000_000;

  private final Bot bot;
  private final Consumer<PlayRequest> send;
  private final LongSupplier nanoClock;
  private final Map<SeatKey, Seated> seated = new HashMap<>();

  private record SeatKey(String sessionId, int seat) {}

  Player(Bot bot, Consumer<PlayRequest> send, LongSupplier nanoClock) {
    this.bot = bot;
    this.send = send;
    this.nanoClock = nanoClock;
  }

  /** Tells the bot all that a message says, and sends what the bot answers. */
  void receive(PlayResponse response) {
    for (Seated seating : response.getSeatedList()) {
      seated.put(new SeatKey(seating.getSessionId(), seating.getSeat()), seating);
      bot.seated(seating);
    }
    for (Refusal refusal : response.getRefusalsList()) {
      bot.refused(refusal);
    }
    play(response.getTurnsList());
    for (GameOver result : response.getGamesOverList()) {
      bot.gameOver(result);
      seated.remove(new SeatKey(result.getSessionId(), result.getSeat()));
    }
  }

  private void play(List<Turns.Turn> turns) {
    PlayRequest.Builder ready = PlayRequest.newBuilder();
    long began = nanoClock.getAsLong();
    for (Turns.Turn raw : turns) {
      Seated seating = seated.get(new SeatKey(raw.getSessionId(), raw.getSeat()));
      ready.addAnswers(answer(raw, bot.play(new Turn(raw, seating))));
      long now = nanoClock.getAsLong();
      if (ready.getAnswersCount() == MAX_ANSWERS || now - began > HOLD_NANOS) {
        send.accept(ready.build());
        ready = PlayRequest.newBuilder();
        began = now;
      }
    }
    if (ready.getAnswersCount() > 0) {
      send.accept(ready.build());
    }
  }

  private static Answer answer(Turns.Turn turn, Choice choice) {
    Objects.requireNonNull(choice, "expected play to return a Choice, got null");
    Answer.Builder answer =
        Answer.newBuilder()
            .setSessionId(turn.getSessionId())
            .setSeat(turn.getSeat())
            .setDecisionId(turn.getDecisionId());
    if (choice instanceof Choice.Index index) {
      answer.setIndex(checked(index.position(), turn.getLegalCount6()));
    } else if (choice instanceof Choice.Notation notation) {
      answer.setNotation(notation.text());
    } else if (choice instanceof Choice.Action typed) {
      answer.setAction(typed.action());
    }
    return answer.build();
  }

  private static int checked(int position, int legalCount) {
    if (position < 0 || position >= legalCount) {
      throw new IllegalArgumentException(
          "expected a position in turn.legal(), 0 to " + (legalCount - 1) + ", got " + position);
    }
    return position;
  }
}
