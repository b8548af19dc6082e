import { type Bot, type GameOver, run, type Turn } from "croupier-client";

class FirstBot implements Bot {
  play(turn: Turn): number | string {
    const view = turn.view.lie;
    const lastBid = view?.bids.at(-1);
    if (view && lastBid) {
      const cards = view.round?.handSizes.reduce((sum, size) => sum + size, 0) ?? 0;
      if (lastBid.count > cards / 3) {
        return "challenge";
      }
    }
    return turn.legal.find((notation) => notation !== "challenge") ?? 0;
  }

  gameOver(result: GameOver): void {
    const place = result.outcome?.results[result.seat]?.place;
    console.error(place ? `${result.sessionId}: place ${place}` : `${result.sessionId} was aborted`);
  }
}

run(new FirstBot());
