/** One bot on one stream: turns in, answers out, in batches. How they travel is not its concern. */
import { setImmediate as nextRound } from "node:timers/promises";
import { answerTo, type Choice } from "./answers.js";
import type { Bot } from "./bot.js";
import type { PlayRequest, PlayResponse, Seated } from "./stubs/croupier/v1/bots.js";
import type { Answer, Turn as TurnMessage } from "./stubs/croupier/v1/turns.js";
import { Turn } from "./turn.js";

/** The most answers that the service takes in one message. */
export const MAX_ANSWERS = 1024;

/** Answers wait for the rest of their batch no longer than this: a slow bot's clocks would run meanwhile. */
const HOLD_MS = 10;

/** Where a player's messages go, and the failure of a `play` that had promised an answer. */
export interface Outlet {
  send(request: PlayRequest): void;
  fail(error: unknown): void;
}

/** Plays the turns of one stream; the answers to what arrived together go out together. */
export class Player {
  readonly #bot: Required<Bot>;
  readonly #outlet: Outlet;
  readonly #clock: () => number;
  readonly #seated = new Map<string, Seated>();
  /** The turns whose answer is promised: only the latest of a seat is still wanted. */
  readonly #thinking = new Map<string, TurnMessage>();
  #ready: Answer[] = [];
  #flushing: NodeJS.Immediate | undefined;

  constructor(bot: Required<Bot>, outlet: Outlet, clock = () => performance.now()) {
    this.#bot = bot;
    this.#outlet = outlet;
    this.#clock = clock;
  }

  /** Tells the bot all that a message says, and sends what the bot answers. */
  async receive(response: PlayResponse): Promise<void> {
    for (const seating of response.seated) {
      this.#seated.set(keyOf(seating), seating);
      await this.#bot.seated(seating);
    }
    for (const refusal of response.refusals) {
      await this.#bot.refused(refusal);
    }
    if (response.turns.length > 0) {
      await this.#play(response.turns);
    }
    for (const result of response.gamesOver) {
      this.#thinking.delete(keyOf(result));
      await this.#bot.gameOver(result);
      this.#seated.delete(keyOf(result));
    }
  }

  /** Gives up all thinking that is under way, and answers that nobody waits for any more. */
  stop(): void {
    this.#thinking.clear();
    clearImmediate(this.#flushing);
  }

  async #play(turns: TurnMessage[]): Promise<void> {
    let due = this.#clock() + HOLD_MS;
    for (const raw of turns) {
      const choice = this.#bot.play(new Turn(raw, this.#seated.get(keyOf(raw))));
      if (choice instanceof Promise) {
        this.#think(raw, choice);
      } else {
        this.#ready.push(answerTo(raw, choice));
      }
      if (this.#clock() > due) {
        this.#flush();
        await nextRound(); // sends; and lets a signal through, however long a batch of slow turns is
        due = this.#clock() + HOLD_MS;
      }
    }
    if (this.#thinking.size > 0) {
      this.#flushSoon(); // with the thoughts that need no waiting
    } else {
      this.#flush();
    }
  }

  #think(raw: TurnMessage, promised: Promise<Choice>): void {
    const key = keyOf(raw);
    this.#thinking.set(key, raw);
    const wanted = () => this.#thinking.get(key) === raw && this.#thinking.delete(key);
    promised
      .then((choice) => {
        if (wanted()) {
          this.#ready.push(answerTo(raw, choice));
          this.#flushSoon();
        }
      })
      .catch((error: unknown) => this.#outlet.fail(error));
  }

  #flushSoon(): void {
    this.#flushing ??= setImmediate(() => this.#flush());
  }

  #flush(): void {
    clearImmediate(this.#flushing);
    this.#flushing = undefined;
    const answers = this.#ready;
    this.#ready = [];
    for (let start = 0; start < answers.length; start += MAX_ANSWERS) {
      this.#outlet.send({ hello: undefined, answers: answers.slice(start, start + MAX_ANSWERS), entropy: [] });
    }
  }
}

function keyOf(at: { sessionId: string; seat: number }): string {
  return `${at.sessionId}/${at.seat}`;
}
