/** The bot's connection: greets, plays until the service closes the stream, comes back when cut off. */
import { setTimeout as pause } from "node:timers/promises";
import { type ClientDuplexStream, credentials, Metadata, type ServiceError } from "@grpc/grpc-js";
import type { Bot } from "./bot.js";
import { StreamEnded } from "./errors.js";
import { Player } from "./player.js";
import type { Settings } from "./settings.js";
import { BotServiceClient, PlayRequest, type PlayResponse } from "./stubs/croupier/v1/bots.js";

type Call = ClientDuplexStream<PlayRequest, PlayResponse>;

const FIRST_DELAY_S = 0.25;
const LONGEST_DELAY_S = 10;

const CHANNEL_OPTIONS = {
  // The service permits a ping every 10 s; this notices a dead connection within 40.
  "grpc.keepalive_time_ms": 30_000,
  "grpc.keepalive_timeout_ms": 10_000,
  // A batch of a thousand turns with views outgrows the usual 4 MiB.
  "grpc.max_receive_message_length": 64 * 2 ** 20,
  // A new channel is a new attempt: it must not inherit the waiting time of one that failed.
  "grpc.use_local_subchannel_pool": 1,
  // A stream that breaks is begun anew with a hello, never repeated.
  "grpc.enable_retries": 0,
};

/** Plays until the service closes the stream; throws StreamEnded when trying on is pointless. */
export async function play(bot: Required<Bot>, settings: Settings): Promise<void> {
  let delays = backoff();
  for (;;) {
    const attempt = new Attempt(settings);
    try {
      return await attempt.play(bot);
    } catch (error) {
      if (!(error instanceof StreamEnded && error.unavailable)) {
        throw error;
      }
      if (attempt.greeted) {
        delays = backoff();
      }
      const delayS = delays.next().value;
      const trouble = `${attempt.greeted ? "lost" : "cannot reach"} ${settings.target} (${error.details})`;
      const plan = `is croupier-service running there? Trying again in ${delayS.toFixed(1)} s`;
      process.stderr.write(`croupier: ${trouble}; ${plan}\n`);
      await pause(delayS * 1000);
    }
  }
}

/** Ever longer delays up to a cap, in seconds, scattered so that a crowd of bots does not come back all at once. */
export function* backoff(): Generator<number, never> {
  for (let delayS = FIRST_DELAY_S; ; delayS = Math.min(2 * delayS, LONGEST_DELAY_S)) {
    yield delayS * (0.5 + 0.5 * Math.random());
  }
}

/** One stream, from hello to its end. */
class Attempt {
  /** Whether the service has answered the hello. */
  greeted = false;
  readonly #settings: Settings;
  #failure: { error: unknown } | undefined;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  async play(bot: Required<Bot>): Promise<void> {
    const { target, token } = this.#settings;
    const client = new BotServiceClient(target, credentials.createInsecure(), CHANNEL_OPTIONS);
    const metadata = new Metadata();
    metadata.set("authorization", `Bearer ${token}`);
    const call = client.play(metadata);
    call.on("error", () => {}); // who reads is told; after the last read nobody needs to be
    try {
      await this.#converse(bot, call);
    } catch (error) {
      throw this.#failure ? this.#failure.error : error;
    } finally {
      call.cancel();
      client.close();
    }
  }

  async #converse(bot: Required<Bot>, call: Call): Promise<void> {
    const { name, detail } = this.#settings;
    const player = new Player(bot, {
      send: (request) => call.writable && call.write(request),
      fail: (error) => {
        this.#failure ??= { error };
        call.cancel();
      },
    });
    try {
      call.write(PlayRequest.fromPartial({ hello: { name, detail } }));
      for await (const response of responses(call)) {
        this.greeted ||= response.welcome !== undefined;
        await player.receive(response);
      }
    } finally {
      player.stop();
    }
  }
}

/** What the service sends; its errors become StreamEnded, to be told from those of the bot's own calls. */
async function* responses(call: Call): AsyncGenerator<PlayResponse, void> {
  try {
    yield* call;
  } catch (error) {
    throw new StreamEnded(error as ServiceError);
  }
}
