// runtimes: bun or node

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { defineKind } from "../../../packages/millrace/src/index.ts";
import { scaled } from "../../support/slowness.ts";
import { until } from "../../support/until.ts";
import { type Engine, withEngine } from "../support/engine.ts";

describe("an isolated stage whose module is broken", () => {
  test("a module that does not load is reported, keeps its jobs, starts no storm of children, and works once mended", async () => {
    await withBroken(async ({ millrace, folder }, kind) => {
      const problem = await until("health says so", async () => (await millrace.health()).problems[0]);
      assert.deepEqual(await millrace.readiness(), { ready: false, reasons: [problem] });
      assert.match(problem, /broken\/running: The module .* does not start: .*not yet/);
      const processors = millrace.pools()[0]?.processors ?? [];
      assert.ok(processors.every(({ state }) => state === "error"));
      const job = await millrace.submit(kind, null);
      const starts = () => readFileSync(join(folder, "starts"), "utf8").length;
      await until("it was tried again", () => starts() >= 2);
      assert.ok(starts() <= 3, `${starts()} children were started`);
      assert.deepEqual(await millrace.attempts(job.id), [], "no attempt was burned");
      writeFileSync(join(folder, "mended"), "");
      assert.equal(await job.wait({ timeoutMs: scaled(20_000) }), "mended");
      assert.equal((await millrace.health()).status, "ok");
      assert.deepEqual(await millrace.readiness(), { ready: true, reasons: [] });
    });
  });
});

/** A stage whose module throws as it loads, until a file says it is mended; it counts how often it was tried. */
async function withBroken(body: (engine: Engine, kind: ReturnType<typeof brokenKind>) => Promise<void>): Promise<void> {
  await withEngine({ work: false }, async ({ folder, path, another }) => {
    const main = join(folder, "broken.mjs");
    writeFileSync(main, BROKEN);
    const kind = brokenKind(pathToFileURL(main));
    const millrace = await another({ kinds: [kind], work: true });
    await body({ millrace, folder, path, another }, kind);
  });
}

function brokenKind(url: URL) {
  return defineKind({ name: "broken", payload: z.null(), isolation: "process", module: url });
}

const BROKEN = `
import { appendFileSync, existsSync } from "node:fs";
appendFileSync(new URL("./starts", import.meta.url), "x");
if (!existsSync(new URL("./mended", import.meta.url))) throw new Error("not yet");
export default () => "mended";
`;
