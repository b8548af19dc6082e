package croupier.client;

import com.google.common.collect.Lists;
import croupier.v1.Bots.Seated;
import croupier.v1.Games.GameAction;
import croupier.v1.Games.GameEvent;
import croupier.v1.Games.GameView;
import croupier.v1.Turns;
import croupier.v1.Turns.LegalAction;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One decision, as a bot sees it. What the bot did not ask for throws an IllegalStateException that
 * says so.
 *
 * @param raw the whole message; in Java its fields {@code legal} and {@code legal_count} carry
 *     their numbers, because they would else share the name {@code getLegalCount()}
 * @param seating the table: game, options, names, seed commitment, …
 */
public record Turn(Turns.Turn raw, Seated seating) {
  @Override
  public Seated seating() {
    if (seating == null) {
      throw new IllegalStateException(
          "the service did not say who is seated in session " + sessionId());
    }
    return seating;
  }

  /** The session: different for every game. */
  public String sessionId() {
    return raw.getSessionId();
  }

  /** The seat that decides, counting from 0. */
  public int seat() {
    return raw.getSeat();
  }

  /** Names this decision among all of this seat in this session. */
  public long decisionId() {
    return raw.getDecisionId();
  }

  /** What the seat sees, such as {@code view().getLie()}. */
  public GameView view() {
    if (!raw.hasView()) {
      throw new IllegalStateException("this turn has no view: leave out omitView() to get it");
    }
    return raw.getView();
  }

  /** The notations of the legal actions, in a fixed order: answer with one, or its position. */
  public List<String> legal() {
    if (legalCount() > 0 && raw.getLegal5List().isEmpty()) {
      throw new IllegalStateException(
          "this turn only counts the legal actions: ask with legal(LEGAL_DETAIL_NOTATION)");
    }
    return Lists.transform(raw.getLegal5List(), LegalAction::getNotation);
  }

  /** How many legal actions there are, whatever was asked for. */
  public int legalCount() {
    return raw.getLegalCount6();
  }

  /** The legal actions as messages, in the order of {@link #legal()}. */
  public List<GameAction> actions() {
    if (legalCount() > 0 && (raw.getLegal5List().isEmpty() || !raw.getLegal5(0).hasAction())) {
      throw new IllegalStateException(
          "this turn has no typed actions: ask for them with legal(LEGAL_DETAIL_TYPED)");
    }
    return Lists.transform(raw.getLegal5List(), LegalAction::getAction);
  }

  /** What happened since this seat's last decision; empty if not asked for. */
  public List<GameEvent> events() {
    return raw.getEventsList();
  }

  /** Time left for this decision when the turn was sent; empty if there is no limit. */
  public Optional<Duration> timeLeft() {
    return raw.hasTimeLeftMs()
        ? Optional.of(Duration.ofMillis(raw.getTimeLeftMs()))
        : Optional.empty();
  }
}
