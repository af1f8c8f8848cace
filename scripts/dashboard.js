// node scripts/dashboard.js   builds the dashboard when its sources have changed since the last time
//
// `npm start` and `npm pack` come through here. A build takes about two seconds, a look whether one is needed some
// milliseconds: the stamp is a hash of all that goes into it.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findRuntime } from "../bin/runtimes.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const home = join(root, "dashboard");
const built = join(home, "dist");

/** Builds it unless what is there is current. Says what is in the way, or nothing. */
export function ensureDashboard() {
  const stamp = stampOfSources();
  if (readText(join(built, "stamp")) === stamp) return undefined;
  const vite = findVite();
  if (!vite) return "Vite is not installed; run `npm ci` with the development dependencies.";
  const node = findRuntime({ root, wanted: "node" });
  if ("problem" in node) return node.problem;
  // Beside it first: whoever serves the old one, or builds at the same time, never meets half of one.
  const fresh = join(home, `dist-${process.pid}`);
  const { status, stderr, stdout } = spawnSync(
    node.path,
    [vite, "build", home, "--outDir", fresh, "--logLevel", "warn"],
    {
      cwd: root,
      encoding: "utf8",
    },
  );
  if (status !== 0) {
    rmSync(fresh, { recursive: true, force: true });
    return `it could not be built:\n${stdout}${stderr}`;
  }
  writeFileSync(join(fresh, "stamp"), stamp);
  replace(fresh);
  return undefined;
}

/**
 * Assets have their hash in their names, so new ones stand beside the old until the document names them. One that is there is
 * left alone, and none is written in place: a server that starts at this moment reads it whole.
 */
function replace(fresh) {
  const assets = readdirSync(join(fresh, "assets"));
  mkdirSync(join(built, "assets"), { recursive: true });
  for (const file of assets) {
    const place = join(built, "assets", file);
    if (!existsSync(place)) renameSync(join(fresh, "assets", file), place);
  }
  for (const file of ["index.html", "stamp"]) renameSync(join(fresh, file), join(built, file));
  for (const file of readdirSync(join(built, "assets"))) {
    if (!assets.includes(file)) rmSync(join(built, "assets", file), { force: true });
  }
  rmSync(fresh, { recursive: true, force: true });
}

function stampOfSources() {
  const hash = createHash("sha256");
  const files = ["dashboard", "src/client", "src/api", "src/lib"].flatMap(filesIn).sort();
  for (const file of [...files, "package-lock.json", "scripts/dashboard.js"]) {
    hash
      .update(file)
      .update("\0")
      .update(readFileSync(join(root, file)))
      .update("\0");
  }
  return hash.digest("hex");
}

function filesIn(folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath ?? entry.path, entry.name)
        .slice(root.length)
        .replaceAll("\\", "/"),
    )
    .filter((file) => !/^dashboard\/dist|\.test\.ts$/.test(file));
}

function findVite() {
  try {
    const manifest = createRequire(join(root, "package.json")).resolve("vite/package.json");
    return join(manifest, "../bin/vite.js");
  } catch {
    return undefined;
  }
}

function readText(file) {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problem = ensureDashboard();
  if (problem) {
    process.stderr.write(`The dashboard: ${problem}\n`);
    process.exitCode = 1;
  }
}
