import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextRound } from "node:timers/promises";
import { completed, type Play } from "../src/bot.js";
import { Player } from "../src/player.js";
import { PlayResponse } from "../src/stubs/croupier/v1/bots.js";

/** Plays a message of so many turns, each taking so long on the clock; returns the sizes of the messages sent. */
async function batches(turns: number, play: Play, thinkingMs = 0): Promise<number[]> {
  const sizes: number[] = [];
  let now = 0;
  const outlet = { send: ({ answers }: { answers: unknown[] }) => void sizes.push(answers.length), fail: assert.fail };
  const bot = completed((turn) => {
    now += thinkingMs;
    return play(turn);
  });
  await new Player(bot, outlet, () => now).receive(message(turns));
  await nextRound();
  return sizes;
}

function message(turns: number): PlayResponse {
  const decision = { sessionId: "s", decisionId: 1n, legalCount: 2 };
  return PlayResponse.fromPartial({ turns: Array.from({ length: turns }, (_, seat) => ({ ...decision, seat })) });
}

test("all answers to one message go out in one message", async () => {
  assert.deepEqual(await batches(500, () => 0), [500]);
});

test("promised answers that need no waiting go out in one message, with those given at once", async () => {
  assert.deepEqual(await batches(500, async () => 0), [500]);
  assert.deepEqual(await batches(500, (turn) => (turn.seat % 2 ? 0 : Promise.resolve(1))), [500]);
});

test("no message has more than 1,024 answers", async () => {
  assert.deepEqual(await batches(2500, () => 0), [1024, 1024, 452]);
});

test("answers wait for the rest of their batch no longer than ten milliseconds", async () => {
  assert.deepEqual(await batches(9, () => 0, 4), [3, 3, 3]);
});

test("the answer to a turn that came again goes out once", async () => {
  const answers: ((choice: number) => void)[] = [];
  const sent: unknown[] = [];
  const bot = completed(() => new Promise<number>((resolve) => void answers.push(resolve)));
  const player = new Player(bot, { send: ({ answers }) => void sent.push(...answers), fail: assert.fail });
  await player.receive(message(1));
  await player.receive(message(1));
  for (const [index, answer] of answers.entries()) {
    answer(index);
  }
  await nextRound();
  await nextRound();
  assert.deepEqual(sent, [{ sessionId: "s", seat: 0, decisionId: 1n, index: 1, requestId: "" }]);
});
