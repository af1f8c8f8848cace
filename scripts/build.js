// src -> dist: JavaScript and types by tsc, everything else as it is.

import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureDashboard } from "./dashboard.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const src = join(root, "src");
const dist = join(root, "dist");

const problem = ensureDashboard();
if (problem) {
  process.stderr.write(`The dashboard: ${problem}\n`);
  process.exit(1);
}

rmSync(dist, { recursive: true, force: true });
const tsc = spawnSync(join(root, "node_modules/.bin/tsc"), ["-p", "tsconfig.build.json"], {
  cwd: root,
  stdio: "inherit",
});
if (tsc.status !== 0) process.exit(tsc.status ?? 1);
cpSync(src, dist, { recursive: true, filter: (file) => !file.endsWith(".ts") });
for (const file of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
  if (file.endsWith(".js")) rewriteEntries(join(dist, file));
  if (file.endsWith(".d.ts")) rewriteImports(join(dist, file));
}

// tsc rewrites the extensions of imports; threads and child processes are started by address, which it leaves alone.
// An address that leads nowhere is a sentence for people, and stays as it is.
function rewriteEntries(file) {
  const code = readFileSync(file, "utf8");
  const rewritten = code.replace(/new URL\((["'])(\.[^"']+)\.ts\1, import\.meta\.url\)/g, (whole, quote, path) => {
    const built = existsSync(join(dirname(file), `${path}.js`));
    return built ? `new URL(${quote}${path}.js${quote}, import.meta.url)` : whole;
  });
  if (rewritten !== code) writeFileSync(file, rewritten);
}

// In types tsc leaves the extensions alone, and older compilers of our users would look for a .ts that is not shipped.
function rewriteImports(file) {
  const types = readFileSync(file, "utf8");
  writeFileSync(file, types.replace(/((?:from|import\() ?["']\.[^"']+)\.ts(["'])/g, "$1.js$2"));
}
