// node scripts/build.js [package …]: what is published. src -> dist of each package: JavaScript and types by tsc, everything
// else as it is. A workload is compiled against the built engine, so the engine is built first where it is missing.

import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { dashboardTypes } from "./building/dashboard-types.js";
import { ignoreUnnamedSources, pruneDeclarations, rewriteExtensions } from "./building/declarations.js";
import { copyDocuments } from "./building/documents.js";
import { embedThreads } from "./building/threads.js";
import { vendorZod } from "./building/vendor.js";
import { ensureDashboard } from "./dashboard.js";
import { ensureFonts } from "./fonts.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const ENGINE = "millrace";
const PACKAGES = [ENGINE, "diagrams", "sites", "create-millrace"];

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !PACKAGES.includes(name));
if (unknown !== undefined) stop(`There is no package "${unknown}" to build. Packages: ${PACKAGES.join(", ")}.`);
const missesEngine = wanted.some(compiles) && !existsSync(join(root, "packages", ENGINE, "dist/index.js"));
for (const name of PACKAGES) {
  if (wanted.length === 0 || wanted.includes(name) || (name === ENGINE && missesEngine)) await build(name);
}

/** create-millrace is plain JavaScript. */
function compiles(name) {
  return existsSync(join(root, "packages", name, "tsconfig.build.json"));
}

async function build(name) {
  const home = join(root, "packages", name);
  if (!compiles(name)) return copyDocuments(root, name);
  const dist = join(home, "dist");
  // With the pages of the workloads.
  const problem = ensureDashboard();
  if (problem) stop(`The dashboard: ${problem}`);
  const fontProblem = name === "diagrams" ? ensureFonts() : undefined;
  if (fontProblem) stop(`The fonts of diagrams: ${fontProblem}`);
  rmSync(dist, { recursive: true, force: true });
  compile(home);
  if (name === ENGINE) dashboardTypes(root, home, dist);
  const src = join(home, "src");
  cpSync(src, dist, { recursive: true, filter: (file) => isPublished(relative(src, file)) });
  for (const file of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
    if (file.endsWith(".js")) rewriteEntries(join(dist, file));
    if (file.endsWith(".d.ts")) rewriteExtensions(join(dist, file));
  }
  pruneDeclarations(home, dist);
  ignoreUnnamedSources(home, dist);
  // The engine brings the parts of zod that it uses; a workload depends on zod.
  if (name === ENGINE) {
    await vendorZod(root, dist);
    await embedThreads(dist);
  }
  copyDocuments(root, name);
}

/** By its path below src. Of the pages of a workload, what was built of them. */
function isPublished(path) {
  return !/\.tsx?$|^\.npmignore$/.test(path) && !/^pages[\\/](?!dist$|dist[\\/]pages\.)/.test(path);
}

function compile(home) {
  const { status } = spawnSync(join(root, "node_modules/.bin/tsc"), ["-p", "tsconfig.build.json"], {
    cwd: home,
    stdio: "inherit",
  });
  if (status !== 0) process.exit(status ?? 1);
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

function stop(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
