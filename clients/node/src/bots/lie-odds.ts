/** The arithmetic of LIE: how likely so many cards show a value. */

/** A list in which position n is the chance of exactly n. */
export type Odds = readonly number[];

/** The two values of a card. */
export type Ends = readonly [low: number, high: number];

/** The values a card may show. */
export const VALUES = [1, 2, 3, 4, 5, 6] as const;

/** Every pair of different values, twice. */
export const DECK: readonly Ends[] = [...pairs(), ...pairs()];

/** How readily others bid on a value of which they hold none; their first card of it counts as 1. */
const HUNCH = 0.5;

/** What `oddsOf` has worked out, by its arguments. */
const known = new Map<string, Odds>();

/** How likely 0, 1, … of the drawn cards show a value that counts, if each is turned either way at random. */
export function shownOdds(unseen: readonly Ends[], drawn: number, counting: ReadonlySet<number>): Odds {
  const cardsBy: [neither: number, one: number, both: number] = [0, 0, 0];
  for (const [low, high] of unseen) {
    cardsBy[(Number(counting.has(low)) + Number(counting.has(high))) as 0 | 1 | 2] += 1;
  }
  const [neither, one, both] = cardsBy;
  const key = `${both} ${one} ${neither} ${drawn}`;
  const odds = known.get(key) ?? oddsOf(both, one, neither, drawn);
  known.set(key, odds);
  return odds;
}

/** The odds for a seat that bid on the value: the more it holds of it, the readier it would bid so. */
export function believed(shown: Odds): Odds {
  const weighted = shown.map((odds, count) => odds * (HUNCH + count));
  const all = sum(weighted);
  return weighted.map((weight) => weight / all);
}

/** The odds of the sum of two independent counts. */
export function summed(left: Odds, right: Odds): Odds {
  const odds = zeros(left.length + right.length - 1);
  left.forEach((a, i) => {
    right.forEach((b, j) => {
      odds[i + j] = (odds[i + j] ?? 0) + a * b;
    });
  });
  return odds;
}

/** How likely at least so many, for every count from 0 to `most`. */
export function atLeast(odds: Odds, most: number): Odds {
  return Array.from({ length: most + 1 }, (_, count) => sum(odds.slice(count)));
}

/** All of them together. */
export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function oddsOf(both: number, one: number, neither: number, drawn: number): Odds {
  const odds = zeros(drawn + 1);
  for (let sure = 0; sure <= drawn; sure++) {
    for (let half = 0; half <= drawn - sure; half++) {
      const deals = choose(both, sure) * choose(one, half) * choose(neither, drawn - sure - half);
      for (let turned = 0; turned <= half; turned++) {
        const share = (deals * choose(half, turned)) / 2 ** half;
        odds[sure + turned] = (odds[sure + turned] ?? 0) + share;
      }
    }
  }
  const all = choose(both + one + neither, drawn);
  return odds.map((share) => share / all);
}

/** How many ways there are to take so many out of so many. */
function choose(from: number, taken: number): number {
  let ways = 1;
  for (let i = 1; i <= taken; i++) {
    ways = (ways * (from - taken + i)) / i; // exact: i numbers in a row have a multiple of i among them
  }
  return taken > from ? 0 : ways;
}

function pairs(): Ends[] {
  return VALUES.flatMap((low) => VALUES.filter((high) => high > low).map((high): Ends => [low, high]));
}

function zeros(length: number): number[] {
  return new Array<number>(length).fill(0);
}
