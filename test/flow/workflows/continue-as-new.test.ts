// runtimes: bun or node
// Jobs that continue as new: one piece of work over many jobs, in this process and in child processes.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { z } from "zod";
import { createClient } from "../../../packages/millrace/src/client/index.ts";
import { createHandler } from "../../../packages/millrace/src/http/index.ts";
import { defineKind, type Millrace, moduleOf } from "../../../packages/millrace/src/index.ts";
import { Testkit } from "../../../packages/millrace/src/testing.ts";
import { scaled } from "../../support/slowness.ts";
import { until } from "../../support/until.ts";
import { untilState, withEngine } from "../support/engine.ts";

const WAIT = { timeoutMs: scaled(20_000) };
const Turn = z.object({ turn: z.number().max(3), turns: z.number() });

const loop = defineKind({
  name: "loop",
  payload: Turn,
  run: async (ctx, { turn, turns }) => {
    await ctx.step("work", () => turn);
    if (turn < turns) return ctx.continueAsNew({ turn: turn + 1, turns });
    return { turns: turn };
  },
});

/** Takes one item of the cart in each job, until it gets "done". */
const cart = defineKind({
  name: "cart",
  payload: z.array(z.string()),
  signals: { item: z.string() },
  run: async (ctx, items): Promise<string[]> => {
    const item = await ctx.waitForSignal("item");
    return item === "done" || item === undefined ? items : ctx.continueAsNew([...items, item]);
  },
});

function waits(millrace: Millrace, jobId: string): Promise<unknown> {
  return until("the job waits for a signal", async () => (await millrace.find(jobId))?.waitsFor);
}

async function successorOf(millrace: Millrace, jobId: string): Promise<string> {
  return (await until("the job has continued", async () => (await millrace.find(jobId))?.continuedAs)) as string;
}

describe("a job that continues as new", () => {
  test("is waited for until its last successor has ended, and hooks hear of each job", async () => {
    await withEngine({ kinds: [loop] }, async ({ millrace }) => {
      const heard: string[] = [];
      millrace.on("completed", ({ payload, result, continuedAs }) => {
        heard.push(JSON.stringify([(payload as { turn: number }).turn, result, continuedAs !== undefined]));
      });
      const job = await millrace.submit(loop, { turn: 1, turns: 3 }, { tags: ["yearly"] });
      assert.deepEqual(await job.wait(WAIT), { turns: 3 });
      assert.deepEqual(await millrace.job(job.id).wait(WAIT), { turns: 3 }, "also after the end");
      await until("the hook heard of three jobs", () => heard.length === 3);
      assert.deepEqual(heard.sort(), ["[1,null,true]", "[2,null,true]", '[3,{"turns":3},false]']);
      const second = await millrace.find(await successorOf(millrace, job.id));
      assert.deepEqual([second?.continuationOf, second?.tags, second?.result], [job.id, ["yearly"], null]);
      const { reasons } = await millrace.explain(job.id);
      assert.match(reasons[0]?.message ?? "", new RegExp(`continued as ${second?.jobId}`));
    });
  });

  test("does the same in an isolated stage", async () => {
    const isolated = defineKind({ name: "isolated", payload: Turn }).stage("work", {
      isolation: "process",
      module: moduleOf<typeof import("../modules/continue.ts")>(new URL("../modules/continue.ts", import.meta.url)),
    });
    await withEngine({ kinds: [isolated] }, async ({ millrace }) => {
      const job = await millrace.submit(isolated, { turn: 1, turns: 2 });
      assert.deepEqual(await job.wait(WAIT), { turns: 2 });
      assert.equal(await millrace.count({ kind: "isolated" }), 2);
      const bad = await millrace.submit(isolated, { turn: 3, turns: 4 });
      await assert.rejects(bad.wait(WAIT), { code: "payload-mismatch" });
    });
  });

  test("fails for good if its payload does not fit the kind, is missing or is too large", async () => {
    const bad = defineKind({
      name: "bad",
      payload: z.union([z.string(), z.number()]),
      run: async (ctx, how): Promise<string> => {
        if (how === "type") return ctx.continueAsNew({ turn: "x" } as never);
        if (how === "missing") return ctx.continueAsNew(undefined as never);
        if (how === "caught") {
          try {
            ctx.continueAsNew("next");
          } catch {
            return "went on";
          }
        }
        return ctx.continueAsNew("x".repeat(2_000_000));
      },
    });
    await withEngine({ kinds: [bad] }, async ({ millrace }) => {
      const failure = async (how: string) => {
        const job = await millrace.submit(bad, how, { maxAttempts: 1 });
        await assert.rejects(job.wait(WAIT));
        const { failure: account } = await untilState(millrace, job.id, "failed");
        return account;
      };
      const type = await failure("type");
      assert.equal(type?.code, "payload-mismatch");
      assert.match(type?.message ?? "", /^The payload passed to ctx\.continueAsNew\(\) does not fit the kind "bad": /);
      assert.equal(type?.permanent, true);
      assert.match((await failure("missing"))?.message ?? "", /needs a payload/);
      const tooLarge = await failure("large");
      assert.deepEqual([tooLarge?.code, tooLarge?.permanent], ["too-large", true]);
      assert.equal((await failure("caught"))?.code, "continue-as-new-caught");
      assert.equal(await millrace.count({ kind: "bad" }), 4, "none of them has a successor");
    });
  });

  test("gets signals that are sent to any of its ids, each once, and is cancelled by any of them", async () => {
    await withEngine({ kinds: [cart] }, async ({ millrace }) => {
      const job = await millrace.submit(cart, []);
      for (const item of ["a", "b", "c"]) {
        await millrace.signal(cart, job.id, "item", item, { idempotencyKey: item });
        const again = await millrace.signal(cart, job.id, "item", item, { idempotencyKey: item });
        assert.equal(again.repeated, true);
      }
      await successorOf(millrace, await successorOf(millrace, await successorOf(millrace, job.id)));
      await millrace.signal(cart, job.id, "item", "done");
      assert.deepEqual(await job.wait(WAIT), ["a", "b", "c"]);
      await assert.rejects(millrace.signal(cart, job.id, "item", "late"), { code: "conflict" });

      const other = await millrace.submit(cart, []);
      await millrace.signal(cart, other.id, "item", "x");
      await waits(millrace, await successorOf(millrace, other.id));
      await other.cancel("Enough.");
      await assert.rejects(other.wait(WAIT), { code: "job-cancelled" });
      await assert.rejects(other.cancel(), { code: "conflict" });
    });
  });

  test("gives its parent the result of the last successor", async () => {
    const parent = defineKind({
      name: "parent",
      payload: z.null(),
      run: async (ctx) => (await ctx.runChild("loop", loop, { turn: 1, turns: 3 })).turns,
    });
    await withEngine({ kinds: [parent, loop] }, async ({ millrace }) => {
      const job = await millrace.submit(parent, null);
      assert.equal(await job.wait(WAIT), 3);
    });
  });

  test("is one piece of work for the test kit", async () => {
    const kit = await Testkit.open({ kinds: [loop, cart] });
    try {
      assert.deepEqual(await kit.run(loop, { turn: 1, turns: 3 }), { turns: 3 });
      const job = await kit.millrace.submit(cart, []);
      for (const item of ["a", "b", "done"]) await kit.signal(cart, job, "item", item);
      assert.deepEqual(await kit.finish(job), ["a", "b"]);
      const exported = await kit.millrace.exportJob(job.id);
      const { end } = await kit.replay(exported);
      assert.deepEqual(end, { type: "left", how: "continued" });
    } finally {
      await kit.stop();
    }
  });
});

test("over HTTP a wait follows the successors, and jobs link to each other", async () => {
  await withEngine({ kinds: [loop, cart] }, async ({ millrace }) => {
    const handler = createHandler(millrace, {
      auth: () => ({ name: "ada", tenant: "acme", scopes: ["submit", "read"] }),
    });
    const fetch = async (url: string, init?: RequestInit) => handler(new Request(url, init));
    const client = createClient({ baseUrl: "http://millrace.test", fetch });
    const job = await client.submit("loop", { turn: 1, turns: 3 });
    const last = await client.wait(job.jobId, WAIT);
    assert.deepEqual([last.result, last.jobId === job.jobId], [{ turns: 3 }, false]);
    const [first, second] = [await client.get(job.jobId), await client.get(last.continuationOf as string)];
    assert.deepEqual([first.continuedAs, second.continuationOf], [second.jobId, first.jobId]);
    const polled = await handler(new Request(`http://millrace.test/jobs/${job.jobId}?wait=5`));
    assert.equal(((await polled.json()) as { jobId: string }).jobId, last.jobId);

    const open = await client.submit("cart", []);
    await client.signal(open.jobId, "item", "a");
    await successorOf(millrace, open.jobId);
    const ended = client.wait(open.jobId, {
      ...WAIT,
      onProgress: () => void client.signal(open.jobId, "item", "done"),
    });
    assert.deepEqual((await ended).result, ["a"]);
    handler.close();
  });
});
