/** What a bot is: something that plays turns, and may listen to what else happens at its tables. */
import type { Choice } from "./answers.js";
import type { GameOver, Refusal, Seated } from "./stubs/croupier/v1/bots.js";
import type { Turn } from "./turn.js";

const REFUSALS_SHOWN = 5;

/** Decides one turn, now or later. */
export type Play = (turn: Turn) => Choice | Promise<Choice>;

/**
 * Plays any number of games at once: keep what it remembers of a game under session and seat.
 *
 * Only `play` must be there.
 */
export interface Bot {
  /** Decides: returns a position in `turn.legal`, a notation, or a typed action. */
  play(turn: Turn): Choice | Promise<Choice>;
  /** A game has started; also called again after a reconnect. */
  seated?(seating: Seated): void | Promise<void>;
  /** An answer was not taken; if the decision is still open, its turn follows. By default the first 5 go to stderr. */
  refused?(refusal: Refusal): void | Promise<void>;
  /** A game has ended; an aborted one has no outcome. */
  gameOver?(result: GameOver): void | Promise<void>;
}

/** A bot with everything it left out filled in. */
export function completed(bot: Bot | Play): Required<Bot> {
  if (typeof bot === "function") {
    return completed({ play: bot });
  }
  const complain = complainer();
  return {
    play: (turn) => bot.play(turn),
    seated: (seating) => bot.seated?.(seating),
    refused: (refusal) => (bot.refused ? bot.refused(refusal) : complain(refusal)),
    gameOver: (result) => bot.gameOver?.(result),
  };
}

function complainer(): (refusal: Refusal) => void {
  let refusals = 0;
  return ({ reason, sessionId, seat, decisionId, message }) => {
    refusals += 1;
    if (refusals <= REFUSALS_SHOWN) {
      const decision = `session ${sessionId}, seat ${seat}, decision ${decisionId}`;
      process.stderr.write(`croupier: refused ${reason} (${decision}): ${message}\n`);
    } else if (refusals === REFUSALS_SHOWN + 1) {
      process.stderr.write("croupier: refused again; further refusals are not shown\n");
    }
  };
}
