package croupier.client;

import croupier.v1.Bots.GameOver;
import croupier.v1.Bots.Refusal;
import croupier.v1.Bots.Seated;

/**
 * Something that plays turns, and may listen to what else happens at its tables.
 *
 * <p>One bot plays any number of games at once, and may sit at one table twice: keep what it
 * remembers of a game under session id <em>and</em> seat. All methods are called by one thread.
 */
@FunctionalInterface
public interface Bot {
  /** Decides; an exception ends the program. */
  Choice play(Turn turn);

  /** A game has started; also called again after a reconnect. */
  default void seated(Seated seating) {}

  /**
   * An answer was not taken; if the decision is still open, its turn follows again. Unless
   * overridden, the first few are written to stderr.
   */
  default void refused(Refusal refusal) {
    RefusalLog.tell(refusal);
  }

  /** A game has ended; an aborted one has no outcome. */
  default void gameOver(GameOver result) {}
}
