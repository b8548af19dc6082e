/** One decision, as a bot sees it. */
import type { Seated } from "./stubs/croupier/v1/bots.js";
import type { GameAction, GameEvent, GameView } from "./stubs/croupier/v1/games.js";
import type { Turn as TurnMessage } from "./stubs/croupier/v1/turns.js";

/** What a seat sees and may do now; what the bot did not ask for throws an error that says how to ask. */
export class Turn {
  readonly #seating: Seated | undefined;

  constructor(
    /** The whole message. */
    readonly raw: TurnMessage,
    seating?: Seated,
  ) {
    this.#seating = seating;
  }

  /** The session: different for every game. */
  get sessionId(): string {
    return this.raw.sessionId;
  }

  /** The seat that decides, counting from 0. */
  get seat(): number {
    return this.raw.seat;
  }

  /** Names this decision among all of this seat in this session. */
  get decisionId(): bigint {
    return this.raw.decisionId;
  }

  /** The table: gameId, options, seatNames, seedCommitment, … */
  get seating(): Seated {
    if (!this.#seating) {
      throw new Error(`the service did not say who is seated in session ${this.sessionId}`);
    }
    return this.#seating;
  }

  /** What the seat sees, under the name of its game, such as `turn.view.lie`. */
  get view(): GameView {
    if (!this.raw.view) {
      throw new Error("this turn has no view: ask for it with run(bot, { view: true })");
    }
    return this.raw.view;
  }

  /** The notations of the legal actions, in a fixed order: answer with one of them or its position. */
  get legal(): string[] {
    if (this.raw.legal.length === 0 && this.legalCount > 0) {
      throw new Error('this turn only counts the legal actions: ask with run(bot, { legal: "notation" })');
    }
    return this.raw.legal.map((action) => action.notation);
  }

  /** How many legal actions there are, whatever was asked for. */
  get legalCount(): number {
    return this.raw.legalCount;
  }

  /** The legal actions in typed form, in the order of `legal`. */
  get actions(): GameAction[] {
    const actions = this.raw.legal.map((legal) => legal.action).filter((action) => action !== undefined);
    if (actions.length === 0 && this.legalCount > 0) {
      throw new Error('this turn has no typed actions: ask for them with run(bot, { legal: "typed" })');
    }
    return actions;
  }

  /** What happened since this seat's last decision, each under the name of its game; empty if not asked for. */
  get events(): GameEvent[] {
    return this.raw.events;
  }

  /** Seconds left for this decision when the turn was sent; undefined if there is no limit. */
  get timeLeftS(): number | undefined {
    return this.raw.timeLeftMs === undefined ? undefined : Number(this.raw.timeLeftMs) / 1000;
  }
}
