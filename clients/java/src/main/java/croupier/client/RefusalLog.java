package croupier.client;

import croupier.v1.Bots.Refusal;
import java.util.concurrent.atomic.AtomicInteger;

/** Tells the first refusals on stderr; the rest would only say the same again. */
final class RefusalLog {
  private static final int SHOWN = 5;
  private static final AtomicInteger TOLD = new AtomicInteger();

  private RefusalLog() {}

  static void tell(Refusal refusal) {
    int number = TOLD.incrementAndGet();
    if (number <= SHOWN) {
      System.err.printf(
          "croupier: refused %s (session %s, seat %d, decision %d): %s%n",
          refusal.getReason(),
          refusal.getSessionId(),
          refusal.getSeat(),
          refusal.getDecisionId(),
          refusal.getMessage());
    } else if (number == SHOWN + 1) {
      System.err.println("croupier: refused again; further refusals are not shown");
    }
  }
}
