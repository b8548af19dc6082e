/** A bot that plays every game at random: node dist/src/bots/random.js */
import { run } from "croupier-client";
import { randomPlay } from "./random-play.js";

run(randomPlay(process.env.CROUPIER_BOT_SEED ?? "0"), { view: false, legal: "count", events: false });
