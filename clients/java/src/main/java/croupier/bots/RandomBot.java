package croupier.bots;

import static croupier.v1.Turns.LegalDetail.LEGAL_DETAIL_COUNT;
import static java.nio.charset.StandardCharsets.UTF_8;

import croupier.client.Bot;
import croupier.client.BotProgram;
import croupier.client.Choice;
import croupier.client.Turn;
import java.nio.ByteBuffer;

/**
 * Plays any game at random: it never looks at the game, only at how many legal actions there are.
 *
 * <p>Its choices follow from a seed (CROUPIER_BOT_SEED) and from which decision of which deal it
 * is, not from the order in which games happen to be served: the same deal is played the same way
 * again.
 */
public final class RandomBot implements Bot {
  private final byte[] seed;

  /** A bot that draws from this seed, any text. */
  public RandomBot(String seed) {
    this.seed = (seed + "/").getBytes(UTF_8);
  }

  @Override
  public Choice play(Turn turn) {
    long drawn = ByteBuffer.wrap(Chance.of(seed, turn)).getLong();
    return Choice.index((int) Long.remainderUnsigned(drawn, turn.legalCount()));
  }

  /** Plays until the service has had enough. */
  public static void main(String[] args) {
    String seed = System.getenv().getOrDefault("CROUPIER_BOT_SEED", "0");
    new BotProgram(new RandomBot(seed)).omitView().omitEvents().legal(LEGAL_DETAIL_COUNT).run();
  }
}
