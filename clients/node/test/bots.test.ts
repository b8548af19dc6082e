import assert from "node:assert/strict";
import { test } from "node:test";
import { lie, Seated, Turn, TurnMessage } from "croupier-client";
import { atLeast, believed, DECK, shownOdds, sum, summed } from "../src/bots/lie-odds.js";
import { arranged, higherBids, liePlay, truthOf } from "../src/bots/lie-play.js";
import { randomPlay } from "../src/bots/random-play.js";

const SEATING = Seated.fromPartial({ gameId: "lie", seedCommitment: Buffer.alloc(32, 7) });

function close(actual: readonly number[], expected: readonly number[]): void {
  assert.equal(actual.length, expected.length);
  actual.forEach((odds, at) => {
    assert.ok(Math.abs(odds - (expected[at] ?? Number.NaN)) < 1e-12, `${actual} is not ${expected}`);
  });
}

function lieTurn(view: lie.View, decisionId = 1n, bidOrder = "value_first"): Turn {
  const raw = TurnMessage.fromPartial({ sessionId: "s", decisionId, legalCount: 9, view: { lie: view } });
  return new Turn(raw, Seated.fromPartial({ ...SEATING, options: { bid_order: { text: bidOrder } } }));
}

test("the deck has each of the fifteen pairs twice", () => {
  assert.equal(DECK.length, 30);
  assert.equal(new Set(DECK.map(String)).size, 15);
});

test("one card of the full deck shows a given value one time in six", () => {
  close(shownOdds(DECK, 1, new Set([4])), [5 / 6, 1 / 6]);
});

test("with jokers a card that has both values shows one of them for sure", () => {
  close(shownOdds([[1, 4]], 1, new Set([1, 4])), [0, 1]);
});

test("odds stay odds when they are believed, added up and summed from the top", () => {
  const shown = shownOdds(DECK, 5, new Set([2]));
  close([sum(shown), sum(believed(shown)), sum(summed(shown, shown))], [1, 1, 1]);
  close(atLeast([0.25, 0.5, 0.25], 3), [1, 0.75, 0.25, 0]);
  close(believed([0.5, 0.5]), [0.25, 0.75]);
});

test("own cards count for sure, and what another seat bid on makes it likelier there", () => {
  const view = lie.View.fromPartial({
    hand: { cards: [{ low: 1, high: 6, showing: 6 }] },
    round: { handSizes: [1, 1] },
  });
  close(truthOf(view, 0, 6), [1, 1, 9 / 58]); // 9 of the 29 other cards have a 6, half of the time upwards
  const afterBid = lie.View.fromPartial({ ...view, bids: [{ seat: 1, count: 1, value: 6 }] });
  assert.ok((truthOf(afterBid, 0, 6)[2] ?? 0) > 9 / 58);
});

test("a hand is turned to its commonest value, the higher one of several, and jokers are kept", () => {
  const cards = [
    { low: 1, high: 3 },
    { low: 1, high: 5 },
    { low: 3, high: 5 },
  ];
  assert.deepEqual(arranged(lie.View.fromPartial({ hand: { cards } })), [3, 5, 5]);
  assert.deepEqual(arranged(lie.View.fromPartial({ hand: { cards }, onesAreJokers: true })), [1, 5, 5]);
});

test("bids rise in the order that the option says", () => {
  const view = lie.View.fromPartial({ round: { handSizes: [1, 1] }, bids: [{ count: 2, value: 5 }] });
  const written = (countFirst: boolean) => higherBids(view, countFirst).map((bid) => `${bid.count}x${bid.value}`);
  assert.deepEqual(written(false), ["1x6", "2x6"]);
  assert.deepEqual(written(true), ["2x6"]);
});

test("a bid that cannot be true is doubted, one that is true for sure is raised", () => {
  const view = (count: number) =>
    lie.View.fromPartial({
      phase: lie.Phase.BID,
      hand: { cards: [{ low: 1, high: 6, showing: 6 }] },
      round: { handSizes: [1, 1] },
      bids: [{ seat: 1, count, value: 5 }],
    });
  assert.deepEqual(liePlay(lieTurn(view(2))), { lie: { challenge: {} } });
  assert.deepEqual(liePlay(lieTurn(view(1))), { lie: { bid: { count: 1, value: 6 } } });
});

test("a game other than LIE gets its first legal action", () => {
  assert.equal(liePlay(new Turn(TurnMessage.fromPartial({ view: { ten: {} }, legalCount: 2 }), SEATING)), 0);
});

test("the random bot's choice follows from seed, deal and decision, as in the other languages", () => {
  const play = randomPlay("17");
  const turns = [1n, 2n, 3n, 4n].map((decisionId) => TurnMessage.fromPartial({ seat: 1, decisionId, legalCount: 100 }));
  assert.deepEqual(
    turns.map((turn) => play(new Turn(turn, SEATING))),
    [15, 87, 62, 65],
  );
});
