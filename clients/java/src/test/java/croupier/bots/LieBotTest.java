package croupier.bots;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.ByteString;
import croupier.client.Choice;
import croupier.client.Turn;
import croupier.games.lie.v1.Lie.Action;
import croupier.games.lie.v1.Lie.Bid;
import croupier.games.lie.v1.Lie.Card;
import croupier.games.lie.v1.Lie.Challenge;
import croupier.games.lie.v1.Lie.Hand;
import croupier.games.lie.v1.Lie.Phase;
import croupier.games.lie.v1.Lie.PlacedBid;
import croupier.games.lie.v1.Lie.Round;
import croupier.games.lie.v1.Lie.View;
import croupier.games.ten.v1.Ten;
import croupier.v1.Bots.Seated;
import croupier.v1.Catalog.OptionValue;
import croupier.v1.Games.GameView;
import croupier.v1.Turns;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The figures are those of the Python bot, which this one must equal decision by decision. */
class LieBotTest {
  @Test
  void theOddsOfABidFollowFromTheHandTheDeckAndWhoBidWhat() {
    double[] odds = new LieOdds().atLeast(view(false, 2), 0, 5);
    assertArrayEquals(
        new double[] {
          1,
          1,
          1,
          0.8285443155521379,
          0.38927883454610956,
          0.0973792052507828,
          0.012836401490247642,
          0.0008315875297622362,
          2.047604720355698e-05,
          0
        },
        odds,
        1e-12);
  }

  @Test
  void onesThatAreJokersCountForEveryValue() {
    double[] odds = new LieOdds().atLeast(view(true, 2), 0, 5);
    assertEquals(1, odds[3], 1e-12);
    assertEquals(0.7503519341851442, odds[5], 1e-12);
  }

  @ParameterizedTest
  @CsvSource({
    "false, count_first, 2, 3x5",
    "false, count_first, 4, challenge",
    "false, value_first, 4, 1x6",
    "false, value_first, 5, challenge",
    "true, count_first, 2, 5x5",
    "true, count_first, 5, 6x5",
    "true, value_first, 5, 3x6",
    "true, value_first, 7, 1x6",
  })
  void aBidIsRaisedAsFarAsItIsLikelyOrElseDoubted(
      boolean jokers, String order, int count, String expected) {
    Seated seating =
        Seated.newBuilder()
            .setSeedCommitment(ByteString.copyFromUtf8("commitment"))
            .putOptions("bid_order", OptionValue.newBuilder().setText(order).build())
            .build();
    GameView seen = GameView.newBuilder().setLie(view(jokers, count)).build();
    Turns.Turn raw = Turns.Turn.newBuilder().setDecisionId(7).setView(seen).build();
    assertEquals(Choice.action(action(expected)), new LieBot().play(new Turn(raw, seating)));
  }

  @Test
  void cardsAreTurnedToTheValueOfWhichThereAreMostAndOnesOnlyIfTheyAreJokers() {
    assertEquals(List.of(5, 5, 2), LieBot.arranged(view(false, 2)));
    assertEquals(List.of(5, 5, 1), LieBot.arranged(view(true, 2)));
  }

  @Test
  void anotherGameGetsItsFirstAction() {
    GameView ten = GameView.newBuilder().setTen(Ten.View.getDefaultInstance()).build();
    Turns.Turn raw = Turns.Turn.newBuilder().setView(ten).setLegalCount6(3).build();
    assertEquals(Choice.index(0), new LieBot().play(new Turn(raw, Seated.getDefaultInstance())));
  }

  private static View view(boolean jokers, int bidCount) {
    return View.newBuilder()
        .setPhase(Phase.PHASE_BID)
        .setRound(Round.newBuilder().addAllHandSizes(List.of(3, 2, 4)))
        .setHand(
            Hand.newBuilder()
                .addCards(card(1, 5, 5))
                .addCards(card(2, 5, 5))
                .addCards(card(1, 2, 1)))
        .addBids(PlacedBid.newBuilder().setSeat(2).setCount(bidCount).setValue(5))
        .setOnesAreJokers(jokers)
        .build();
  }

  private static Card card(int low, int high, int showing) {
    return Card.newBuilder().setLow(low).setHigh(high).setShowing(showing).build();
  }

  private static Action action(String notation) {
    if (notation.equals("challenge")) {
      return Action.newBuilder().setChallenge(Challenge.getDefaultInstance()).build();
    }
    String[] bid = notation.split("x");
    return Action.newBuilder()
        .setBid(
            Bid.newBuilder().setCount(Integer.parseInt(bid[0])).setValue(Integer.parseInt(bid[1])))
        .build();
  }
}
