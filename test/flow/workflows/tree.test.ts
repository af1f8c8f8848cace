// runtimes: bun or node
// The tree of a job, through the engine, over HTTP and as the command line draws it.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { z } from "zod";
import { treeAsDot, treeAsText } from "../../../packages/millrace/src/cli/output/tree.ts";
import { createClient } from "../../../packages/millrace/src/client/index.ts";
import { createHandler } from "../../../packages/millrace/src/http/index.ts";
import { defineKind, type Millrace } from "../../../packages/millrace/src/index.ts";
import { scaled } from "../../support/slowness.ts";
import { withEngine } from "../support/engine.ts";

const handlers: ReturnType<typeof createHandler>[] = [];
after(() => {
  for (const handler of handlers) handler.close();
});

const WAIT = { timeoutMs: scaled(20_000) };

const leaf = defineKind({ name: "leaf", payload: z.string(), run: async () => null });
const branch = defineKind({
  name: "branch",
  payload: z.number(),
  run: async (ctx, count) => {
    const names = Array.from({ length: count }, (_, n) => `leaf ${n}`);
    await ctx.runChildren("leaves", leaf, names, { results: false });
    return null;
  },
});
const trunk = defineKind({
  name: "trunk",
  payload: z.array(z.number()),
  run: async (ctx, counts) => {
    await ctx.submit("note", leaf, "detached");
    for (const [i, count] of counts.entries()) await ctx.runChild(`branch ${i}`, branch, count);
    return null;
  },
});
const kinds = [leaf, branch, trunk];

test("a tree has the ancestors and descendants of any of its jobs, over HTTP too", async () => {
  await withEngine({ kinds }, async ({ millrace }) => {
    const job = await millrace.submit(trunk, [2, 1]);
    await job.wait(WAIT);
    const tree = await millrace.tree(job.id);
    assert.deepEqual(tree.nodes.map(({ kind, state, call }) => `${kind} ${state} ${call ?? "-"}`).sort(), [
      "branch completed branch 0",
      "branch completed branch 1",
      "leaf completed leaves",
      "leaf completed leaves",
      "leaf completed leaves",
      "leaf completed note",
      "trunk completed -",
    ]);
    assert.equal(tree.truncated, false);
    const aLeaf = tree.nodes.find(({ call }) => call === "leaves");
    const same = await millrace.tree(aLeaf?.jobId ?? "");
    assert.deepEqual(idsOf(same), idsOf(tree));

    const client = clientFor(millrace, "default");
    assert.deepEqual(await client.tree(job.id), tree);
    await assert.rejects(clientFor(millrace, "other").tree(job.id), { code: "job-not-found" });
    const text = treeAsText(await client.tree(job.id));
    assert.match(text, new RegExp(`^${job.id}  trunk/running  completed ◀\n`));
    assert.match(text, /└─ children leaves: 2 completed\n/);
    const dot = treeAsDot(tree);
    for (const { from, to } of tree.edges) assert.ok(dot.includes(`"${from}" -> "${to}"`));
  });
});

test("a call with too many jobs is grouped by state, and a job inside it still sees its parent", async () => {
  await withEngine({ kinds, processors: 20 }, async ({ millrace }) => {
    const job = await millrace.submit(branch, 250);
    await job.wait(WAIT);
    const tree = await millrace.tree(job.id);
    assert.deepEqual(idsOf(tree), [job.id]);
    assert.equal(tree.truncated, true);
    assert.deepEqual(tree.nodes[0]?.calls, [
      {
        type: "children",
        name: "leaves",
        counts: { open: 0, completed: 250, failed: 0, cancelled: 0, forgotten: 0 },
        grouped: true,
      },
    ]);
    assert.match(treeAsDot(tree), /label="250 completed", style=dashed/);
    const [child] = await millrace.list({ kind: "leaf", limit: 1 });
    const below = await millrace.tree(child?.jobId ?? "");
    assert.deepEqual(idsOf(below), [job.id, child?.jobId].sort());
    assert.deepEqual(
      below.edges.map(({ from, to }) => [from, to]),
      [[job.id, child?.jobId]],
    );
  });
});

test("a flow is one tree, from any of its jobs", async () => {
  await withEngine({ kinds }, async ({ millrace }) => {
    const flow = await millrace.flow((f) => {
      const first = f.job("first", leaf, "a");
      f.job("left", leaf, "b", { after: [first] });
      f.job("right", leaf, "c", { after: [first] });
    });
    const [first, left, right] = [flow["first"], flow["left"], flow["right"]].map((each) => each?.id ?? "");
    for (const id of [first, left, right]) {
      const tree = await millrace.tree(id as string);
      assert.deepEqual(idsOf(tree), [first, left, right].sort());
      assert.deepEqual(
        tree.edges.map(({ from, to, type }) => `${from} ${type} ${to}`).sort(),
        [`${left} after ${first}`, `${right} after ${first}`].sort(),
      );
    }
    await assert.rejects(millrace.tree("job_unknown"), { code: "job-not-found" });
  });
});

test("a tree names the batch of a job", async () => {
  await withEngine({ kinds }, async ({ millrace }) => {
    const batch = await millrace.batch();
    const [id = ""] = await batch.add(branch, [1]);
    const job = millrace.job(id);
    await job.wait(WAIT);
    const { nodes } = await millrace.tree(id);
    assert.deepEqual(
      nodes.map(({ kind, batch: of }) => [kind, of]),
      [
        ["branch", batch.id],
        ["leaf", undefined],
      ],
    );
  });
});

function idsOf({ nodes }: { nodes: readonly { jobId: string }[] }): string[] {
  return nodes.map(({ jobId }) => jobId).sort();
}

function clientFor(millrace: Millrace, tenant: string) {
  const handler = createHandler(millrace, { auth: () => ({ name: "ada", tenant, scopes: ["read"] }) });
  handlers.push(handler);
  return createClient({
    baseUrl: "http://millrace.test",
    fetch: async (url: string, init?: RequestInit) => handler(new Request(url, init)),
  });
}
