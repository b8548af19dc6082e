package croupier.client;

import croupier.v1.Bots.Hello;
import croupier.v1.Turns.TurnDetail;
import java.time.Duration;
import java.util.Locale;

/** The bot's connection: greets, plays, and comes back when it is cut off. */
final class Connection {
  /** How to wait between attempts; tests hand in something quicker. */
  interface Pause {
    void sleep(Duration delay) throws InterruptedException;
  }

  private final Settings settings;
  private final Hello hello;
  private final Pause pause;

  Connection(Settings settings, TurnDetail detail, Pause pause) {
    this.settings = settings;
    this.hello = Hello.newBuilder().setName(settings.name()).setDetail(detail).build();
    this.pause = pause;
  }

  /** Plays until the service closes the stream; throws when trying on is pointless. */
  void play(Bot bot) throws StreamEndedException, InterruptedException {
    Backoff backoff = new Backoff();
    while (true) {
      PlayStream stream = new PlayStream(bot);
      try {
        stream.play(settings, hello);
        return;
      } catch (StreamEndedException end) {
        if (!end.isUnavailable()) {
          throw end;
        }
        if (stream.greeted()) {
          backoff = new Backoff();
        }
        Duration delay = backoff.next();
        tell(stream.greeted() ? "lost" : "cannot reach", end, delay);
        pause.sleep(delay);
      }
    }
  }

  private void tell(String trouble, StreamEndedException end, Duration delay) {
    System.err.printf(
        Locale.ROOT,
        "croupier: %s %s (%s); is croupier-service running there? Trying again in %.1f s%n",
        trouble,
        settings.target(),
        end.getMessage(),
        delay.toMillis() / 1000.0);
  }
}
