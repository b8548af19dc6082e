/** Where a bot plays, as whom, and how much of each turn it wants: from arguments or the environment. */
import { LegalDetail, TurnDetail } from "./stubs/croupier/v1/turns.js";

/** What a bot may say of itself; what it leaves out comes from the environment, or is as much as possible. */
export interface Options {
  /** The service's address, host:port or unix:/path; else CROUPIER_TARGET. */
  target?: string;
  /** The token that holds the bot's seats; else CROUPIER_TOKEN. */
  token?: string;
  /** What the bot calls itself, for logs; else CROUPIER_NAME. */
  name?: string;
  /** Whether turns carry the view; they do unless this is false. */
  view?: boolean;
  /** What turns say of the legal actions: their notations (unless set), the typed actions as well, or only how many. */
  legal?: "notation" | "typed" | "count";
  /** Whether turns carry what happened since the last one; they do unless this is false. */
  events?: boolean;
}

/** Everything a connection needs to know. */
export interface Settings {
  readonly target: string;
  readonly token: string;
  readonly name: string;
  readonly detail: TurnDetail;
}

/** Nothing says where to play or as whom, or what says so cannot be right. */
export class SettingsError extends Error {}

const LEGAL = { notation: LegalDetail.NOTATION, typed: LegalDetail.TYPED, count: LegalDetail.COUNT };

const SCHEMES = /^(unix|dns|ipv4|ipv6):.+$/;
const HOST_AND_PORT = /^(\[[^\]\s]+\]|[^[\]:/\s]+):(\d{1,5})$/;

/** What arguments and environment say together; arguments win. */
export function settingsFrom(options: Options, environment: NodeJS.ProcessEnv = process.env): Settings {
  const target = options.target || environment.CROUPIER_TARGET;
  const token = options.token || environment.CROUPIER_TOKEN;
  if (!target) {
    throw new SettingsError("where to play? set CROUPIER_TARGET to host:port or unix:/path, or pass { target }");
  }
  if (!token) {
    throw new SettingsError("who plays? set CROUPIER_TOKEN to the bot's token, or pass { token }");
  }
  return {
    target: checkedTarget(target),
    token: checkedToken(token),
    name: options.name ?? environment.CROUPIER_NAME ?? "",
    detail: turnDetail(options),
  };
}

function turnDetail({ view = true, legal = "notation", events = true }: Options): TurnDetail {
  if (!Object.hasOwn(LEGAL, legal)) {
    throw new SettingsError(`legal takes one of ${Object.keys(LEGAL).join(", ")}, got ${JSON.stringify(legal)}`);
  }
  return TurnDetail.fromPartial({ omitView: !view, legal: LEGAL[legal], omitEvents: !events });
}

/** The address, if it can be one: gRPC would try a wrong one for ever. */
function checkedTarget(target: string): string {
  const port = Number(HOST_AND_PORT.exec(target)?.[2] ?? 0);
  if (SCHEMES.test(target) || (port > 0 && port < 2 ** 16)) {
    return target;
  }
  const got = JSON.stringify(target);
  throw new SettingsError(`expected the service's address as host:port or unix:/path, got ${got}; see CROUPIER_TARGET`);
}

/** The token, if a call can carry it. */
function checkedToken(token: string): string {
  if (/^[\x20-\x7e]+$/.test(token)) {
    return token;
  }
  throw new SettingsError(
    "expected a token of printable ASCII characters, got others; use one as the service made it; see CROUPIER_TOKEN",
  );
}
