import assert from "node:assert/strict";
import { connect } from "node:net";
import { type TestContext, test } from "node:test";
import { z } from "zod";
import { LiveEvents } from "../../packages/millrace/src/api/feeds/live.ts";
import { jobRoutes } from "../../packages/millrace/src/api/job.ts";
import { systemRoutes } from "../../packages/millrace/src/api/system.ts";
import { scaled } from "../support/slowness.ts";
import { good, send } from "./support/call.ts";
import { deadLetter, ended, running, submitted } from "./support/jobs.ts";
import { newKey } from "./support/keys.ts";
import { type Server, startServer } from "./support/server.ts";

const FINISHED = new Set(["completed", "failed", "cancelled"]);

interface Event {
  id: string;
  event: string;
  data: { jobId?: string; state?: string; tenant?: string; kind?: string; busy?: number; error?: number };
}

test("tells of a job that is submitted, claimed, settled, cancelled and revived", async (t) => {
  const server = await startServer(t);
  const feed = await listen(t, server);
  assert.equal((await feed.next()).event, "reset");
  const done = await ended(server, { kind: "quick", payload: 1 });
  assert.deepEqual(await feed.statesOf(done.jobId), ["running", "completed"]);
  const dead = await deadLetter(server);
  assert.deepEqual(await feed.statesOf(dead.jobId), ["running", "failed"]);
  const again = await good(server, jobRoutes.retry, { params: { jobId: dead.jobId } });
  assert.deepEqual(await feed.statesOf(again.jobId), ["running", "failed"]);
  const busy = await running(server);
  await good(server, jobRoutes.cancel, { params: { jobId: busy.jobId } });
  assert.deepEqual(await feed.statesOf(busy.jobId), ["running", "cancelled"]);
  const later = await submitted(server, { kind: "quick", payload: 1, delayMs: 1_000_000 });
  assert.equal((await feed.of(later.jobId)).data.state, "pending");
});

test("tells of a pool when a processor takes up work, ends it, and hangs", async (t) => {
  const server = await startServer(t);
  const feed = await listen(t, server);
  const busy = await running(server);
  const taken = await feed.pool(({ kind, busy }) => kind === "waits" && busy === 1);
  assert.deepEqual(taken, { kind: "waits", stage: "running", size: taken.size, busy: 1, error: 0 });
  await good(server, jobRoutes.cancel, { params: { jobId: busy.jobId } });
  assert.equal((await feed.pool(({ kind }) => kind === "waits")).busy, 0);
  await submitted(server, { kind: "hangs", payload: 1 });
  const hanging = await feed.pool(({ kind, error }) => kind === "hangs" && error === 1);
  assert.deepEqual(hanging, { kind: "hangs", stage: "running", size: 2, busy: 0, error: 1 });
});

test("resumes after the last id, and says reset when it is too old or of another server", async (t) => {
  const server = await startServer(t);
  const feed = await listen(t, server);
  await feed.next();
  const first = await submitted(server, { kind: "quick", payload: 1, delayMs: 1_000_000 });
  const { id } = await feed.of(first.jobId);
  feed.end();
  const missed = await submitted(server, { kind: "quick", payload: 2, delayMs: 1_000_000 });
  const byHeader = await listen(t, server, { headers: { "last-event-id": id } });
  assert.equal((await byHeader.next()).data.jobId, missed.jobId);
  const byQuery = await listen(t, server, { query: `?lastEventId=${id}` });
  assert.equal((await byQuery.next()).data.jobId, missed.jobId);
  for (const wrong of ["00000000-1", `${id}9`, "nonsense", "-1"]) {
    const other = await listen(t, server, { headers: { "last-event-id": wrong } });
    assert.equal((await other.next()).event, "reset", wrong);
    other.end();
  }
  const body = Array.from({ length: 1_000 }, () => ({ kind: "quick", payload: 1, delayMs: 1_000_000 }));
  for (let i = 0; i < 3; i++) await good(server, jobRoutes.submit, { body });
  const late = await listen(t, server, { headers: { "last-event-id": id } });
  const reset = await late.next();
  assert.equal(reset.event, "reset");
  const after = await submitted(server, { kind: "quick", payload: 3, delayMs: 1_000_000 });
  assert.equal((await late.next()).data.jobId, after.jobId);
  const fromReset = await listen(t, server, { headers: { "last-event-id": reset.id } });
  assert.equal((await fromReset.next()).data.jobId, after.jobId);
});

test("tells a tenant of its own jobs alone, and an administrator of all", async (t) => {
  const server = await startServer(t, { apiKey: "root" });
  const { secret } = await newKey(server, "a", ["read"]);
  const own = await listen(t, server, { key: secret });
  const all = await listen(t, server, { key: "root", headers: { "x-tenant-id": "*" } });
  await Promise.all([own.next(), all.next()]);
  const theirs = await submitted(server, { kind: "quick", payload: 1, delayMs: 1_000_000 }, { tenant: "b" });
  const ours = await submitted(server, { kind: "quick", payload: 1, delayMs: 1_000_000 }, { tenant: "a" });
  assert.equal((await own.of(ours.jobId)).data.tenant, "a");
  assert.ok(own.seen.every(({ data }) => data.tenant !== "b"));
  assert.equal((await all.of(theirs.jobId)).data.tenant, "b");
  await all.of(ours.jobId);
});

test("ends when the server stops", async (t) => {
  const server = await startServer(t);
  const feed = await listen(t, server);
  await feed.next();
  const { jobId } = await running(server);
  const waiting = good(server, jobRoutes.get, { params: { jobId }, query: { wait: 30 } });
  await new Promise((resolve) => setTimeout(resolve, 50));
  const startedAt = performance.now();
  server.program.child.kill("SIGTERM");
  assert.equal((await waiting).state, "running", "whoever waits is answered");
  await feed.ended;
  assert.deepEqual(await server.program.ended(), { code: 0, signal: null });
  assert.ok(performance.now() - startedAt < scaled(8_000));
});

test("a hundred readers that do not read do not grow the server, nor hold others up", async (t) => {
  const server = await startServer(t, { settings: { queueMax: 0, processors: 50 } });
  const deaf = Array.from({ length: 100 }, () => {
    const socket = connect(server.port, "127.0.0.1");
    socket.on("error", () => {});
    socket.write("GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n");
    return socket.pause();
  });
  t.after(() => deaf.forEach((socket) => void socket.destroy()));
  let submittedSoFar = 0;
  const work = async (thousands: number) => {
    const body = Array.from({ length: 1_000 }, () => ({ kind: "quick", payload: 1 }));
    for (let i = 0; i < thousands; i++) {
      await good(server, jobRoutes.submit, { body });
      submittedSoFar += body.length;
      await settled(server, submittedSoFar);
    }
  };
  // Until what lies between the two processes is full.
  await work(8);
  const before = await server.kept();
  await work(7);
  const after = await server.kept();
  const grown = { heap: (after.heap - before.heap) / 1e6, rss: (after.rss - before.rss) / 1e6 };
  const said = `grew by ${JSON.stringify(grown)} MB over 21,000 events and 100 readers`;
  // Kept for each of them, these events would be 270 MB. What lives is flat (25 to 26 MB on Node, 11 on Bun); the process as a
  // whole moves by up to 30 MB in either runtime, by 66 MB on a busy machine, with and without readers.
  assert.ok(grown.heap < 5, said);
  assert.ok(grown.rss < 130, said);
  const hearing = await listen(t, server);
  await hearing.next();
  const { jobId } = await submitted(server, { kind: "quick", payload: 1 });
  assert.deepEqual(await hearing.statesOf(jobId), ["running", "completed"]);
});

async function settled(server: Server, count: number): Promise<void> {
  while ((await good(server, systemRoutes.metrics)).jobsCompleted < count)
    await new Promise((resolve) => setTimeout(resolve, 20));
}

interface Listening {
  readonly key?: string;
  readonly headers?: Record<string, string>;
  readonly query?: string;
}

async function listen(t: TestContext, server: Server, { query = "", ...asked }: Listening = {}) {
  const response = await send(server, "GET", `/live${query}`, asked);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("content-type"), "text/event-stream");
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  const seen: Event[] = [];
  const waiting: Event[] = [];
  let text = "";
  let wrong: Error | undefined;
  let tell = () => {};
  const ended = (async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      text += decoder.decode(part.value, { stream: true });
      for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
        const event = parse(text.slice(0, end));
        text = text.slice(end + 2);
        if (event) waiting.push(event);
      }
      tell();
    }
  })().catch((error) => {
    // A feed that was ended or cut is what some of these tests want; an event of a wrong shape is not.
    if (error instanceof z.ZodError || error instanceof assert.AssertionError) wrong = error;
    tell();
  });
  const end = () => void reader.cancel().catch(() => {});
  t.after(end);
  const next = async (): Promise<Event> => {
    while (waiting.length === 0 && !wrong) await new Promise<void>((resolve) => (tell = resolve));
    if (wrong) throw wrong;
    const event = waiting.shift() as Event;
    seen.push(event);
    return event;
  };
  const of = async (jobId: string): Promise<Event> => {
    for (let event = await next(); ; event = await next()) if (event.data.jobId === jobId) return event;
  };
  const pool = async (fits: (data: Event["data"]) => boolean) => {
    for (let event = await next(); ; event = await next())
      if (event.event === "pool" && fits(event.data)) return LiveEvents.pool.parse(event.data);
  };
  // That it waits is told only where it waited: a job that is claimed with its submission is never told of as waiting.
  const statesOf = async (jobId: string): Promise<(string | undefined)[]> => {
    const states: (string | undefined)[] = [];
    while (!FINISHED.has(states.at(-1) ?? "")) states.push((await of(jobId)).data.state);
    return states[0] === "pending" ? states.slice(1) : states;
  };
  return { next, of, pool, statesOf, seen, end, ended };
}

/** Every event of these tests is held to the shape that the API promises. */
function parse(block: string): Event | undefined {
  if (block.startsWith(":")) return undefined;
  const fields = Object.fromEntries(block.split("\n").map((line) => line.split(/: (.*)/s) as [string, string]));
  assert.deepEqual(Object.keys(fields).sort(), ["data", "event", "id"], block);
  const { id = "", event = "", data = "" } = fields;
  assert.ok(Object.hasOwn(LiveEvents, event), `${event} is an event the API knows`);
  return { id, event, data: LiveEvents[event as keyof typeof LiveEvents].parse(JSON.parse(data)) };
}
