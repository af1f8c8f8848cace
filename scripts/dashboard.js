// node scripts/dashboard.js   builds the dashboard and the pages of workloads when their sources have changed
//
// `npm start` and `npm pack` come through here. A build takes about two seconds, a look whether one is needed some
// milliseconds: the stamp is a hash of all that goes into it.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findRuntime } from "../packages/millrace/bin/runtimes.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const home = join(root, "packages/millrace/dashboard");
const built = join(home, "dist");
const SOURCES = ["dashboard", "src/client", "src/api", "src/lib"].map((folder) => `packages/millrace/${folder}`);

/** Builds it unless what is there is current. Says what is in the way, or nothing. */
export function ensureDashboard() {
  const stamp = stampOf(SOURCES, ["scripts/dashboard.js"]);
  const stale = stalePages();
  const isCurrent = readText(join(built, "stamp")) === stamp;
  if (isCurrent && stale.length === 0) return undefined;
  const vite = findVite();
  if (!vite) return "Vite is not installed; run `npm ci` with the development dependencies.";
  const node = findRuntime({ root, wanted: "node" });
  if ("problem" in node) return node.problem;
  const problem = isCurrent ? undefined : buildDashboard(node.path, vite, stamp);
  return problem ?? (stale.length === 0 ? undefined : buildPages(node.path, stale));
}

function buildDashboard(node, vite, stamp) {
  // Built beside the old one first, so that a server or another build never reads half of it.
  const fresh = join(home, `dist-${process.pid}`);
  const problem = run(node, [vite, "build", home, "--outDir", fresh, "--logLevel", "warn"]);
  if (problem !== undefined) {
    rmSync(fresh, { recursive: true, force: true });
    return `it could not be built:\n${problem}`;
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
  for (const file of ["runtime.json", "index.html", "stamp"]) renameSync(join(fresh, file), join(built, file));
  for (const file of readdirSync(join(built, "assets"))) {
    if (!assets.includes(file)) rmSync(join(built, "assets", file), { force: true });
  }
  rmSync(fresh, { recursive: true, force: true });
}

/** The folders of pages, from the root, whose build is missing or older than its sources. */
function stalePages() {
  return readdirSync(join(root, "packages"))
    .map((name) => `packages/${name}/src/pages`)
    .filter((pages) => existsSync(join(root, pages, "index.tsx")))
    .map((pages) => ({ pages, stamp: stampOf([pages], [`${pages}/../client.ts`, "scripts/building/page-modules.js"]) }))
    .filter(({ pages, stamp }) => readText(join(root, pages, "dist/stamp")) !== stamp);
}

/** All in one process: most of the time goes into loading Vite. */
function buildPages(node, stale) {
  const work = stale.map(({ pages, stamp }) => {
    const folder = join(root, pages);
    return { folder, stamp, fresh: join(folder, `dist-${process.pid}`) };
  });
  const script = join(root, "scripts/building/page-modules.js");
  const problem = run(node, [script, ...work.flatMap(({ folder, fresh }) => [folder, fresh])]);
  for (const { folder, fresh, stamp } of work) {
    if (problem === undefined) {
      mkdirSync(join(folder, "dist"), { recursive: true });
      writeFileSync(join(fresh, "stamp"), stamp);
      for (const file of ["pages.css", "pages.js", "stamp"]) renameSync(join(fresh, file), join(folder, "dist", file));
    }
    rmSync(fresh, { recursive: true, force: true });
  }
  return problem && `the pages of workloads could not be built:\n${problem}`;
}

/** Undefined: it went well. */
function run(node, args) {
  const { status, stderr, stdout } = spawnSync(node, args, { cwd: root, encoding: "utf8" });
  return status === 0 ? undefined : `${stdout}${stderr}`;
}

function stampOf(folders, files) {
  const hash = createHash("sha256");
  for (const file of [...folders.flatMap(filesIn).sort(), "package-lock.json", ...files]) {
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
    .filter((file) => !/\/dist(-\d+)?\/|\.test\.ts$/.test(file));
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
