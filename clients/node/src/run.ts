/** The door for bot programs: settings, signals, exit codes. */
import { type Bot, completed, type Play } from "./bot.js";
import { play } from "./connection.js";
import { StreamEnded } from "./errors.js";
import { type Options, SettingsError, settingsFrom } from "./settings.js";

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

/**
 * Plays until the service closes the stream, or SIGTERM or SIGINT arrives; any other end says why. Then it exits.
 *
 * What is not given comes from CROUPIER_TARGET (host:port or unix:/path), CROUPIER_TOKEN and CROUPIER_NAME.
 */
export async function run(bot: Bot | Play, options: Options = {}): Promise<never> {
  process.once("SIGTERM", () => process.exit(0));
  process.once("SIGINT", () => process.exit(0));
  try {
    await play(completed(bot), settingsFrom(options));
  } catch (error) {
    process.exit(told(error));
  }
  process.exit(0); // whatever the bot still waits for
}

/** Says on stderr what ended the bot, and returns its exit code. */
function told(error: unknown): number {
  if (error instanceof SettingsError) {
    process.stderr.write(`croupier: ${error.message}\n`);
    return EXIT_USAGE;
  }
  if (error instanceof StreamEnded) {
    process.stderr.write(`croupier: the service refuses this bot: ${error.message}\n`);
  } else {
    console.error(error);
  }
  return EXIT_FAILED;
}
