import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

test("the bot in the README is the one that is compiled", () => {
  const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
  assert.ok(read("README.md").includes(`\`\`\`ts\n${read("src/bots/first.ts")}\`\`\`\n`));
});
