package croupier.client;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import croupier.v1.Bots.PlayRequest;
import croupier.v1.Bots.PlayResponse;
import croupier.v1.Games.GameView;
import croupier.v1.Turns;

/**
 * A made-up turn of every game, played before the greeting.
 *
 * <p>Java loads classes when they are first used: for a first turn that is a quarter of a second of
 * work, and much more on a busy machine. Before the greeting no clock runs.
 */
final class Rehearsal {
  private static final int TIMES = 50;

  private Rehearsal() {}

  static void play() {
    byte[] received = everyGame().toByteArray();
    Player player = new Player(turn -> Choice.index(0), PlayRequest::toByteArray, System::nanoTime);
    try {
      for (int times = 0; times < TIMES; times++) {
        player.receive(PlayResponse.parseFrom(received));
      }
    } catch (InvalidProtocolBufferException impossible) { // it was written two lines above
      throw new AssertionError(impossible);
    }
  }

  private static PlayResponse everyGame() {
    PlayResponse.Builder response = PlayResponse.newBuilder();
    response.addSeatedBuilder();
    response.addGamesOverBuilder();
    for (FieldDescriptor game : GameView.getDescriptor().getFields()) {
      GameView.Builder view = GameView.newBuilder();
      view.setField(game, view.newBuilderForField(game).build());
      Turns.Turn.Builder turn = response.addTurnsBuilder().setView(view).setLegalCount6(1);
      turn.addLegal5Builder().setNotation("pass");
    }
    return response.build();
  }
}
