// runtimes: both
// The SDKs in use, both major lines, with one copy of the API; and a program that has no API at all.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { trace } from "@opentelemetry/api";
import * as sdk1 from "otel-sdk-1";
import * as sdk2 from "otel-sdk-2";
import { z } from "zod";
import { engineRoot, root, temporaryFolder } from "../../../../test/support/program.ts";
import { defineKind } from "../job/kind/define-kind.ts";
import { Testkit } from "../testing.ts";

const kind = defineKind({ name: "traced", payload: z.null(), run: () => "done" });

describe("an OpenTelemetry SDK", () => {
  for (const [line, sdk] of [
    ["1.x", sdk1],
    ["2.x", sdk2],
  ] as const) {
    test(`of ${line} records the submission and its attempt in one trace`, async (t) => {
      const exporter = new sdk.InMemorySpanExporter();
      const spanProcessors = [new sdk.SimpleSpanProcessor(exporter as never)];
      const provider = new sdk.BasicTracerProvider({ spanProcessors } as never);
      assert.ok(trace.setGlobalTracerProvider(provider));
      t.after(() => trace.disable());
      const kit = await Testkit.open({ kinds: [kind] });
      await kit.run(kind, null);
      await kit.stop();
      const spans = exporter.getFinishedSpans();
      assert.deepEqual(
        spans.map(({ name }) => name),
        ["submit traced", "process traced/running"],
      );
      assert.equal(new Set(spans.map((span) => span.spanContext().traceId)).size, 1);
    });
  }

  test("that comes without @opentelemetry/api is told of once, and all works without either", (t) => {
    const folder = withoutApi(temporaryFolder(t));
    const program = (before: string) => `${before}
      const { Millrace, sqlite, defineKind } = await import("./src/index.ts");
      const { z } = await import("zod");
      const kind = defineKind({ name: "k", payload: z.null(), run: () => "done" });
      const millrace = await Millrace.open({ store: sqlite(":memory:"), kinds: [kind] });
      console.log(await (await millrace.submit(kind, null)).wait({ timeoutMs: 20_000 }));
      await millrace.stop();`;
    const runProgram = (name: string, before: string) => {
      writeFileSync(join(folder, name), program(before));
      return spawnSync(process.execPath, [name], { cwd: folder, encoding: "utf8" });
    };
    const plain = runProgram("plain.ts", "export {};");
    assert.deepEqual([plain.stdout.trim(), plain.status], ["done", 0], plain.stderr);
    assert.doesNotMatch(plain.stderr, /OpenTelemetry/);
    const half = runProgram(
      "half.ts",
      'export {}; (globalThis as never)[Symbol.for("opentelemetry.js.api.1")] = { version: "1.9.0", trace: {} } as never;',
    );
    assert.deepEqual([half.stdout.trim(), half.status], ["done", 0], half.stderr);
    assert.equal(half.stderr.match(/cannot load @opentelemetry\/api\. Install it/g)?.length, 1, half.stderr);
  });
});

/** A copy of the library beside all packages but the API. */
function withoutApi(folder: string): string {
  cpSync(join(engineRoot, "src"), join(folder, "src"), { recursive: true });
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  mkdirSync(join(folder, "node_modules"));
  for (const name of readdirSync(join(root, "node_modules"))) {
    if (name !== "@opentelemetry")
      symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name), "junction");
  }
  return folder;
}
