package croupier.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import croupier.games.lie.v1.Lie;
import croupier.v1.Bots.GameOver;
import croupier.v1.Bots.PlayRequest;
import croupier.v1.Bots.PlayResponse;
import croupier.v1.Bots.Refusal;
import croupier.v1.Bots.Seated;
import croupier.v1.Turns;
import croupier.v1.Turns.Answer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlayerTest {
  private final List<PlayRequest> sent = new ArrayList<>();
  private long nanos;

  @Test
  void answersToOneMessageGoOutTogether() {
    player(turn -> Choice.index(1)).receive(turns(64));
    assertEquals(List.of(64), sizes());
  }

  @Test
  void noMessageHasMoreAnswersThanTheServiceTakes() {
    player(turn -> Choice.index(0)).receive(turns(2 * Player.MAX_ANSWERS + 1));
    assertEquals(List.of(Player.MAX_ANSWERS, Player.MAX_ANSWERS, 1), sizes());
  }

  @Test
  void answersOfASlowBotDoNotWaitForTheRest() {
    Player player =
        player(
            turn -> {
              nanos += Player.HOLD_NANOS / 2 + 1;
              return Choice.index(0);
            });
    player.receive(turns(5));
    assertEquals(List.of(2, 2, 1), sizes());
  }

  @Test
  void nothingIsSentWithoutATurn() {
    player(turn -> Choice.index(0)).receive(PlayResponse.getDefaultInstance());
    assertEquals(List.of(), sent);
  }

  @Test
  void anAnswerNamesItsDecisionAndTheChoiceInItsForm() {
    List<Choice> choices = new ArrayList<>();
    choices.add(Choice.index(2));
    choices.add(Choice.notation("3x5"));
    choices.add(Choice.action(Lie.Action.getDefaultInstance()));
    player(turn -> choices.remove(0)).receive(turns(3));
    List<Answer> answers = sent.get(0).getAnswersList();
    assertEquals(answer(0).setIndex(2).build(), answers.get(0));
    assertEquals(answer(1).setNotation("3x5").build(), answers.get(1));
    assertTrue(answers.get(2).getAction().hasLie(), "an empty action is still one of its game");
  }

  @Test
  void aPositionBeyondTheLegalListEndsTheBot() {
    Player player = player(turn -> Choice.index(3));
    String message =
        assertThrows(IllegalArgumentException.class, () -> player.receive(turns(1))).getMessage();
    assertTrue(message.endsWith("0 to 2, got 3"), message);
  }

  @Test
  void aMessageIsToldInOrderAndTheSeatingStaysUntilTheGameIsOver() {
    List<String> heard = new ArrayList<>();
    PlayResponse all =
        turns(1).toBuilder()
            .addSeated(Seated.newBuilder().setSessionId("game 0").setGameId("lie"))
            .addRefusals(Refusal.getDefaultInstance())
            .addGamesOver(GameOver.newBuilder().setSessionId("game 0"))
            .build();
    Player player = player(new Listener(heard));
    player.receive(all);
    assertEquals(List.of("seated", "refused", "play lie", "game over"), heard);
    assertThrows(IllegalStateException.class, () -> player.receive(turns(1)));
  }

  private record Listener(List<String> heard) implements Bot {
    @Override
    public Choice play(Turn turn) {
      heard.add("play " + turn.seating().getGameId());
      return Choice.index(0);
    }

    @Override
    public void seated(Seated seating) {
      heard.add("seated");
    }

    @Override
    public void refused(Refusal refusal) {
      heard.add("refused");
    }

    @Override
    public void gameOver(GameOver result) {
      heard.add("game over");
    }
  }

  private Player player(Bot bot) {
    return new Player(bot, sent::add, () -> nanos);
  }

  private List<Integer> sizes() {
    return sent.stream().map(PlayRequest::getAnswersCount).toList();
  }

  private static PlayResponse turns(int count) {
    PlayResponse.Builder response = PlayResponse.newBuilder();
    for (int number = 0; number < count; number++) {
      response.addTurns(
          Turns.Turn.newBuilder()
              .setSessionId("game " + number)
              .setDecisionId(number + 1)
              .setLegalCount6(3));
    }
    return response.build();
  }

  private static Answer.Builder answer(int number) {
    return Answer.newBuilder().setSessionId("game " + number).setDecisionId(number + 1);
  }
}
