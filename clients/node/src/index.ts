/** What a bot imports. */
export type { Choice } from "./answers.js";
export type { Bot, Play } from "./bot.js";
export { run } from "./run.js";
export type { Options } from "./settings.js";
export * as chainReaction from "./stubs/croupier/games/chain_reaction/v1/chain_reaction.js";
export * as lie from "./stubs/croupier/games/lie/v1/lie.js";
export * as seventeen from "./stubs/croupier/games/seventeen/v1/seventeen.js";
export * as ten from "./stubs/croupier/games/ten/v1/ten.js";
export * as twiceAsClever from "./stubs/croupier/games/twice_as_clever/v1/twice_as_clever.js";
export { GameOver, Refusal, Seated } from "./stubs/croupier/v1/bots.js";
export type { GameAction, GameEvent, GameView } from "./stubs/croupier/v1/games.js";
export { Turn as TurnMessage } from "./stubs/croupier/v1/turns.js";
export { Turn } from "./turn.js";
