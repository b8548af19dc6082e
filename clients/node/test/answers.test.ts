import assert from "node:assert/strict";
import { test } from "node:test";
import { answerTo, type Choice } from "../src/answers.js";
import { Answer, Turn as TurnMessage } from "../src/stubs/croupier/v1/turns.js";
import { Turn } from "../src/turn.js";

const TURN = TurnMessage.fromPartial({ sessionId: "s", seat: 1, decisionId: 2n ** 64n - 1n, legalCount: 3 });

function onTheWire(choice: Choice): Answer {
  return Answer.decode(Answer.encode(answerTo(TURN, choice)).finish());
}

test("an answer names its decision, however large the id, and the choice in the form it was given", () => {
  const decision = { sessionId: "s", seat: 1, decisionId: 2n ** 64n - 1n };
  assert.deepEqual(onTheWire(0), Answer.fromPartial({ ...decision, index: 0 }));
  assert.deepEqual(onTheWire("3x5"), Answer.fromPartial({ ...decision, notation: "3x5" }));
});

test("a typed action that is empty all the way down is still the chosen one", () => {
  assert.deepEqual(onTheWire({ lie: { challenge: {} } }).action?.lie?.challenge, {});
});

test("a position that is not in the list is a RangeError", () => {
  for (const index of [-1, 3, 0.5, Number.NaN]) {
    assert.throws(() => answerTo(TURN, index), RangeError);
  }
});

test("what is no choice at all is a TypeError", () => {
  for (const choice of [undefined, null, true, 1n]) {
    assert.throws(() => answerTo(TURN, choice as unknown as Choice), TypeError);
  }
});

test("what a bot did not ask for says how to ask", () => {
  const turn = new Turn(TURN);
  assert.throws(() => turn.view, /view: true/);
  assert.throws(() => turn.legal, /legal: "notation"/);
  assert.throws(() => turn.actions, /legal: "typed"/);
  assert.throws(() => turn.seating, /session s/);
  assert.deepEqual([turn.events, turn.timeLeftS], [[], undefined]);
});
