import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { SettingsError, settingsFrom } from "../src/settings.js";
import { LegalDetail } from "../src/stubs/croupier/v1/turns.js";

const ENVIRONMENT = { CROUPIER_TARGET: "unix:/run/croupier.sock", CROUPIER_TOKEN: "env-token", CROUPIER_NAME: "env" };
const RANDOM_BOT = fileURLToPath(new URL("../src/bots/random.js", import.meta.url));

test("what is not given comes from the environment, and a bot asks for everything but typed actions", () => {
  assert.deepEqual(settingsFrom({}, ENVIRONMENT), {
    target: "unix:/run/croupier.sock",
    token: "env-token",
    name: "env",
    detail: { omitView: false, legal: LegalDetail.NOTATION, omitEvents: false, head: false },
  });
});

test("arguments win over the environment", () => {
  const options = { target: "localhost:7017", token: "mine", name: "me", view: false, events: false } as const;
  const settings = settingsFrom({ ...options, legal: "count" }, ENVIRONMENT);
  assert.deepEqual([settings.target, settings.token, settings.name], ["localhost:7017", "mine", "me"]);
  assert.deepEqual(settings.detail, { omitView: true, legal: LegalDetail.COUNT, omitEvents: true, head: false });
});

test("addresses that gRPC can dial are taken", () => {
  for (const target of ["localhost:1", "[::1]:7017", "10.0.0.1:65535", "unix:/a", "unix:a", "dns:///x:1"]) {
    assert.equal(settingsFrom({ target, token: "t" }, {}).target, target);
  }
});

test("an address that gRPC would try for ever is a settings error", () => {
  for (const target of ["localhost", "localhost:0", "localhost:65536", ":7017", "a b:1", "http://x:1"]) {
    assert.throws(() => settingsFrom({ target, token: "t" }, {}), SettingsError, target);
  }
});

test("a token that no call can carry is a settings error that does not show it", () => {
  assert.throws(
    () => settingsFrom({ target: "x:1", token: "sécret" }, {}),
    (error) => error instanceof SettingsError && !error.message.includes("cret"),
  );
});

test("a program with a setting missing says which in one line and exits with 2", () => {
  for (const missing of ["CROUPIER_TARGET", "CROUPIER_TOKEN"] as const) {
    const env = { ...process.env, ...ENVIRONMENT, [missing]: "" };
    const { status, stderr } = spawnSync(process.execPath, [RANDOM_BOT], { env, encoding: "utf8" });
    assert.equal(status, 2);
    assert.match(stderr, new RegExp(`^croupier: .*${missing}.*\n$`));
  }
});
