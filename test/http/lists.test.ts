// runtimes: bun
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { z } from "zod";
import { type DeadLetterCause, dlqRoutes } from "../../packages/millrace/src/api/dead-letters.ts";
import { jobRoutes } from "../../packages/millrace/src/api/job.ts";
import { good, refused } from "./support/call.ts";
import { deadLetter, ended, running, submitted, until } from "./support/jobs.ts";
import { type Server, startServer } from "./support/server.ts";

const LATER = { delayMs: 3_600_000 };

describe("GET /jobs", () => {
  test("finds jobs by every word of status", async (t) => {
    const server = await startServer(t);
    const retried = { kind: "flaky", payload: 1, maxRetries: 1_000 };
    const jobs = {
      scheduled: (await submitted(server, { kind: "quick", payload: 1, ...LATER })).jobId,
      notStarted: (await submitted(server, { kind: "piped", payload: {}, ...LATER })).jobId,
      busy: (await running(server)).jobId,
      rendering: (await running(server, "worded")).jobId,
      done: (await ended(server, { kind: "quick", payload: 1 })).jobId,
      dead: (await deadLetter(server)).jobId,
      held: (await submitted(server, { kind: "holds", payload: 1 })).jobId,
      cancelled: (await submitted(server, { kind: "quick", payload: 1, ...LATER })).jobId,
    };
    await good(server, jobRoutes.cancel, { params: { jobId: jobs.cancelled } });
    await until(server, jobs.held, (job) => job.heldFor !== undefined);
    const found = async (query: object) => {
      const list = await good(server, jobRoutes.list, { query: query as Record<string, string> });
      return list.jobs.map(({ jobId }) => jobId).sort((a, b) => a.localeCompare(b));
    };
    const sorted = (...ids: string[]) => ids.sort((a, b) => a.localeCompare(b));
    const { scheduled, notStarted, busy, rendering, done, dead, held, cancelled } = jobs;
    assert.deepEqual(await found({ status: "scheduled" }), sorted(scheduled, notStarted));
    assert.deepEqual(await found({ status: "pending" }), sorted(scheduled, notStarted, held));
    assert.deepEqual(await found({ status: "not-started" }), [notStarted]);
    assert.deepEqual(await found({ status: "running" }), sorted(busy, rendering));
    assert.deepEqual(await found({ status: "rendering" }), [rendering]);
    assert.deepEqual(await found({ status: "fetch" }), []);
    assert.deepEqual(await found({ status: "completed" }), [done]);
    assert.deepEqual(await found({ status: "done" }), [done]);
    assert.deepEqual(await found({ status: "failed" }), [dead]);
    assert.deepEqual(await found({ status: "cancelled" }), [cancelled]);
    assert.deepEqual(await found({ status: "held" }), [held]);
    assert.deepEqual(await found({ inProgress: "true" }), sorted(busy, rendering));
    assert.equal((await found({ inProgress: "false" })).length, 6);
    const { jobId } = await submitted(server, retried);
    await until(server, jobId, (job) => job.retries > 0);
    await good(server, jobRoutes.get, { params: { jobId } });
    assert.ok((await found({ status: "retrying" })).length <= 1);
  });

  test("filters by kind, stage, tag, time and text, and pages by cursor and offset", async (t) => {
    const server = await startServer(t);
    const of = (n: number) => ({
      kind: "quick",
      payload: { word: `needle${n}`, n, said: `"${n}" \\ done` },
      tags: [`t${n % 2}`],
      ...LATER,
    });
    const answer = await good(server, jobRoutes.submit, { body: Array.from({ length: 25 }, (_, n) => of(n)) });
    assert.ok("jobs" in answer);
    const newestFirst = answer.jobs.map(({ jobId }) => jobId).reverse();
    const ids = async (query: Record<string, string | number>) =>
      (await good(server, jobRoutes.list, { query })).jobs.map(({ jobId }) => jobId);
    assert.deepEqual(await ids({}), newestFirst);
    assert.deepEqual(
      await ids({ tag: "t0" }),
      newestFirst.filter((_, i) => i % 2 === 0),
    );
    assert.deepEqual(await ids({ q: "needle7" }), [newestFirst[17]]);
    assert.deepEqual(await ids({ q: newestFirst[3] as string }), [newestFirst[3]]);
    assert.deepEqual(await ids({ q: "%' OR 1=1 --" }), []);
    assert.deepEqual(await ids({ q: '"7" \\ done' }), [newestFirst[17]], "as it is said");
    assert.deepEqual(await ids({ q: '"word":"needle7"' }), [newestFirst[17]], "as JSON writes it");
    assert.deepEqual(await ids({ kind: "piped" }), []);
    assert.deepEqual(await ids({ stage: "running", kind: "quick", limit: 2 }), newestFirst.slice(0, 2));
    const { createdAt } = answer.jobs[0] as { createdAt: string };
    assert.equal((await ids({ since: createdAt })).length, 25);
    assert.deepEqual(await ids({ until: createdAt }), []);
    assert.deepEqual(await ids({ offset: 20, limit: 3 }), newestFirst.slice(20, 23));
    assert.deepEqual(await paged(server, { limit: 10 }), newestFirst);
    assert.deepEqual(await paged(server, { limit: 5 }), newestFirst);
  });
});

async function paged(server: Server, query: Record<string, number>): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await good(server, jobRoutes.list, { query: { ...query, ...(cursor && { cursor }) } });
    ids.push(...page.jobs.map(({ jobId }) => jobId));
    cursor = page.nextCursor;
    if (cursor === undefined) return ids;
  }
}

describe("many at once", () => {
  test("cancel by ids and by filter; dryRun counts and touches nothing", async (t) => {
    const server = await startServer(t);
    const body = Array.from({ length: 5 }, () => ({ kind: "quick", payload: 1, tags: ["many"], ...LATER }));
    const submission = await good(server, jobRoutes.submit, { body });
    assert.ok("jobs" in submission);
    const ids = submission.jobs.map(({ jobId }) => jobId);
    const filter = { tag: "many", status: "scheduled" };
    const dry = await good(server, jobRoutes.cancelMany, { body: { filter, dryRun: true } });
    assert.deepEqual(dry, { matched: 5, changed: 0, dryRun: true, jobIds: [] });
    const some = await good(server, jobRoutes.cancelMany, { body: { ids: [ids[0], ids[0], "job_00000000"] } });
    assert.deepEqual(some, { matched: 1, changed: 1, dryRun: false, jobIds: [ids[0]] });
    const rest = await good(server, jobRoutes.cancelMany, { body: { filter: { tag: "many" }, reason: "all of it" } });
    assert.equal(rest.changed, 4);
    assert.equal((await good(server, jobRoutes.cancelMany, { body: { ids } })).changed, 0);
    const back = await good(server, jobRoutes.retryMany, { body: { filter: { tag: "many" }, dryRun: true } });
    assert.equal(back.matched, 5);
    const revived = await good(server, jobRoutes.retryMany, { body: { filter: { tag: "many" } } });
    assert.equal(revived.changed, 5);
    const again = await good(server, jobRoutes.retryMany, { body: { ids } });
    assert.deepEqual([again.matched, again.changed], [0, 0], "revived once");
    for (const bad of [{}, { ids, filter: {} }, { ids: [] }, { filter: { nothing: 1 } }])
      await refused(server, jobRoutes.cancelMany, { body: bad }, "invalid-request");
    const unknown = await good(server, jobRoutes.cancelMany, { body: { ids: ["x"] } });
    assert.equal(unknown.matched, 0, "an id of another form is an unknown one");
  });

  test("dead letters: causes are counted, searched, sorted and read page by page; one is revived by its fingerprint", async (t) => {
    const server = await startServer(t);
    for (let i = 0; i < 6; i++) await deadLetter(server, { code: "stock", message: `Order ORD-${i}: no stock left` });
    for (const word of ["red", "green", "blue"])
      await deadLetter(server, { code: "paint", message: `Out of ${word}.` });
    const page = await good(server, dlqRoutes.list, { query: { group: "fingerprint", limit: 3 } });
    assert.deepEqual([page.groupCount, page.total, page.items.length, page.groups?.length], [4, 9, 0, 3]);
    const [stock] = page.groups as z.output<typeof DeadLetterCause>[];
    assert.ok(stock);
    const { fingerprint, sample, firstAt, lastAt, ...facts } = stock;
    assert.deepEqual(facts, {
      pattern: "Order <id>: no stock left",
      kind: "fails",
      stage: "running",
      code: "stock",
      lastError: "Order ORD-5: no stock left",
      count: 6,
      variants: 6,
    });
    assert.ok(Date.parse(firstAt) <= Date.parse(lastAt));
    assert.equal((await good(server, jobRoutes.get, { params: { jobId: sample } })).fingerprint, fingerprint);
    const cursor = page.nextCursor as string;
    const rest = await good(server, dlqRoutes.list, { query: { group: "fingerprint", limit: 3, cursor } });
    assert.deepEqual([rest.groups?.length, rest.nextCursor], [1, undefined]);
    const found = await good(server, dlqRoutes.list, { query: { group: "fingerprint", q: "OUT OF", sort: "kind" } });
    assert.deepEqual([found.groupCount, found.total], [3, 3]);
    for (const wrong of [{ cursor: "zzz" }, { sort: "size" }, { group: "cause" }]) {
      await refused(server, dlqRoutes.list, { query: { group: "fingerprint", ...wrong } }, "invalid-request");
    }
    const revived = await good(server, dlqRoutes.revive, { body: { filter: { fingerprint }, perSecond: 0.01 } });
    assert.equal(revived.changed, 6);
    const left = await good(server, dlqRoutes.list, { query: { fingerprint } });
    assert.ok(left.total <= 1, "the first one runs at once and may have failed again");
  });

  test("dead letters: list, groups, revive at a rate, discard", async (t) => {
    const server = await startServer(t);
    for (const code of ["one", "one", "two"]) await deadLetter(server, { code, message: `It was ${code}.` });
    const list = await good(server, dlqRoutes.list, { query: { group: "error", limit: 2 } });
    assert.equal(list.total, 3);
    assert.deepEqual(
      list.items.map(({ lastError, retries, kind }) => [lastError, retries, kind]),
      [
        ["It was two.", 1, "fails"],
        ["It was one.", 1, "fails"],
      ],
    );
    assert.deepEqual(
      list.groups?.map(({ code, count }) => [code, count]),
      [
        ["one", 2],
        ["two", 1],
      ],
    );
    assert.equal((await good(server, dlqRoutes.list, { query: { error: "It was two." } })).total, 1);
    const filter = { code: "one" };
    const dry = await good(server, dlqRoutes.revive, { body: { filter, dryRun: true } });
    assert.deepEqual([dry.matched, dry.changed], [2, 0]);
    const { jobIds } = await good(server, dlqRoutes.revive, { body: { filter, perSecond: 0.01 } });
    const delays = await Promise.all(
      jobIds.map(async (jobId) => {
        const { runAt, createdAt } = await good(server, jobRoutes.get, { params: { jobId } });
        return Date.parse(runAt) - Date.parse(createdAt);
      }),
    );
    assert.deepEqual(
      delays.sort((a, b) => a - b),
      [0, 100_000],
    );
    await good(server, jobRoutes.get, { params: { jobId: jobIds[0] as string }, query: { wait: 10 } });
    await refused(server, dlqRoutes.discard, {}, "invalid-request");
    const wouldGo = await good(server, dlqRoutes.discard, { query: { code: "two", dryRun: true } });
    assert.deepEqual([wouldGo.matched, wouldGo.changed], [1, 0]);
    assert.equal((await good(server, dlqRoutes.discard, { query: { code: "two" } })).changed, 1);
    await good(server, dlqRoutes.discard, { query: { all: true } });
    assert.equal((await good(server, dlqRoutes.list)).total, 0);
  });

  test("dead letters are discarded by ids, and nothing else is", async (t) => {
    const server = await startServer(t);
    const dead = [await deadLetter(server), await deadLetter(server), await deadLetter(server)].map((job) => job.jobId);
    const other = (await deadLetter(server, {}, { tenant: "b" })).jobId;
    const done = (await ended(server, { kind: "quick", payload: 1 })).jobId;
    const revived = await deadLetter(server);
    await good(server, jobRoutes.retry, { params: { jobId: revived.jobId } });
    const ids = [dead[0], dead[2], dead[0], other, done, revived.jobId, "job_00000000"].join(",");
    const dry = await good(server, dlqRoutes.discard, { query: { ids, dryRun: true } });
    assert.deepEqual(dry, { matched: 2, changed: 0, dryRun: true, jobIds: [] });
    const discarded = await good(server, dlqRoutes.discard, { query: { ids } });
    assert.deepEqual(discarded, { matched: 2, changed: 2, dryRun: false, jobIds: [dead[0], dead[2]] });
    for (const jobId of [dead[1], done, revived.jobId] as string[])
      await good(server, jobRoutes.get, { params: { jobId } });
    await good(server, jobRoutes.get, { params: { jobId: other }, tenant: "b" });
    for (const query of [{ ids: "" }, { ids, kind: "fails" }, { ids, all: true }])
      await refused(server, dlqRoutes.discard, { query }, "invalid-request");
    const many = Array.from({ length: 500 }, (_, i) => `job_${String(i).padStart(8, "0")}`);
    assert.equal((await good(server, dlqRoutes.discard, { query: { ids: many.join(",") } })).matched, 0);
    await refused(
      server,
      dlqRoutes.discard,
      { query: { ids: [...many, "job_zzzzzzzz"].join(",") } },
      "invalid-request",
    );
  });
});

test("a brief list cuts what is large, and leaves the rest as it is", async (t) => {
  const server = await startServer(t);
  const large = { text: "x".repeat(5_000) };
  await submitted(server, { kind: "quick", payload: large, delayMs: 1_000_000 });
  await submitted(server, { kind: "quick", payload: { n: 1 }, delayMs: 1_000_000 });
  const [small, cut] = (await good(server, jobRoutes.list, { query: { brief: true } })).jobs;
  assert.deepEqual(small?.payload, { n: 1 });
  assert.equal(String(cut?.payload), `${JSON.stringify(large).slice(0, 1_000)}…`);
  assert.deepEqual((await good(server, jobRoutes.list)).jobs[1]?.payload, large);
});
