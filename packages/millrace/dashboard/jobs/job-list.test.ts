import assert from "node:assert/strict";
import { test } from "node:test";
import type { Client, Job } from "../../src/client/index.ts";
import { LiveJobList } from "./job-list.ts";

const AT_TOP = { first: 0, last: 20, mayMove: true };
const POINTED = { first: 0, last: 20, mayMove: false };

/** A store of jobs, and a list of it. */
function storeOf(count: number) {
  const jobs: Job[] = [];
  const submit = (more: number) => {
    for (let i = 0; i < more; i++) {
      const n = jobs.length;
      const createdAt = new Date(1_800_000_000_000 + n).toISOString();
      jobs.push({ jobId: `job_${n}`, createdAt, updatedAt: createdAt, state: "pending" } as Job);
    }
  };
  submit(count);
  let read = 0;
  const client = {
    list: async ({ limit = 50, cursor }: { limit?: number; cursor?: string }) => {
      read++;
      const newest = cursor === undefined ? jobs.length : Number(cursor);
      const page = jobs.slice(Math.max(0, newest - limit), newest).reverse();
      const next = Math.max(0, newest - limit);
      return { jobs: page, limit, offset: 0, ...(next > 0 && { nextCursor: String(next) }) };
    },
  } as unknown as Client;
  const list = new LiveJobList(client, {}, () => {});
  const shown = () => list.listed.rows.map(({ job }) => Number(job.jobId.slice(4)));
  return { list, shown, submit, total: () => jobs.length, reads: () => read };
}

/** The newest first, without a hole. */
function assertWhole(shown: number[], newest: number): void {
  assert.deepEqual(
    shown,
    shown.map((_, i) => newest - i),
  );
}

test("at 500 new jobs between two looks the list has no hole, and stays small", async () => {
  const { list, shown, submit, total } = storeOf(1_000);
  await list.load();
  for (let second = 0; second < 60; second++) {
    submit(second % 2 === 0 ? 500 : 30);
    await list.refresh(new Map(), AT_TOP);
    assertWhole(shown(), total() - 1);
    assert.ok(shown().length <= 800, `${shown().length} rows`);
  }
  await list.more();
  await list.more();
  assertWhole(shown(), total() - 1);
});

test("under the pointer nothing moves, and what waits is shown without a hole", async () => {
  const { list, shown, submit, total } = storeOf(300);
  await list.load();
  const before = shown();
  submit(150);
  await list.refresh(new Map(), POINTED);
  assert.deepEqual([list.listed.waiting, list.listed.waitingMore], [150, false]);
  submit(500);
  await list.refresh(new Map(), POINTED);
  assert.deepEqual(shown(), before);
  assert.deepEqual([list.listed.waiting, list.listed.waitingMore], [200, true]);
  await list.showNew();
  assertWhole(shown(), total() - 1);
  assert.equal(list.listed.waiting, 0);
});

test("a list that grows slowly at its top drops rows that are far from view", async () => {
  const { list, shown, submit, total } = storeOf(200);
  await list.load();
  for (let second = 0; second < 100; second++) {
    submit(50);
    await list.refresh(new Map(), AT_TOP);
  }
  assertWhole(shown(), total() - 1);
  assert.ok(shown().length <= 650, `${shown().length} rows`);
});
