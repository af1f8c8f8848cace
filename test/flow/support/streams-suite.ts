// Streams and events of one job, read over HTTP from a server that does not run the job.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { z } from "zod";
import { createClient, type StreamEvent } from "../../../packages/millrace/src/client/index.ts";
import { createHandler } from "../../../packages/millrace/src/http/index.ts";
import { defineKind, Millrace, type MillraceOptions, moduleOf } from "../../../packages/millrace/src/index.ts";
import { scaled } from "../../support/slowness.ts";
import type * as streams from "../modules/streams.ts";
import { gate } from "./engine.ts";

const WAIT = { timeoutMs: scaled(30_000) };

type OpenStore = () => Promise<{ store: () => MillraceOptions["store"]; remove(): Promise<void> }>;

const payload = z.object({ fail: z.boolean() });
const isolated = defineKind({ name: "isolated", payload }).stage("write", {
  isolation: "process",
  module: moduleOf<typeof streams>(new URL("../modules/streams.ts", import.meta.url)),
});
const inline = defineKind({ name: "inline", payload }).stage("write", {
  run: async (ctx, input) => (await import("../modules/streams.ts")).default(ctx, input),
});

export function describeStreams(name: string, openStore: OpenStore): void {
  /** A worker, and a server that only reads. */
  const withBoth = async (
    kinds: NonNullable<MillraceOptions["kinds"]>,
    body: (both: Both) => Promise<void>,
  ): Promise<void> => {
    const { store, remove } = await openStore();
    const settings = { leaseMs: 5_000, retryBaseMs: 1, retryMaxMs: 1, shutdownGraceMs: 0, log: false } as const;
    const worker = await Millrace.open({ store: store(), kinds, ...settings });
    const server = await Millrace.open({ store: store(), kinds, work: false, ...settings });
    const handler = createHandler(server, {
      auth: () => ({ name: "ada", tenant: "*", scopes: ["admin"] }),
      tokenSecret: "a".repeat(32),
    });
    const client = createClient({
      baseUrl: "http://millrace.test",
      fetch: async (url, init) => handler(new Request(url, init)),
    });
    try {
      await body({ worker, server, client, handler });
    } finally {
      handler.close();
      await Promise.all([worker.stop({ hurry: true }), server.stop({ hurry: true })]);
      await remove();
    }
  };

  describe(`streams on ${name}`, () => {
    for (const kind of [inline, isolated]) {
      test(`of an ${kind.name} stage restart after a failure, repeat nothing after a wait, and end with the job`, async () => {
        await withBoth([kind], async ({ worker, server, client }) => {
          const job = await worker.submit(kind, { fail: true });
          const events: StreamEvent[] = [];
          for await (const event of client.stream(job.id, "answer")) events.push(event);
          assert.equal(events.at(-1)?.type, "end");
          assert.deepEqual(events.at(-1), { ...events.at(-1), state: "completed" });
          const ids = events.map(({ id }) => id);
          assert.deepEqual(
            ids,
            ids.toSorted((a, b) => a - b),
            "ids grow",
          );
          const whole = ["attempt 2", "o", "ne", "after the nap"];
          assert.deepEqual(await client.stream(job.id, "answer").chunks(), whole);
          const inProcess: unknown[] = [];
          for await (const event of server.stream(job.id, "answer")) {
            if (event.type === "chunk") inProcess.push(event.value);
          }
          assert.deepEqual(inProcess, whole, "what was taken back is gone");
          assert.equal(await job.wait(WAIT), "done");
          assert.deepEqual(
            (await client.streams(job.id)).map((stream) => stream.name),
            ["answer"],
          );
        });
      });
    }

    test("are followed while they grow, resume on any server by Last-Event-ID, and end with 204", async () => {
      const next = [gate(), gate()];
      const slow = defineKind({
        name: "slow",
        payload: z.null(),
        run: async (ctx) => {
          const out = ctx.stream("answer");
          await out.write("a");
          await next[0]?.opened;
          await out.write("b");
          await next[1]?.opened;
          await out.write("c");
        },
      });
      await withBoth([slow], async ({ worker, client, handler }) => {
        const job = await worker.submit(slow, null);
        const values: unknown[] = [];
        for await (const event of client.stream(job.id, "answer")) {
          if (event.type !== "chunk") continue;
          values.push(event.value);
          next[values.length - 1]?.open();
        }
        assert.deepEqual(values, ["a", "b", "c"]);
        const address = `http://millrace.test/jobs/${job.id}/streams/answer`;
        const read = (lastId: string) => handler(new Request(address, { headers: { "last-event-id": lastId } }));
        const rest = await read("2");
        assert.match(
          await rest.text(),
          /^id: 3\nevent: chunk\ndata: "c"\n\nid: 4\nevent: end\ndata: \{"state":"completed"\}\n\n$/,
        );
        assert.equal((await read("4")).status, 204);
        assert.equal((await read("x")).status, 422);
        assert.equal((await handler(new Request(address.replace(job.id, "job_00000000")))).status, 404);
        const empty = await handler(new Request(address.replace("answer", "other")));
        assert.match(await empty.text(), /^id: 1\nevent: end\n/);
      });
    });

    test("wait in memory of neither side: a reader that stops reading takes nothing", async () => {
      const many = defineKind({
        name: "many",
        payload: z.null(),
        run: async (ctx) => {
          const out = ctx.stream("rows");
          for (let i = 0; i < 200; i++) await out.write(`${i} ${"x".repeat(10_000)}`);
        },
      });
      await withBoth([many], async ({ worker, client, handler }) => {
        const job = await worker.submit(many, null);
        const response = await handler(new Request(`http://millrace.test/jobs/${job.id}/streams/rows`));
        await job.wait(WAIT);
        const chunks = (await client.stream<string>(job.id, "rows").chunks()).map((row) => Number(row.split(" ")[0]));
        assert.deepEqual(
          chunks,
          Array.from({ length: 200 }, (_, i) => i),
        );
        await response.body?.cancel();
      });
    });

    test("are refused above the limit of a job, with a failure that says so", async () => {
      const large = defineKind({
        name: "large",
        payload: z.null(),
        maxAttempts: 1,
        run: async (ctx) => {
          for (;;) await ctx.stream("rows").write("x".repeat(200_000));
        },
      });
      const { store, remove } = await openStore();
      const millrace = await Millrace.open({
        store: store(),
        kinds: [large],
        log: false,
        maxStreamBytesPerJob: 1_000_000,
      });
      try {
        const job = await millrace.submit(large, null);
        await assert.rejects(job.wait(WAIT), { code: "stream-full", message: /at most 1000000 bytes/ });
      } finally {
        await millrace.stop({ hurry: true });
        await remove();
      }
    });

    test("events of a job carry state, progress, log, steps and signals from another process, and resume", async () => {
      const told = defineKind({
        name: "told",
        payload: z.null(),
        run: async (ctx) => {
          ctx.progress(0.5, "half");
          ctx.log.info("hello", { n: 1 });
          await ctx.step("work", () => 1);
          await ctx.waitForSignal("go");
          return "went";
        },
      });
      await withBoth([told], async ({ worker, client }) => {
        const job = await worker.submit(told, null);
        const seen: string[] = [];
        const ids: string[] = [];
        let sent = false;
        for await (const { type, id, data } of client.events(job.id)) {
          if (type === "state") seen.push(`state ${data.state}`);
          else if (type === "log") seen.push(`log ${data.message}`);
          else if (type === "step") seen.push(`step ${data.name}`);
          else if (type === "signal") seen.push(`signal ${data.name} ${data.state}`);
          else if (type === "end") seen.push(`end ${data.state}`);
          else continue;
          ids.push(id);
          if (type === "step" && !sent) {
            sent = true;
            await client.signal(job.id, "go", 1);
          }
        }
        const first = (word: string) => seen.findIndex((each) => each.startsWith(word));
        for (const word of ["log hello", "step work", "signal go taken"]) {
          assert.ok(seen.includes(word), `${word} in ${seen.join(", ")}`);
        }
        assert.ok(first("log") < first("end"));
        assert.deepEqual(seen.slice(-2), ["state completed", "end completed"]);
        const again: string[] = [];
        const afterLog = ids[seen.lastIndexOf("log hello")] as string;
        for await (const { type } of client.events(job.id, { after: afterLog })) again.push(type);
        assert.ok(!again.includes("log"), `no log line comes twice: ${again.join(", ")}`);
        assert.equal(again.at(-1), "end");
      });
    });
  });
}

interface Both {
  worker: Millrace;
  server: Millrace;
  client: ReturnType<typeof createClient>;
  handler: ReturnType<typeof createHandler>;
}
