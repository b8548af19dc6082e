/** A bot that plays LIE by the odds: node dist/src/bots/lie.js */
import { run } from "croupier-client";
import { liePlay } from "./lie-play.js";

run(liePlay, { legal: "count", events: false });
