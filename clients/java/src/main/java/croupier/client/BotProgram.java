package croupier.client;

import croupier.v1.Turns.LegalDetail;
import croupier.v1.Turns.TurnDetail;
import java.util.List;
import sun.misc.Signal;

/** A bot as a program: settings from the caller or the environment, signals, exit codes. */
public final class BotProgram {
  private static final int EXIT_FAILED = 1;
  private static final int EXIT_USAGE = 2;

  private final Bot bot;
  private final TurnDetail.Builder detail = TurnDetail.newBuilder();
  private String target;
  private String token;
  private String name;

  /** A program that plays as this bot. */
  public BotProgram(Bot bot) {
    this.bot = bot;
  }

  /** The service's address, host:port or unix:/path, instead of CROUPIER_TARGET. */
  public BotProgram target(String target) {
    this.target = target;
    return this;
  }

  /** The bot's token, instead of CROUPIER_TOKEN. */
  public BotProgram token(String token) {
    this.token = token;
    return this;
  }

  /** What the bot calls itself, for logs, instead of CROUPIER_NAME. */
  public BotProgram name(String name) {
    this.name = name;
    return this;
  }

  /** Asks for turns without views: faster. */
  public BotProgram omitView() {
    detail.setOmitView(true);
    return this;
  }

  /** Asks for turns without events: faster. */
  public BotProgram omitEvents() {
    detail.setOmitEvents(true);
    return this;
  }

  /** What turns shall say of the legal actions: their notations, unless this is called. */
  public BotProgram legal(LegalDetail legal) {
    detail.setLegal(legal);
    return this;
  }

  /**
   * Plays until the service closes the stream, or SIGTERM or SIGINT arrives; any other end says why
   * on stderr. Never returns: it ends the program.
   */
  public void run() {
    // javac warns of this class, but a shutdown hook could not tell a signal from the bot's own
    // exit.
    for (String signal : List.of("TERM", "INT")) {
      Signal.handle(new Signal(signal), arrived -> System.exit(0));
    }
    System.exit(exitCode());
  }

  private int exitCode() {
    Settings settings = null;
    try {
      settings = Settings.of(target, token, name, System.getenv());
      Rehearsal.play();
      new Connection(settings, detail.build(), delay -> Thread.sleep(delay.toMillis())).play(bot);
      return 0;
    } catch (SettingsException wrong) {
      System.err.println("croupier: " + wrong.getMessage());
      return EXIT_USAGE;
    } catch (StreamEndedException end) {
      System.err.println(
          "croupier: " + settings.target() + " refuses this bot: " + end.getMessage());
      return EXIT_FAILED;
    } catch (Throwable failure) { // an Error must not leave the program hanging either
      failure.printStackTrace();
      return EXIT_FAILED;
    }
  }
}
