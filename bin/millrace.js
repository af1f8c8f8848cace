#!/usr/bin/env node
// Plain JavaScript that runs on Node 20: it only finds a runtime that can run Millrace, and hands over to it.

import { existsSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { handOver } from "./hand-over.js";
import { findRuntime } from "./runtimes.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const source = `${root}src/cli/main.ts`;
// The published package has no src: Node refuses TypeScript under node_modules.
const main = existsSync(source) ? source : `${root}dist/cli/main.js`;

// In the repository the dashboard is built when it has changed; the published package brings it along.
const dashboard = `${root}scripts/dashboard.js`;
if (process.argv[2] === "serve" && existsSync(source) && existsSync(dashboard)) {
  const { ensureDashboard } = await import(pathToFileURL(dashboard).href);
  const problem = ensureDashboard();
  if (problem) process.stderr.write(`millrace: starting without the dashboard: ${problem}\n`);
}

const found = findRuntime({ root, wanted: process.env.MILLRACE_RUNTIME });
if ("problem" in found) {
  process.stderr.write(`millrace: ${found.problem}\n`);
  process.exitCode = 2;
} else if (found.path === process.execPath) {
  await import(pathToFileURL(main).href);
} else {
  handOver(found.path, [...found.flags, main, ...process.argv.slice(2)]);
}
