package croupier.client;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Ever longer delays up to a cap, scattered so that a crowd of bots does not come back at once. */
final class Backoff {
  private static final Duration FIRST = Duration.ofMillis(250);
  private static final Duration LONGEST = Duration.ofSeconds(10);

  private Duration next = FIRST;

  Duration next() {
    Duration delay = next;
    Duration doubled = delay.multipliedBy(2);
    next = doubled.compareTo(LONGEST) < 0 ? doubled : LONGEST;
    double scatter = ThreadLocalRandom.current().nextDouble(0.5, 1.0);
    return Duration.ofMillis(Math.round(delay.toMillis() * scatter));
  }
}
