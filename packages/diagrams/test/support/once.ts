// Two engines on one store, whose processors count how often they draw: identical diagrams are drawn once over both.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { until } from "../../../../test/support/until.ts";
import { defineKind, Millrace } from "../../../millrace/src/index.ts";
import type { StoreFactory } from "../../../millrace/src/store/store.ts";
import { RenderPayload } from "../../src/api/render.ts";
import { keysOf, uniqueKeyOf } from "../../src/service/keys.ts";
import { drawnByAnother } from "../../src/service/once.ts";

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
    return { drawings, submit };
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
}
