#!/usr/bin/env node
// Plain JavaScript that runs on Node 20. The published command line runs on the runtime that started it. A clone starts from
// Node 20 on and hands over to a runtime that npm installed.

import { existsSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { handOver } from "./hand-over.js";
import { findRuntime, ownRuntime, SOURCE_FLAGS } from "./runtimes.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const repository = fileURLToPath(new URL("../../..", import.meta.url));
// Only a clone has the script that builds the dashboard. The published package brings the dashboard along, and its sources
// are for reading: Node refuses TypeScript under node_modules.
const dashboard = `${repository}scripts/dashboard.js`;
const isClone = root === `${repository}packages/millrace/` && existsSync(dashboard);
const main = isClone ? `${root}src/cli/main.ts` : `${root}dist/cli/main.js`;

if (["serve", "dev"].includes(process.argv[2]) && isClone) {
  const { ensureDashboard } = await import(pathToFileURL(dashboard).href);
  const problem = ensureDashboard();
  if (problem) process.stderr.write(`millrace: starting without the dashboard: ${problem}\n`);
}

if (["serve", "dev", "render"].includes(process.argv[2]) && isClone) {
  const { ensureFonts } = await import(pathToFileURL(`${repository}scripts/fonts.js`).href);
  const problem = ensureFonts();
  if (problem) process.stderr.write(`millrace: diagrams have letters of Europe alone: ${problem}\n`);
}

const wanted = process.env.MILLRACE_RUNTIME;
const found = isClone || wanted ? findRuntime({ root: isClone ? repository : root, wanted }) : ownRuntime();
const flags = isClone ? SOURCE_FLAGS : [];
const hasFlags = flags.every((flag) => process.execArgv.includes(flag));
if ("problem" in found) {
  process.stderr.write(`millrace: ${found.problem}\n`);
  process.exitCode = 2;
} else if (found.path === process.execPath && hasFlags) {
  await import(pathToFileURL(main).href);
} else {
  handOver(found.path, [...found.flags, ...flags, main, ...process.argv.slice(2)]);
}
