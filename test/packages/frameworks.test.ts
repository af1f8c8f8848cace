// runtimes: node
// time-limit: 900 s
// packages only
// Examples that mount Millrace in an application: Bun.serve, Fastify 5, NestJS 12 and Next.js 16. `npm test` runs two others.

import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { run } from "../support/program.ts";
import { endsWell, installedExample, runs, servesMillrace } from "./support/example.ts";
import { pathWithRuntimes, runtimePath } from "./support/new-project.ts";

const TIMEOUT_MS = 600_000;

describe("the example", () => {
  test("bun has types, and serves the API and the dashboard", { timeout: TIMEOUT_MS }, async (t) => {
    const folder = await installedExample(t, "bun");
    await runs(t, folder, ["tsc"]);
    await serves(t, folder, ["server.ts"], "bun");
  });

  test("fastify has types, and serves the API and the dashboard", { timeout: TIMEOUT_MS }, async (t) => {
    const folder = await installedExample(t, "fastify");
    await runs(t, folder, ["tsc"]);
    await serves(t, folder, ["server.ts"]);
  });

  test("nest builds, and serves the API and the dashboard", { timeout: TIMEOUT_MS }, async (t) => {
    const folder = await installedExample(t, "nest");
    await runs(t, folder, ["tsc"]);
    await serves(t, folder, ["dist/main.js"]);
  });

  test("next builds, and serves the API and the dashboard", { timeout: TIMEOUT_MS }, async (t) => {
    const folder = await installedExample(t, "next");
    await runs(t, folder, ["next", "build"]);
    await nextServes(t, folder);

    // Without serverExternalPackages Next.js bundles Millrace: the bundle finds the store thread in node_modules.
    rmSync(join(folder, "next.config.ts"));
    rmSync(join(folder, ".next"), { recursive: true });
    await runs(t, folder, ["next", "build"]);
    await nextServes(t, folder);
  });
});

async function serves(t: TestContext, folder: string, args: readonly string[], runtime = "node"): Promise<void> {
  const program = run(t, [runtimePath(runtime), ...args], { cwd: folder, env: { PORT: "0" } });
  const [, url = ""] = await program.said(/(http:\S+)\/millrace/);
  await servesMillrace(url);
  await endsWell(program);
}

async function nextServes(t: TestContext, folder: string): Promise<void> {
  const next = join(folder, "node_modules/next/dist/bin/next");
  const env = { PATH: pathWithRuntimes(), NEXT_TELEMETRY_DISABLED: "1" };
  const command = [runtimePath("node"), next, "start", "--port", "0", "--hostname", "127.0.0.1"];
  const program = run(t, command, { cwd: folder, env });
  const [, url = ""] = await program.said(/Local: +(http:\S+)/);
  await servesMillrace(url);
  program.child.kill("SIGTERM");
  const { code, signal } = await program.ended();
  assert.ok(code === 0 || code === 143 || signal === "SIGTERM", `${code} ${signal}: ${program.stderr()}`);
}
