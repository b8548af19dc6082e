package croupier.bots;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.ByteString;
import croupier.client.Choice;
import croupier.client.Turn;
import croupier.v1.Bots.Seated;
import croupier.v1.Turns;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RandomBotTest {
  @Test
  void withTheSameSeedItDrawsWhatThePythonBotDraws() {
    Seated seating =
        Seated.newBuilder().setSeedCommitment(ByteString.copyFromUtf8("commitment")).build();
    RandomBot bot = new RandomBot("17");
    List<Choice> drawn =
        LongStream.rangeClosed(1, 6)
            .mapToObj(
                id -> Turns.Turn.newBuilder().setSeat(1).setDecisionId(id).setLegalCount6(100))
            .map(raw -> bot.play(new Turn(raw.build(), seating)))
            .toList();
    assertEquals(List.of(41, 17, 19, 47, 61, 98).stream().map(Choice::index).toList(), drawn);
  }
}
