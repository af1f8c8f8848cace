// node scripts/fonts.js   makes the fonts of the world's scripts for diagrams when their packages or rules have changed
//
// `npm start`, `npm test` and `npm pack` come through here. Making them takes about two seconds of processor time, a look
// whether that is needed some milliseconds: the stamp is a hash of all that goes into them.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findRuntime } from "../packages/millrace/bin/runtimes.js";
import { WORLD_FONTS } from "./building/fonts/table.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const built = join(root, "packages/diagrams/fonts");
const SOURCES = ["scripts/building/fonts", "packages/diagrams/src/fonts"];

/** Makes them unless what is there is current. Says what is in the way, or nothing. */
export function ensureFonts() {
  let stamp;
  try {
    stamp = stampOf();
  } catch {
    return "Their packages are not installed; run `npm ci` with the development dependencies.";
  }
  if (builtStamp() === stamp) return undefined;
  const node = findRuntime({ root, wanted: "node" });
  if ("problem" in node) return node.problem;
  // Beside them first: another process never meets half of them.
  const fresh = `${built}-${process.pid}`;
  const old = `${fresh}-old`;
  const args = [join(root, "scripts/building/fonts/build.js"), fresh, stamp];
  const { status, stderr } = spawnSync(node.path, args, { cwd: root, encoding: "utf8" });
  if (status !== 0) {
    rmSync(fresh, { recursive: true, force: true });
    return `they could not be made:\n${stderr}`;
  }
  try {
    renameSync(built, old);
  } catch {
    // The first ones.
  }
  try {
    renameSync(fresh, built);
  } catch {
    // Another process was faster.
    rmSync(fresh, { recursive: true, force: true });
  }
  rmSync(old, { recursive: true, force: true });
  return undefined;
}

function stampOf() {
  const hash = createHash("sha256");
  const files = SOURCES.flatMap((folder) => readdirSync(join(root, folder)).map((file) => join(folder, file)));
  for (const file of files.filter((each) => !each.endsWith(".test.ts")).sort())
    hash.update(readFileSync(join(root, file)));
  for (const { package: name } of WORLD_FONTS) {
    const { version } = JSON.parse(readFileSync(join(root, "node_modules", name, "package.json"), "utf8"));
    hash.update(`${name}@${version}\n`);
  }
  return hash.digest("hex").slice(0, 16);
}

function builtStamp() {
  try {
    return JSON.parse(readFileSync(join(built, "index.json"), "utf8")).version;
  } catch {
    return undefined;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problem = ensureFonts();
  if (problem) {
    process.stderr.write(`The fonts of diagrams: ${problem}\n`);
    process.exitCode = 1;
  }
}
