package croupier.bots;

import croupier.games.lie.v1.Lie.Card;
import croupier.games.lie.v1.Lie.View;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** How likely a bid is true, given the own hand, the deck and who bid what. */
final class LieOdds {
  /** The deck has every pair of different values from 1 to this, twice. */
  static final int HIGHEST = 6;

  private static final int COPIES = 2;

  /** How readily others bid on a value they hold none of; their first card of it counts as 1. */
  private static final double HUNCH = 0.5;

  private final Map<Draw, double[]> known = new HashMap<>();

  /** Cards unseen, by how many of their two ends count, and how many of them somebody drew. */
  private record Draw(int both, int one, int neither, int drawn) {}

  /** For every count up to all cards: how likely at least so many cards count for the value. */
  double[] atLeast(View view, int seat, int value) {
    Set<Integer> counting =
        view.getOnesAreJokers() && value != 1 ? Set.of(value, 1) : Set.of(value);
    double[] total = certain(ownCount(view, counting));
    int cards = 0;
    for (int other = 0; other < view.getRound().getHandSizesCount(); other++) {
      int size = view.getRound().getHandSizes(other);
      cards += size;
      if (other != seat && size > 0) {
        double[] shown = shownOdds(view, size, counting);
        total = summed(total, hasBidOn(view, other, value) ? believed(shown) : shown);
      }
    }
    double[] likely = new double[cards + 1];
    for (int count = 0; count < likely.length; count++) {
      for (int exactly = count; exactly < total.length; exactly++) {
        likely[count] += total[exactly];
      }
    }
    return likely;
  }

  /** How likely 0, 1, … of a hand's cards count, if each is turned either way at random. */
  private double[] shownOdds(View view, int drawn, Set<Integer> counting) {
    int[] cards = new int[3]; // by how many of their ends count
    for (int low = 1; low <= HIGHEST; low++) {
      for (int high = low + 1; high <= HIGHEST; high++) {
        cards[ends(low, high, counting)] += COPIES;
      }
    }
    for (Card card : view.getHand().getCardsList()) {
      cards[ends(card.getLow(), card.getHigh(), counting)]--;
    }
    return known.computeIfAbsent(new Draw(cards[2], cards[1], cards[0], drawn), LieOdds::odds);
  }

  private static double[] odds(Draw draw) {
    double[] odds = new double[draw.drawn + 1];
    for (int sure = 0; sure <= draw.drawn; sure++) {
      for (int half = 0; half <= draw.drawn - sure; half++) {
        long deals =
            choose(draw.both, sure)
                * choose(draw.one, half)
                * choose(draw.neither, draw.drawn - sure - half);
        for (int turned = 0; turned <= half; turned++) {
          odds[sure + turned] += (double) (deals * choose(half, turned)) / (1L << half);
        }
      }
    }
    double all = choose(draw.both + draw.one + draw.neither, draw.drawn);
    for (int count = 0; count < odds.length; count++) {
      odds[count] /= all;
    }
    return odds;
  }

  /** For a seat that bid on the value: the more it holds of it, the readier it would bid so. */
  static double[] believed(double[] shown) {
    double[] weighted = new double[shown.length];
    double sum = 0;
    for (int count = 0; count < shown.length; count++) {
      weighted[count] = shown[count] * (HUNCH + count);
      sum += weighted[count];
    }
    for (int count = 0; count < weighted.length; count++) {
      weighted[count] /= sum;
    }
    return weighted;
  }

  /** The odds of the sum of two independent counts. */
  static double[] summed(double[] left, double[] right) {
    double[] odds = new double[left.length + right.length - 1];
    for (int i = 0; i < left.length; i++) {
      for (int j = 0; j < right.length; j++) {
        odds[i + j] += left[i] * right[j];
      }
    }
    return odds;
  }

  /** How many ways there are to choose so many of them. */
  static long choose(int of, int chosen) {
    if (chosen > of) {
      return 0;
    }
    long ways = 1;
    for (int i = 1; i <= chosen; i++) {
      ways = ways * (of - chosen + i) / i;
    }
    return ways;
  }

  private static int ends(int low, int high, Set<Integer> counting) {
    return (counting.contains(low) ? 1 : 0) + (counting.contains(high) ? 1 : 0);
  }

  private static int ownCount(View view, Set<Integer> counting) {
    return (int)
        view.getHand().getCardsList().stream()
            .filter(card -> counting.contains(card.getShowing()))
            .count();
  }

  private static double[] certain(int count) {
    double[] odds = new double[count + 1];
    odds[count] = 1;
    return odds;
  }

  private static boolean hasBidOn(View view, int seat, int value) {
    return view.getBidsList().stream()
        .anyMatch(bid -> bid.getSeat() == seat && bid.getValue() == value);
  }
}
