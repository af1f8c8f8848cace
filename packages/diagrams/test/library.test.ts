// runtimes: bun, node or node22
// time-limit: 240 s
// `import { render } from "@millrace/diagrams"`: no server, no store, no browser.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { RUNTIME, run } from "../../../test/support/program.ts";
import { scaled } from "../../../test/support/slowness.ts";
import { createRenderers, RenderError, render } from "../src/index.ts";
import { minutesLong } from "./support/server.ts";

const FLOWCHART = "flowchart LR\n  mill --> race";
const QUICK = { format: "graphviz", timeoutMs: scaled(10_000) } as const;
const LONG = { timeout: 120_000 };

describe("render", () => {
  test("draws each format as SVG and PNG, in a process and in the caller's own alike", LONG, async () => {
    const sources = { mermaid: FLOWCHART, d2: "mill -> race", graphviz: "digraph { mill -> race }" } as const;
    for (const format of ["mermaid", "d2", "graphviz"] as const) {
      const svg = await render(sources[format], { format, timeoutMs: scaled(10_000) });
      assert.match(svg.data, /^<svg [\s\S]*mill[\s\S]*<\/svg>\s*$/);
      assert.deepEqual([svg.contentType, svg.warnings], ["image/svg+xml", []]);
      if (format === "d2") continue;
      const here = await render(sources[format], { format, isolation: "none" });
      assert.equal(here.data, svg.data, format);
    }
    const png = await render(FLOWCHART, {
      format: "mermaid",
      output: "png",
      options: { theme: "dark", scale: 2 },
      timeoutMs: scaled(10_000),
    });
    const bytes: Uint8Array = png.data;
    assert.equal(new TextDecoder("latin1").decode(bytes.subarray(1, 4)), "PNG");
    assert.equal(png.contentType, "image/png");
    assert.equal(new DataView(bytes.buffer, bytes.byteOffset).getUint32(16), Math.round(png.width));
  });

  test("throws a RenderError that says where the diagram is at fault", async () => {
    for (const isolation of ["process", "none"] as const) {
      const source = `${FLOWCHART}\n  race -[`;
      const error = await render(source, { format: "mermaid", isolation }).catch((thrown) => thrown);
      assert.ok(error instanceof RenderError && error instanceof Error);
      assert.deepEqual(
        [error.name, error.code, error.format, error.line, error.column],
        ["RenderError", "render-failed", "mermaid", 3, 8],
      );
      assert.match(error.message, /^Unexpected "-"/);
      assert.equal(error.excerpt, "3 |   race -[\n  |        ^");
      const label = await render("flowchart LR\n  a[b (c)]", { format: "mermaid", isolation }).catch(
        (thrown) => thrown,
      );
      assert.equal(label.advice, 'Put the label in quotes: a["b (c)"].');
    }
  });

  test("refuses what is not valid before anything is started", async (t) => {
    const renderers = createRenderers({ processes: 1 });
    t.after(() => renderers.close());
    const refused = async (source: unknown, options: unknown, message: RegExp) =>
      assert.rejects(renderers.render(source as string, options as never), { code: "invalid-request", message });
    await refused(" \n", { format: "d2" }, /empty/);
    await refused(7, { format: "d2" }, /must be a string/);
    await refused("a\0b", { format: "d2" }, /U\+0000/);
    await refused("x".repeat(1_048_577), { format: "d2" }, /1048577 characters; the limit is 1048576/);
    await refused("a", undefined, /needs options with a format/);
    await refused("a", { format: "ditaa" }, /Unknown format "ditaa". Known formats: mermaid/);
    await refused("a", { format: "d2", output: "gif" }, /Unknown output "gif"/);
    await refused("a", { format: "d2", theme: "c4" }, /Unknown option "theme"/);
    await refused("a", { format: "d2", options: { scale: 9 } }, /^options\.scale must be at most 4\.$/);
    await refused("a", { format: "graphviz", options: { sketch: true } }, /^options\.sketch is not a known field\.$/);
    await refused("a", { format: "d2", timeoutMs: 1.5 }, /timeoutMs must be a whole number/);
    await refused("a", { format: "d2", isolation: "thread" }, /isolation must be/);
    await refused("a", { format: "d2", isolation: "none", timeoutMs: 9 }, /timeoutMs needs isolation "process"/);
  });

  test("a deadline and an abort end a drawing, and the next one is drawn", LONG, async (t) => {
    const renderers = createRenderers({ processes: 1, timeoutMs: scaled(10_000) });
    t.after(() => renderers.close());
    const endless = minutesLong();
    const { source, format } = endless;
    await assert.rejects(renderers.render(source, { format, timeoutMs: 700 }), {
      code: "render-timeout",
      message: "Render timed out after 700 ms",
    });
    const stop = new AbortController();
    const drawing = renderers.render(source, { format, signal: stop.signal });
    const waiting = renderers.render("digraph { a -> b }", QUICK);
    stop.abort(new Error("the reader left"));
    await assert.rejects(drawing, /the reader left/);
    assert.match((await waiting).data, /^<svg /);
  });

  test("renderers that are closed reject what they have not drawn, and draw no more", LONG, async () => {
    const renderers = createRenderers();
    await renderers.render("digraph { a -> b }", QUICK);
    const { source, format } = minutesLong();
    const open = assert.rejects(renderers.render(source, { format }), { code: "renderers-closed" });
    await renderers[Symbol.asyncDispose]();
    await open;
    await assert.rejects(renderers.render("digraph { a -> b }", QUICK), { code: "renderers-closed" });
  });
});

test("a program ends when its last diagram is drawn, without closing anything", LONG, async (t) => {
  const program = run(t, [...RUNTIME, "packages/diagrams/test/support/draws.ts"]);
  assert.deepEqual(await program.ended(), { code: 0, signal: null }, program.stderr());
  assert.match(program.stdout(), /^<svg [\s\S]*<\/svg>\s*$/);
});
