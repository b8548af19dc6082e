package croupier.bots;

import static croupier.v1.Turns.LegalDetail.LEGAL_DETAIL_COUNT;

import croupier.client.Bot;
import croupier.client.BotProgram;
import croupier.client.Choice;
import croupier.client.Turn;
import croupier.games.lie.v1.Lie.Action;
import croupier.games.lie.v1.Lie.Arrange;
import croupier.games.lie.v1.Lie.Bid;
import croupier.games.lie.v1.Lie.Card;
import croupier.games.lie.v1.Lie.Challenge;
import croupier.games.lie.v1.Lie.Declare;
import croupier.games.lie.v1.Lie.Direction;
import croupier.games.lie.v1.Lie.Phase;
import croupier.games.lie.v1.Lie.PlacedBid;
import croupier.games.lie.v1.Lie.Round;
import croupier.games.lie.v1.Lie.View;
import croupier.v1.Bots.Seated;
import croupier.v1.Catalog.OptionValue;
import croupier.v1.Games.GameView;
import croupier.v1.Turns;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Plays LIE by the odds. It asks for no legal list: it knows the game, and answers with the game's
 * own typed messages. Other games it plays without a thought.
 */
public final class LieBot implements Bot {
  private static final double SAFE = 0.75; // a raise this likely to be true is worth making
  private static final double BOLD = 0.45; // ... and when bluffing
  private static final int BLUFF_ONE_IN = 8;

  private static final Comparator<Bid> COUNT_FIRST =
      Comparator.comparingInt(Bid::getCount).thenComparingInt(Bid::getValue);
  private static final Comparator<Bid> VALUE_FIRST =
      Comparator.comparingInt(Bid::getValue).thenComparingInt(Bid::getCount);

  private final LieOdds odds = new LieOdds();

  /** Thinks about a made-up round, so that Java has loaded all it needs before a clock runs. */
  private void rehearse() {
    Round round = Round.newBuilder().addHandSizes(5).addHandSizes(5).build();
    View view = View.newBuilder().setPhase(Phase.PHASE_BID).setRound(round).build();
    GameView seen = GameView.newBuilder().setLie(view).build();
    Turn turn =
        new Turn(Turns.Turn.newBuilder().setView(seen).build(), Seated.getDefaultInstance());
    for (int times = 0; times < 100; times++) {
      play(turn);
    }
  }

  @Override
  public Choice play(Turn turn) {
    return turn.view().hasLie() ? Choice.action(action(turn)) : Choice.index(0);
  }

  private Action action(Turn turn) {
    View view = turn.view().getLie();
    return switch (view.getPhase()) {
      case PHASE_ARRANGE ->
          Action.newBuilder().setArrange(Arrange.newBuilder().addAllValues(arranged(view))).build();
      case PHASE_DECLARE ->
          Action.newBuilder()
              .setDeclare(Declare.newBuilder().setDirection(direction(turn)))
              .build();
      default -> answer(turn, view);
    };
  }

  private static Direction direction(Turn turn) {
    return whim(turn, 2) == 0
        ? Direction.DIRECTION_CLOCKWISE
        : Direction.DIRECTION_COUNTER_CLOCKWISE;
  }

  /** The highest raise that is likely enough, unless doubting the last bid promises more. */
  private Action answer(Turn turn, View view) {
    double[][] truth = new double[LieOdds.HIGHEST + 1][];
    for (int value = 1; value <= LieOdds.HIGHEST; value++) {
      truth[value] = odds.atLeast(view, turn.seat(), value);
    }
    Bid last = lastBid(view);
    double doubt = last == null ? 0 : 1 - truth[last.getValue()][last.getCount()];
    double enough = whim(turn, BLUFF_ONE_IN) == 0 ? BOLD : SAFE;
    Bid best = null;
    double promise = doubt;
    for (Bid bid : higherBids(view, last, bidOrder(turn))) {
      double likely = truth[bid.getValue()][bid.getCount()];
      if (likely > promise || (likely >= enough && enough > doubt)) {
        best = bid;
        promise = likely;
      }
    }
    return best != null
        ? Action.newBuilder().setBid(best).build()
        : Action.newBuilder().setChallenge(Challenge.getDefaultInstance()).build();
  }

  /** Turns as many cards as possible to one value; jokers come next, then high values. */
  static List<Integer> arranged(View view) {
    List<Card> cards = view.getHand().getCardsList();
    boolean jokers = view.getOnesAreJokers();
    int favourite = 0;
    long most = -1;
    for (int value = jokers ? 2 : 1; value <= LieOdds.HIGHEST; value++) {
      int wanted = value;
      long held = cards.stream().filter(card -> has(card, wanted)).count();
      if (held >= most) { // of equals the highest
        favourite = value;
        most = held;
      }
    }
    List<Integer> values = new ArrayList<>();
    for (Card card : cards) {
      boolean joker = jokers && card.getLow() == 1;
      values.add(has(card, favourite) ? favourite : joker ? 1 : card.getHigh());
    }
    return values;
  }

  private static boolean has(Card card, int value) {
    return card.getLow() == value || card.getHigh() == value;
  }

  /** All bids above the last one, the lowest first. */
  private static List<Bid> higherBids(View view, Bid last, Comparator<Bid> order) {
    int cards = view.getRound().getHandSizesList().stream().mapToInt(Integer::intValue).sum();
    List<Bid> bids = new ArrayList<>();
    for (int count = 1; count <= cards; count++) {
      for (int value = 1; value <= LieOdds.HIGHEST; value++) {
        Bid bid = Bid.newBuilder().setCount(count).setValue(value).build();
        if (last == null || order.compare(bid, last) > 0) {
          bids.add(bid);
        }
      }
    }
    bids.sort(order);
    return bids;
  }

  private static Bid lastBid(View view) {
    if (view.getBidsCount() == 0) {
      return null;
    }
    PlacedBid placed = view.getBids(view.getBidsCount() - 1);
    return Bid.newBuilder().setCount(placed.getCount()).setValue(placed.getValue()).build();
  }

  private static Comparator<Bid> bidOrder(Turn turn) {
    OptionValue order =
        turn.seating().getOptionsOrDefault("bid_order", OptionValue.getDefaultInstance());
    return order.getText().equals("count_first") ? COUNT_FIRST : VALUE_FIRST;
  }

  /** A throw of a die that falls the same way whenever this deal comes to this decision again. */
  private static int whim(Turn turn, int sides) {
    return Byte.toUnsignedInt(Chance.of(new byte[0], turn)[0]) % sides;
  }

  /** Plays until the service has had enough. */
  public static void main(String[] args) {
    LieBot bot = new LieBot();
    bot.rehearse();
    new BotProgram(bot).omitEvents().legal(LEGAL_DETAIL_COUNT).run();
  }
}
