import croupier.client.Bot;
import croupier.client.BotProgram;
import croupier.client.Choice;
import croupier.client.Turn;
import croupier.v1.Bots.GameOver;

/** Always plays the last of the legal actions, and says how its games ended. */
public class LastBot implements Bot {
  @Override
  public Choice play(Turn turn) {
    return Choice.notation(turn.legal().get(turn.legalCount() - 1));
  }

  @Override
  public void gameOver(GameOver result) {
    System.err.println("seat " + result.getSeat() + ": " + result.getOutcome().getReason());
  }

  public static void main(String[] args) {
    new BotProgram(new LastBot()).omitView().omitEvents().run();
  }
}
