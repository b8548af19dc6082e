package croupier.client;

import croupier.games.chain_reaction.v1.ChainReaction;
import croupier.games.lie.v1.Lie;
import croupier.games.seventeen.v1.Seventeen;
import croupier.games.ten.v1.Ten;
import croupier.games.twice_as_clever.v1.TwiceAsClever;
import croupier.v1.Games.GameAction;
import java.util.Objects;

/** What a bot answers: a position in the legal list, a notation, or a typed action. */
public sealed interface Choice {
  /** A position in the turn's legal list, counting from 0. */
  record Index(int position) implements Choice {}

  /** The notation of an action. */
  record Notation(String text) implements Choice {
    public Notation {
      Objects.requireNonNull(text, "expected the notation of an action, got null");
    }
  }

  /** A typed action. */
  record Action(GameAction action) implements Choice {
    public Action {
      Objects.requireNonNull(action, "expected an action, got null");
    }
  }

  /** The action at this position in the turn's legal list, counting from 0. */
  static Choice index(int position) {
    return new Index(position);
  }

  /** The action with this notation. */
  static Choice notation(String text) {
    return new Notation(text);
  }

  /** An action of whichever game; a game of another package packs its own into {@code other}. */
  static Choice action(GameAction action) {
    return new Action(action);
  }

  /** An action of LIE. */
  static Choice action(Lie.Action action) {
    return action(GameAction.newBuilder().setLie(action).build());
  }

  /** An action of TEN. */
  static Choice action(Ten.Action action) {
    return action(GameAction.newBuilder().setTen(action).build());
  }

  /** An action of 17 – Diciassette. */
  static Choice action(Seventeen.Action action) {
    return action(GameAction.newBuilder().setSeventeen(action).build());
  }

  /** An action of Chain Reaction. */
  static Choice action(ChainReaction.Action action) {
    return action(GameAction.newBuilder().setChainReaction(action).build());
  }

  /** An action of Doppelt so clever. */
  static Choice action(TwiceAsClever.Action action) {
    return action(GameAction.newBuilder().setTwiceAsClever(action).build());
  }
}
