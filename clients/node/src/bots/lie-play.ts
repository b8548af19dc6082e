/** Plays LIE by the odds: how likely is a bid true, given the own hand, the deck and who bid what? */
import { hash } from "node:crypto";
import { type Choice, lie, type Turn } from "croupier-client";
import { atLeast, believed, DECK, type Odds, shownOdds, sum, summed, VALUES } from "./lie-odds.js";

/** A raise this likely to be true is worth making. */
const SAFE = 0.75;
/** … and when bluffing. */
const BOLD = 0.45;
const BLUFF_ONE_IN = 8;

/** One decision of any phase; another game's is the first legal one. */
export function liePlay(turn: Turn): Choice {
  const view = turn.view.lie;
  if (!view) {
    return 0;
  }
  switch (view.phase) {
    case lie.Phase.ARRANGE:
      return { lie: { arrange: { values: arranged(view) } } };
    case lie.Phase.DECLARE:
      return { lie: { declare: { direction: direction(turn) } } };
    default:
      return { lie: bidOrDoubt(turn, view) };
  }
}

function direction(turn: Turn): lie.Direction {
  return whim(turn, 2) === 0 ? lie.Direction.CLOCKWISE : lie.Direction.COUNTER_CLOCKWISE;
}

/** The highest raise that is likely enough to be true, unless doubting the last bid promises more. */
function bidOrDoubt(turn: Turn, view: lie.View): lie.Action {
  const countFirst = turn.seating.options.bid_order?.text === "count_first";
  const truth = new Map(VALUES.map((value) => [value as number, truthOf(view, turn.seat, value)]));
  const likelihood = (bid: lie.Bid) => truth.get(bid.value)?.[bid.count] ?? 0;
  const last = view.bids.at(-1);
  const doubt = last ? 1 - likelihood(last) : 0;
  const enough = whim(turn, BLUFF_ONE_IN) === 0 ? BOLD : SAFE;
  let best: lie.Bid | undefined;
  let promise = doubt;
  for (const bid of higherBids(view, countFirst)) {
    const likely = likelihood(bid);
    if (likely > promise || (likely >= enough && enough > doubt)) {
      best = bid;
      promise = likely;
    }
  }
  return best ? { bid: best } : { challenge: {} };
}

/** Turns as many cards as possible to one value; jokers come next, then high values. */
export function arranged(view: lie.View): number[] {
  const cards = view.hand?.cards ?? [];
  const jokers = view.onesAreJokers;
  const has = (card: lie.Card, value: number) => card.low === value || card.high === value;
  const cardsWith = (value: number) => cards.filter((card) => has(card, value)).length;
  const wanted = VALUES.filter((value) => !(jokers && value === 1));
  const favourite = wanted.reduce((best, value) => (cardsWith(value) >= cardsWith(best) ? value : best));
  return cards.map((card) => (has(card, favourite) ? favourite : jokers && card.low === 1 ? 1 : card.high));
}

/** For every count from 0 to all cards on the table: how likely at least so many cards count for the value. */
export function truthOf(view: lie.View, seat: number, value: number): Odds {
  const counting = new Set(view.onesAreJokers ? [value, 1] : [value]);
  const cards = view.hand?.cards ?? [];
  const sizes = view.round?.handSizes ?? [];
  const unseen = without(cards);
  const own = cards.filter((card) => counting.has(card.showing)).length;
  let total: Odds = [...new Array<number>(own).fill(0), 1];
  sizes.forEach((size, other) => {
    if (other !== seat && size > 0) {
      const shown = shownOdds(unseen, size, counting);
      const bidOnIt = view.bids.some((bid) => bid.seat === other && bid.value === value);
      total = summed(total, bidOnIt ? believed(shown) : shown);
    }
  });
  return atLeast(total, sum(sizes));
}

/** All bids above the last one, the lowest first. */
export function higherBids(view: lie.View, countFirst: boolean): lie.Bid[] {
  const rank = ({ count, value }: lie.Bid) => (countFirst ? count * 64 + value : value * 64 + count);
  const last = view.bids.at(-1);
  const lastRank = last ? rank(last) : 0;
  const counts = Array.from({ length: sum(view.round?.handSizes ?? []) }, (_, at) => at + 1);
  return counts
    .flatMap((count) => VALUES.map((value) => ({ count, value })))
    .filter((bid) => rank(bid) > lastRank)
    .sort((one, other) => rank(one) - rank(other));
}

/** The deck with the own cards taken out. */
function without(cards: readonly lie.Card[]) {
  const unseen = [...DECK];
  for (const card of cards) {
    unseen.splice(
      unseen.findIndex(([low, high]) => low === card.low && high === card.high),
      1,
    );
  }
  return unseen;
}

/** A throw of a die that falls the same way whenever this deal comes to this decision again. */
function whim(turn: Turn, sides: number): number {
  const key = Buffer.concat([turn.seating.seedCommitment, Buffer.from(`/${turn.seat}/${turn.decisionId}`)]);
  return hash("sha256", key, "buffer").readUInt8() % sides;
}
