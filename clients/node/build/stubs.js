// Generates src/stubs from the protos, unless they and the settings are what they were the last time.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const PROTOS = "../../protos";
const STAMP = "src/stubs/.made-from";

function madeFrom() {
  const protos = readdirSync(PROTOS, { recursive: true })
    .filter((path) => path.endsWith(".proto"))
    .sort()
    .map((path) => join(PROTOS, path));
  const hash = createHash("sha256");
  for (const path of [...protos, "buf.gen.yaml", "package.json"]) {
    hash.update(`${path}\n`).update(readFileSync(path));
  }
  return hash.digest("hex");
}

function stamp() {
  try {
    return readFileSync(STAMP, "utf8");
  } catch {
    return ""; // nothing was generated yet
  }
}

const wanted = madeFrom();
if (stamp() !== wanted) {
  const { status, error } = spawnSync("node_modules/.bin/buf", ["generate", PROTOS], { stdio: "inherit" });
  if (status !== 0) {
    console.error(`cannot generate the stubs from ${PROTOS}: ${error?.message ?? "buf says why above"}`);
    process.exit(1);
  }
  writeFileSync(STAMP, wanted);
}
