/** Plays any game at random: it never looks at the game, only at how many legal actions there are. */
import { hash } from "node:crypto";
import type { Play } from "croupier-client";

/**
 * A bot that chooses among the legal actions, each equally likely.
 *
 * Its choices follow from the seed and from which decision of which deal it is, not from the order in which games happen
 * to be served: the same deal is played the same way again.
 */
export function randomPlay(seed: string): Play {
  const prefix = Buffer.from(`${seed}/`);
  return (turn) => {
    const decision = Buffer.from(`/${turn.seat}/${turn.decisionId}`);
    const key = Buffer.concat([prefix, turn.seating.seedCommitment, decision]);
    return Number(hash("sha256", key, "buffer").readBigUInt64BE() % BigInt(turn.legalCount));
  };
}
