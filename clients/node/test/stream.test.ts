import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { Metadata, Server, ServerCredentials, type ServerDuplexStream, status } from "@grpc/grpc-js";
import { type Bot, completed, type Play } from "../src/bot.js";
import { backoff, play } from "../src/connection.js";
import { StreamEnded } from "../src/errors.js";
import { settingsFrom } from "../src/settings.js";
import { BotServiceService, GameOver, type PlayRequest, PlayResponse } from "../src/stubs/croupier/v1/bots.js";
import type { Turn } from "../src/turn.js";

type Stream = ServerDuplexStream<PlayRequest, PlayResponse>;
/** What the service does with one stream: its script reads with `next` and writes what it likes. */
type Script = (stream: Stream, next: () => Promise<PlayRequest>) => Promise<void>;

/** Starts a service that follows one script per stream, the last one again and again; returns its address. */
async function service(t: TestContext, ...scripts: Script[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "croupier-"));
  const server = new Server();
  server.addService(BotServiceService, {
    play: (stream: Stream) => {
      const requests = stream[Symbol.asyncIterator]();
      const script = scripts.length > 1 ? scripts.shift() : scripts[0];
      script?.(stream, async () => (await requests.next()).value);
    },
    dismiss: () => {},
  });
  const target = `unix:${join(folder, "socket")}`;
  await new Promise<void>((bound, failed) => {
    server.bindAsync(target, ServerCredentials.createInsecure(), (error) => (error ? failed(error) : bound()));
  });
  t.after(() => {
    server.forceShutdown();
    rmSync(folder, { recursive: true });
  });
  return target;
}

function playAt(target: string, bot: Bot | Play): Promise<void> {
  return play(completed(bot), settingsFrom({ target, token: "the-token", name: "tested" }));
}

function turns(count: number, legalCount = 5) {
  const table = { sessionId: "s", gameId: "lie" };
  return PlayResponse.fromPartial({
    welcome: {},
    seated: Array.from({ length: count }, (_, seat) => ({ ...table, seat })),
    turns: Array.from({ length: count }, (_, seat) => ({ sessionId: "s", seat, decisionId: 1n, legalCount })),
  });
}

/** Sends so many turns at once, and notes the sizes of the messages in which their answers come. */
function dealing(count: number, sizes: number[]): Script {
  return async (stream, next) => {
    await next();
    stream.write(turns(count));
    for (let answered = 0; answered < count; answered += sizes.at(-1) ?? 0) {
      sizes.push((await next()).answers.length);
    }
    stream.end();
  };
}

test("a bot greets with its token, its name and what it wants", async (t) => {
  const heard: unknown[] = [];
  const target = await service(t, async (stream, next) => {
    heard.push(stream.metadata.get("authorization"), (await next()).hello?.name);
    stream.end();
  });
  await playAt(target, () => 0);
  assert.deepEqual(heard, [["Bearer the-token"], "tested"]);
});

test("one message is told in order: seated, refused, turns, games over; and each turn knows its table", async (t) => {
  const told: string[] = [];
  const target = await service(t, async (stream, next) => {
    await next();
    const message = turns(1);
    message.refusals.push({ sessionId: "s", seat: 0, decisionId: 1n, requestId: "", reason: "R", message: "" });
    message.gamesOver.push(GameOver.fromPartial({ sessionId: "s" }));
    stream.write(message);
    await next();
    stream.end();
  });
  await playAt(target, {
    seated: () => void told.push("seated"),
    refused: () => void told.push("refused"),
    play: (turn: Turn) => {
      told.push(`play ${turn.seating.gameId}`);
      return 0;
    },
    gameOver: () => void told.push("over"),
  });
  assert.deepEqual(told, ["seated", "refused", "play lie", "over"]);
});

test("a bot that was cut off says so and comes back to its open turn", async (t) => {
  const said = t.mock.method(process.stderr, "write", () => true);
  const sizes: number[] = [];
  const drains: Script = async (stream, next) => {
    await next();
    stream.write(PlayResponse.fromPartial({ welcome: {} }));
    stream.emit("error", { code: status.UNAVAILABLE, details: "draining" });
  };
  const target = await service(t, drains, dealing(1, sizes));
  await playAt(target, () => 0);
  said.mock.restore();
  const words = said.mock.calls.map((call) => String(call.arguments[0])).filter((text) => text.startsWith("croupier:"));
  assert.deepEqual(sizes, [1]);
  assert.equal(words.length, 1);
  assert.match(words[0] ?? "", /^croupier: lost unix:.* \(draining\); .* Trying again in 0\.[12] s\n$/);
});

test("any other status ends the bot with the service's reason and message", async (t) => {
  const metadata = new Metadata();
  metadata.set("grpc-status-details-bin", RICH_STATUS);
  const target = await service(t, async (stream) => {
    stream.emit("error", { code: status.UNAUTHENTICATED, details: "no such token", metadata });
  });
  await assert.rejects(
    playAt(target, () => 0),
    (error) => error instanceof StreamEnded && error.message === "TOKEN_MISSING: no such token",
  );
});

test("a status without details is named by its code", async (t) => {
  const target = await service(t, async (stream) => {
    stream.emit("error", { code: status.INTERNAL, details: "a defect" });
  });
  await assert.rejects(
    playAt(target, () => 0),
    { message: "INTERNAL: a defect" },
  );
});

test("an error of the bot's own ends it, thrown or promised", async (t) => {
  const broken = new Error("a bug in the bot");
  const deals: Script = async (stream, next) => {
    await next();
    stream.write(turns(2));
  };
  const throwing = () => {
    throw broken;
  };
  const rejecting = () => Promise.reject(broken);
  const late = () => new Promise<number>((_, reject) => setImmediate(reject, broken));
  for (const bot of [throwing, rejecting, late]) {
    await assert.rejects(playAt(await service(t, deals), bot), broken);
  }
});

test("delays double from a quarter of a second to ten, each scattered downwards by up to a half", () => {
  const delays = backoff();
  for (const longest of [0.25, 0.5, 1, 2, 4, 8, 10, 10]) {
    const delay = delays.next().value;
    assert.ok(delay > longest / 2 - 1e-9 && delay <= longest, `${delay} for ${longest}`);
  }
});

/** A google.rpc.Status with code 16, a message, and an ErrorInfo of reason TOKEN_MISSING and domain croupier. */
const RICH_STATUS = Buffer.from(
  "0810120d6e6f207375636820746f6b656e1a450a28747970652e676f6f676c65617069732e636f6d2f676f6f676c652e7270632e4572726f72496e666f12190a0d544f4b454e5f4d495353494e47120863726f7570696572",
  "hex",
);
