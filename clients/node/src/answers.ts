/** What a bot may answer, and how it goes onto the wire. */
import { inspect } from "node:util";
import type { GameAction } from "./stubs/croupier/v1/games.js";
import type { Answer, Turn as TurnMessage } from "./stubs/croupier/v1/turns.js";

/** A position in `turn.legal`, a notation, or a typed action such as `{ lie: { challenge: {} } }`. */
export type Choice = number | string | GameAction;

/** The answer to a turn; throws a TypeError or RangeError with what is accepted. */
export function answerTo(turn: TurnMessage, choice: Choice): Answer {
  const { sessionId, seat, decisionId } = turn;
  if (typeof choice === "number") {
    return { sessionId, seat, decisionId, index: position(choice, turn.legalCount), requestId: "" };
  }
  if (typeof choice === "string") {
    return { sessionId, seat, decisionId, notation: choice, requestId: "" };
  }
  if (typeof choice === "object" && choice !== null) {
    return { sessionId, seat, decisionId, action: choice, requestId: "" };
  }
  throw new TypeError(
    "expected a position in turn.legal (number), a notation (string) or a typed action such as " +
      `{ lie: { challenge: {} } }, got ${inspect(choice)}`,
  );
}

function position(index: number, legalCount: number): number {
  if (Number.isInteger(index) && index >= 0 && index < legalCount) {
    return index;
  }
  throw new RangeError(`expected a position in turn.legal, 0 to ${legalCount - 1}, got ${index}`);
}
