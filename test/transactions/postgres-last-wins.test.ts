// runtimes: bun or node
// The last submission of a unique key wins, also from a transaction of the caller's and from SQL.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { defineKind, type Millrace, type SubmitReceipt } from "millrace";
import type pg from "pg";
import { z } from "zod";
import { removeDatabasesAfterwards } from "../support/postgres.ts";
import { until } from "../support/until.ts";
import { begin, end, openShop, type Shop } from "./support/shop.ts";

removeDatabasesAfterwards();

const shape = { payload: z.object({ page: z.string(), n: z.number() }) };
const index = defineKind({
  name: "index",
  ...shape,
  uniqueKey: ({ page }) => page,
  ifUnique: "replace",
  run: async (ctx, { n }) => (n === 1 ? await ctx.waitForSignal("go") : n),
});
const remind = defineKind({
  name: "remind",
  ...shape,
  uniqueKey: ({ page }) => page,
  ifUnique: "extend",
  run: (_ctx, { n }) => n,
});
const mail = defineKind({
  name: "mail",
  ...shape,
  throttle: { key: ({ page }) => page, perMs: 60_000 },
  run: (_ctx, { n }) => n,
});
const kinds = [index, remind, mail];

describe("replace in the caller's transaction", () => {
  test("cancels the job that was never claimed and takes its place, after the commit and only then", async (t) => {
    const { millrace, pool } = await openShop(t, { kinds, work: false });
    const first = await millrace.submit(index, { page: "a", n: 2 }, { delayMs: 60_000 });
    const dropped = await begin(pool);
    const lost = await millrace.within(dropped).submit(index, { page: "a", n: 3 });
    assert.equal(lost.accepted, "follows");
    await end(dropped, "ROLLBACK");
    const receipt = await millrace.transaction(pool, (_tx, jobs) => jobs.submit(index, { page: "a", n: 4 }));
    assert.deepEqual([receipt.accepted, receipt.replayed], ["follows", false]);
    const [old, last] = [await millrace.find(first.id), await millrace.find(receipt.id)];
    assert.equal(old?.state, "cancelled");
    assert.match(old?.lastError ?? "", new RegExp(`Replaced by ${receipt.id}`));
    assert.deepEqual([last?.state, last?.payload, last?.waitsFor], ["pending", { page: "a", n: 4 }, undefined]);
    const again = await millrace.submit(index, { page: "a", n: 5 });
    assert.deepEqual([again.id, again.accepted], [receipt.id, "replaced"]);
    assert.equal(await millrace.count(), 2);
  });

  test("follows a job that works, and replaces an earlier follower", async (t) => {
    const { millrace, pool } = await openShop(t, { kinds });
    const leader = await millrace.submit(index, { page: "a", n: 1 });
    await waits(millrace, leader.id, "signal");
    const ids: string[] = [];
    for (const n of [2, 3]) {
      const { id } = await millrace.transaction(pool, (_tx, jobs) => jobs.submit(index, { page: "a", n }));
      await waits(millrace, id, "leader");
      ids.push(id);
    }
    assert.equal((await millrace.find(ids[0] as string))?.state, "cancelled");
    await millrace.signal(index, leader.id, "go");
    assert.equal(await millrace.job(ids[1] as string).wait(), 3);
  });

  test("takes over the payload and the latest start of the job it extends", async (t) => {
    const { millrace, pool } = await openShop(t, { kinds, work: false });
    await millrace.submit(remind, { page: "a", n: 7 }, { delayMs: 60_000 });
    const runAt = new Date(Date.now() + 120_000);
    const { id } = await millrace.transaction(pool, (_tx, jobs) => jobs.submit(remind, { page: "a", n: 8 }, { runAt }));
    const view = await millrace.find(id);
    assert.deepEqual([view?.payload, view?.runAt], [{ page: "a", n: 7 }, runAt.toISOString()]);
  });

  test("locks no live job: the leader is claimed and ends while the transaction is open", async (t) => {
    const { millrace, pool } = await openShop(t, { kinds });
    const leader = await millrace.submit(index, { page: "a", n: 1 });
    await waits(millrace, leader.id, "signal");
    const client = await begin(pool);
    const follower = await millrace.within(client).submit(index, { page: "a", n: 2 });
    await millrace.signal(index, leader.id, "go");
    await leader.wait();
    await end(client, "COMMIT");
    // It is not announced: the caretaker finds it.
    assert.equal(await millrace.job(follower.id).wait(), 2);
  });

  test("keeps the order of several in one transaction, and of submissions that come before they have a place", async (t) => {
    const { millrace, pool } = await openShop(t, { kinds, work: false });
    const client = await begin(pool);
    const jobs = millrace.within(client);
    const receipts: SubmitReceipt[] = [];
    for (const n of [2, 3, 4]) receipts.push(await jobs.submit(index, { page: "a", n }));
    assert.deepEqual(
      receipts.map(({ accepted }) => accepted),
      ["new", "follows", "follows"],
    );
    await end(client, "COMMIT");
    const last = await millrace.submit(index, { page: "a", n: 5 });
    assert.deepEqual([last.id, last.accepted], [receipts[2]?.id, "replaced"]);
    const states = await Promise.all(receipts.map(async ({ id }) => (await millrace.find(id))?.state));
    assert.deepEqual(states, ["cancelled", "cancelled", "pending"]);
    assert.deepEqual((await millrace.find(last.id))?.payload, { page: "a", n: 5 });
  });

  test("a follower that is cancelled before it has a place leaves the key free", async (t) => {
    const { millrace, pool } = await openShop(t, { kinds, work: false });
    const first = await millrace.submit(index, { page: "a", n: 2 });
    const client = await begin(pool);
    const { id } = await millrace.within(client).submit(index, { page: "a", n: 3 });
    await client.query("COMMIT");
    await millrace.cancel(id);
    client.release();
    const next = await millrace.submit(index, { page: "a", n: 4 });
    assert.ok([first.id].includes(next.id) || next.accepted === "new");
    assert.equal((await millrace.find(id))?.state, "cancelled");
  });

  for (const isolation of ["REPEATABLE READ", "SERIALIZABLE"]) {
    test(`works under ${isolation}`, async (t) => {
      const { millrace, pool } = await openShop(t, { kinds, work: false });
      await millrace.submit(index, { page: "a", n: 2 });
      const client = await begin(pool, isolation);
      const { id } = await millrace.within(client).submit(index, { page: "a", n: 3 });
      await end(client, "COMMIT");
      await until("it has its place", async () => (await millrace.find(id))?.waitsFor === undefined);
      assert.deepEqual((await millrace.find(id))?.payload, { page: "a", n: 3 });
    });
  }

  test("needs rights on the table of followers, and other submissions do not", async (t) => {
    const { millrace, pool } = await openShop(t, { kinds, work: false });
    const user = await limitedUser(pool);
    t.after(() => pool.query(`DROP OWNED BY ${user}; DROP ROLE ${user}`).catch(() => {}));
    const client = await begin(pool);
    await client.query(`SET LOCAL ROLE ${user}`);
    const refused = millrace.within(client).submit(index, { page: "a", n: 1 });
    await assert.rejects(refused, (error: { code?: string; message: string }) => {
      assert.equal(error.code, "transaction-unusable");
      assert.match(error.message, /follower_caller \(SELECT,INSERT\)/);
      return true;
    });
    await end(client, "ROLLBACK");
  });
});

describe("throttle in the caller's transaction", () => {
  test("joins the first job of its time, whether that was committed or is in the same transaction", async (t) => {
    const { millrace, pool } = await openShop(t, { kinds, work: false });
    const first = await millrace.submit(mail, { page: "a", n: 1 });
    const client = await begin(pool);
    const jobs = millrace.within(client);
    const answers = [
      await jobs.submit(mail, { page: "a", n: 2 }),
      await jobs.submit(mail, { page: "b", n: 3 }),
      await jobs.submit(mail, { page: "b", n: 4 }),
    ];
    await end(client, "ROLLBACK");
    assert.deepEqual(
      answers.map(({ accepted }) => accepted),
      ["joined", "new", "joined"],
    );
    assert.equal(answers[0]?.id, first.id);
    assert.equal(answers[1]?.id, answers[2]?.id);
    const other = await millrace.submit(mail, { page: "b", n: 5 });
    assert.equal(other.accepted, "new", "what was rolled back stands for nothing");
  });
});

describe("replace and extend in millrace.submit() of SQL", () => {
  test("follow the job that works and take the place of one that waits", async (t) => {
    const { millrace, pool } = await openShop(t, { kinds });
    const submit = submitterOf({ millrace, pool });
    const first = await submit("index", { page: "a", n: 1 }, { uniqueKey: "a", ifUnique: "replace" });
    await waits(millrace, first, "signal");
    const second = await submit("index", { page: "a", n: 2 }, { uniqueKey: "a", ifUnique: "replace" });
    const third = await submit("index", { page: "a", n: 3 }, { uniqueKey: "a", ifUnique: "extend", delayMs: 10 });
    await until("the second is replaced", async () => (await millrace.find(second))?.state === "cancelled");
    await millrace.signal(index, first, "go");
    assert.equal(await millrace.job(third).wait(), 2, "it extended the one before it");
  });

  test("is a new job where the key is free, and refuses other words", async (t) => {
    const { millrace, pool } = await openShop(t, { kinds, work: false });
    const submit = submitterOf({ millrace, pool });
    const id = await submit("index", { page: "a", n: 2 }, { uniqueKey: "a", ifUnique: "extend", delayMs: 60_000 });
    const again = await millrace.submit(index, { page: "a", n: 3 });
    assert.deepEqual([again.id, again.accepted], [id, "replaced"]);
    await assert.rejects(submit("index", {}, { uniqueKey: "a", ifUnique: "refuse" }), { code: "23505" });
    await assert.rejects(submit("index", {}, { uniqueKey: "a", ifUnique: "other" }), /"replace" or "extend"/);
    assert.equal(await submit("index", { page: "a", n: 4 }, { uniqueKey: "a", ifUnique: "join" }), id);
  });

  test("fails a follower that has not started in time", async (t) => {
    const { millrace, pool } = await openShop(t, { kinds });
    const submit = submitterOf({ millrace, pool });
    const leader = await submit("index", { page: "a", n: 1 }, { uniqueKey: "a", ifUnique: "replace" });
    await waits(millrace, leader, "signal");
    const options = { uniqueKey: "a", ifUnique: "replace", expiresInMs: 50 };
    const late = await submit("index", { page: "a", n: 2 }, options);
    await until("it has failed", async () => (await millrace.find(late))?.state === "failed");
    assert.equal((await millrace.find(leader))?.state, "pending");
  });
});

function submitterOf({ pool }: Pick<Shop, "pool" | "millrace">) {
  return async (kind: string, payload: object, options: object): Promise<string> => {
    const text = "SELECT millrace.submit($1, $2::json, $3::json) AS id";
    const { rows } = await pool.query(text, [kind, JSON.stringify(payload), JSON.stringify(options)]);
    return rows[0].id;
  };
}

/** Until the job waits for something of this type. */
function waits(millrace: Millrace, jobId: string, type: string): Promise<unknown> {
  return until(`it waits for a ${type}`, async () =>
    (await millrace.find(jobId))?.waitsFor?.some((wait) => wait.type === type),
  );
}

let users = 0;

/** It may do what submissions needed before there were followers. */
async function limitedUser(pool: pg.Pool): Promise<string> {
  const user = `submitter_${process.pid}_${++users}`;
  await pool.query(`CREATE ROLE ${user}`);
  await pool.query(`GRANT USAGE ON SCHEMA millrace TO ${user}`);
  await pool.query(`GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA millrace TO ${user}`);
  await pool.query(`GRANT USAGE ON ALL SEQUENCES IN SCHEMA millrace TO ${user}`);
  await pool.query(`REVOKE ALL ON millrace.follower_caller FROM ${user}`);
  return user;
}
