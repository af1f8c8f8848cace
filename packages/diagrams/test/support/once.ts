// Two engines on one store, whose processors count how often they draw: identical diagrams are drawn once over both.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { until } from "../../../../test/support/until.ts";
import { defineKind, Millrace } from "../../../millrace/src/index.ts";
import type { StoreFactory } from "../../../millrace/src/store/store.ts";
import { RenderPayload } from "../../src/api/render.ts";
import { keysOf, uniqueKeyOf } from "../../src/service/keys.ts";
import { drawnByAnother } from "../../src/service/once.ts";
import { type DrawingService, submitDrawing, waited } from "../../src/service/submit.ts";

const settings = { maxWaitMs: 60_000, syncWaitMs: 60_000 };
const payload = { format: "mermaid", source: "flowchart LR\n e-->f", outputType: "svg" } as const;
const asking = { payload, tenant: "default", traceId: "trace", waits: true };

/** The number of drawings, and a gate that holds them up. */
class Drawings {
  count = 0;
  open = Promise.withResolvers<void>();

  kind() {
    return defineKind({
      name: "render",
      payload: RenderPayload,
      uniqueKey: uniqueKeyOf,
      ifUnique: "follow",
      maxAttempts: 1,
      processors: 4,
      run: async (ctx, payload) => {
        const known = await drawnByAnother(ctx, payload);
        if (known !== undefined) return "found";
        this.count++;
        const ended = new Promise((_, reject) => ctx.signal.addEventListener("abort", reject));
        await Promise.race([this.open.promise, ended]);
        await ctx.share({
          key: keysOf(payload, ctx.tenant).asked,
          contentType: "text/plain",
          bytes: new Uint8Array(1),
        });
        return "drawn";
      },
    });
  }
}

export function describeOnce(name: string, openStore: (t: TestContext) => Promise<StoreFactory>): void {
  const opened = async (t: TestContext) => {
    const drawings = new Drawings();
    const kind = drawings.kind();
    const engines: Millrace[] = [];
    // Before the store's folder goes, which is what is registered next.
    t.after(() => Promise.all(engines.map((engine) => engine.stop({ graceMs: 0 }))));
    const store = await openStore(t);
    for (let i = 0; i < 2; i++) engines.push(await Millrace.open({ store, kinds: [kind] }));
    const submit = (nth: number, source: string) =>
      (engines[nth % 2] as Millrace).submit(kind, { format: "mermaid", source });
    return { drawings, submit, engines };
  };

  test(`${name}: two processes draw identical diagrams once, and every submission has its own job`, async (t) => {
    const { drawings, submit } = await opened(t);
    const jobs = await Promise.all(Array.from({ length: 12 }, (_, nth) => submit(nth, "flowchart LR\n a-->b")));
    assert.equal(new Set(jobs.map(({ id }) => id)).size, 12);
    await until("the first draws", () => drawings.count === 1);
    drawings.open.resolve();
    const results = await Promise.all(jobs.map((job) => job.wait()));
    assert.deepEqual(results.filter((result) => result === "drawn").length, 1);
    assert.equal(drawings.count, 1);
  });

  test(`${name}: the next job draws when the one that drew is cancelled`, async (t) => {
    const { drawings, submit } = await opened(t);
    const first = await submit(0, "flowchart LR\n c-->d");
    await until("the first draws", () => drawings.count === 1);
    const others = [await submit(1, "flowchart LR\n c-->d"), await submit(0, "flowchart LR\n c-->d")];
    await first.cancel();
    await until("another draws", () => drawings.count === 2);
    drawings.open.resolve();
    const results = await Promise.all(others.map((job) => job.wait()));
    assert.deepEqual(results.sort(), ["drawn", "found"]);
    assert.equal(drawings.count, 2);
  });

  test(`${name}: a request that joined an editor's job is answered when the editor's server deletes it`, async (t) => {
    const { drawings, engines } = await opened(t);
    const ask = (nth: number, isDraft: boolean) => {
      const surroundings = { engine: engines[nth], settings, closing: new AbortController().signal };
      const asked = { ...asking, request: new Request("http://localhost/render"), isDraft };
      const submitted = submitDrawing(surroundings as unknown as DrawingService, asked);
      return {
        submitted,
        answer: submitted.then((job) => waited(surroundings as unknown as DrawingService, asked, job)),
      };
    };
    const editor = ask(0, true);
    await until("the editor's diagram is drawn", () => drawings.count === 1);
    const other = ask(1, false);
    assert.equal((await other.submitted).isJoined, true);
    drawings.open.resolve();
    const { jobId } = (await editor.submitted).job;
    assert.equal(await editor.answer, "drawn");
    assert.equal(await engines[0]?.find(jobId), undefined, "the editor's job is deleted");
    assert.ok(await other.answer);
    assert.equal(drawings.count, 1);
  });
}
