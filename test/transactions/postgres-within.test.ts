// runtimes: bun or node
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import pg from "pg";
import { removeDatabasesAfterwards } from "../support/postgres.ts";
import { rounds } from "../support/torture.ts";
import { until } from "../support/until.ts";
import { charge, INSERT_ORDER } from "./support/kinds.ts";
import { begin, end, openShop } from "./support/shop.ts";

removeDatabasesAfterwards();

const CALLERS = 50;
/** How long a transaction stays open before its commit is noticed. */
const HELD_SECONDS = rounds("HELD_SECONDS", 1.5, 31);

describe("a job submitted in the caller's transaction", () => {
  test("exists if and only if the transaction commits", async (t) => {
    const { millrace, pool, orders } = await openShop(t);
    const kept = await begin(pool);
    await kept.query(INSERT_ORDER, [1]);
    const receipt = await millrace.within(kept).submit(charge, { order: 1 });
    assert.deepEqual({ ...receipt, id: typeof receipt.id }, { id: "string", accepted: "new", replayed: false });
    assert.equal(await millrace.find(receipt.id), undefined);
    await end(kept, "COMMIT");

    const dropped = await begin(pool);
    await dropped.query(INSERT_ORDER, [2]);
    const lost = await millrace.within(dropped).submit(charge, { order: 2 });
    await end(dropped, "ROLLBACK");

    assert.deepEqual(await millrace.job(receipt.id).wait(), { charged: 1 });
    assert.equal(await millrace.find(lost.id), undefined);
    assert.deepEqual(await orders(), [1]);
  });

  for (const isolation of ["REPEATABLE READ", "SERIALIZABLE"]) {
    test(`works under ${isolation}, also when the catalog changed after the snapshot`, async (t) => {
      const { millrace, pool, open } = await openShop(t);
      const client = await begin(pool, isolation);
      await client.query(INSERT_ORDER, [1]);
      // It registers its kinds, which the snapshot cannot see.
      await open();
      const { id } = await millrace.within(client).submit(charge, { order: 1 });
      await end(client, "COMMIT");
      assert.deepEqual(await millrace.job(id).wait(), { charged: 1 });
    });
  }

  test("counts for a tenant's own rate until its period is over", async (t) => {
    const { millrace, pool } = await openShop(t, { work: false });
    await millrace.limits.setTenant("acme", { rate: { count: 1, perMs: 3_600_000 } });
    const client = await begin(pool);
    await millrace.within(client).submit(charge, { order: 1 }, { tenant: "acme" });
    await end(client, "COMMIT");
    await pool.query("UPDATE millrace.window_caller SET at = at - 120_000");
    // An entry that no period reaches is deleted in the statement that would delete that of the job.
    await pool.query("INSERT INTO millrace.window_caller (owner, at, count) VALUES (0, 0, 1)");
    await until("old entries are deleted", async () => {
      const { rows } = await pool.query("SELECT 1 FROM millrace.window_caller WHERE owner = 0");
      return rows.length === 0;
    });
    await assert.rejects(millrace.submit(charge, { order: 2 }, { tenant: "acme" }), { code: "rate-limited" });
  });

  test("takes many payloads, all or none, and the options of every submission", async (t) => {
    const { millrace, pool } = await openShop(t, { work: false });
    const client = await begin(pool);
    const payloads = [1, 2, 3].map((order) => ({ order }));
    const receipts = await millrace
      .within(client)
      .submitMany(charge, payloads, { tags: ["a"], priority: 2, delayMs: 60_000 });
    await end(client, "COMMIT");
    const views = await Promise.all(receipts.map(({ id }) => millrace.find(id)));
    assert.deepEqual(
      views.map((view) => [view?.payload, view?.tags, view?.priority]),
      payloads.map((each) => [each, ["a"], 2]),
    );
    assert.ok(views.every((view) => Date.parse(view?.runAt as string) > Date.now() + 30_000));
  });

  test("is announced by transaction(), which commits, or rolls back and throws", async (t) => {
    const { millrace, pool, orders } = await openShop(t);
    const id = await millrace.transaction(pool, async (tx, jobs) => {
      await tx.query(INSERT_ORDER, [1]);
      return (await jobs.submit(charge, { order: 1 })).id;
    });
    assert.deepEqual(await millrace.job(id).wait(), { charged: 1 });
    const failing = millrace.transaction(pool, async (tx, jobs) => {
      await tx.query(INSERT_ORDER, [2]);
      await jobs.submit(charge, { order: 2 });
      throw new Error("no");
    });
    await assert.rejects(failing, /no/);
    assert.deepEqual(await orders(), [1]);
    assert.equal(await millrace.count(), 1);
    assert.equal(pool.idleCount, pool.totalCount);
  });
});

describe("keys in the caller's transaction", () => {
  test("a unique key joins, refuses and frees as in any submission", async (t) => {
    const { millrace, pool } = await openShop(t, { work: false });
    const client = await begin(pool);
    const jobs = millrace.within(client);
    const first = await jobs.submit(charge, { order: -1 });
    await assert.rejects(jobs.submit(charge, { order: -1 }), { code: "already-queued" });
    // The refusal left the transaction as it was.
    await client.query(INSERT_ORDER, [1]);
    await end(client, "COMMIT");
    await assert.rejects(millrace.submit(charge, { order: -1 }), { code: "already-queued" });
    await millrace.cancel(first.id);
    await millrace.submit(charge, { order: -1 });
  });

  test("an idempotency key gives the first answer again, also to later transactions", async (t) => {
    const { millrace, pool } = await openShop(t, { work: false });
    const client = await begin(pool);
    const options = { idempotencyKey: "k" };
    const first = await millrace.within(client).submit(charge, { order: 1 }, options);
    assert.deepEqual(await millrace.within(client).submit(charge, { order: 1 }, options), { ...first, replayed: true });
    await end(client, "COMMIT");
    const again = await millrace.submit(charge, { order: 1 }, options);
    assert.equal(again.id, first.id);
    const second = await begin(pool);
    assert.deepEqual(await millrace.within(second).submit(charge, { order: 1 }, options), { ...first, replayed: true });
    await assert.rejects(millrace.within(second).submit(charge, { order: 2 }, options), {
      code: "idempotency-conflict",
    });
    await end(second, "ROLLBACK");
  });

  test("only submitters of the same key wait for the commit, and are refused after lockTimeoutMs", async (t) => {
    const { millrace, pool } = await openShop(t, { lockTimeoutMs: 300 });
    const client = await begin(pool);
    const first = await millrace.within(client).submit(charge, { order: -1 });
    const busy = assert.rejects(millrace.submit(charge, { order: -1 }), { code: "key-busy" });
    // Other submissions of this process, the claim and the settle of the same kind and tenant go on meanwhile.
    const others = await Promise.all([-2, -3, 4].map((order) => millrace.submit(charge, { order })));
    for (const job of others) await job.wait();
    await busy;
    await end(client, "ROLLBACK");
    const job = await millrace.submit(charge, { order: -1 });
    assert.notEqual(job.id, first.id);
  });

  test("others submit, claim and settle as fast as ever while 50 callers hold their transactions", async (t) => {
    const { millrace, pool, url } = await openShop(t);
    await millrace.submit(charge, { order: 0 }).then((job) => job.wait());
    const callers = new pg.Pool({ connectionString: url, max: CALLERS });
    t.after(() => callers.end());
    const open = await Promise.all(Array.from({ length: CALLERS }, () => begin(callers)));
    // Some take part in limits and keys, of the same kind and tenant as the others.
    await Promise.all(
      open.map((client, i) =>
        millrace.within(client).submit(charge, { order: i % 2 === 0 ? -1_000 - i : 1_000 + i }, { priority: i % 3 }),
      ),
    );
    for (let order = 1; order <= 20; order++) await millrace.submit(charge, { order }).then((job) => job.wait());
    // While the transactions are open, nothing waits for a lock of theirs.
    const { rows } = await pool.query(
      "SELECT query FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
    );
    assert.deepEqual(rows, []);
    const before = await millrace.count({ status: "completed" });
    await Promise.all(open.map((client, i) => end(client, i < CALLERS / 2 ? "COMMIT" : "ROLLBACK")));
    await until("the committed ones are done", async () => {
      return (await millrace.count({ status: "completed" })) === before + CALLERS / 2;
    });
    assert.equal(await millrace.count(), 21 + CALLERS / 2);
  });

  test("a submitter that waited for a commit finds the job of that commit", async (t) => {
    const { millrace, pool } = await openShop(t, { work: false });
    const client = await begin(pool);
    const first = await millrace.within(client).submit(charge, { order: 1 }, { idempotencyKey: "k" });
    const waiting = millrace.submit(charge, { order: 1 }, { idempotencyKey: "k" });
    await millrace.submit(charge, { order: 2 });
    await end(client, "COMMIT");
    assert.equal((await waiting).id, first.id);
  });
});

describe("a transaction that cannot be used is refused before anything is written", () => {
  test("none is open: a pool, or a client without BEGIN", async (t) => {
    const { millrace, pool } = await openShop(t, { work: false });
    const refused = { code: "transaction-unusable", message: /No transaction is open/ };
    await assert.rejects(millrace.within(pool).submit(charge, { order: 1 }), refused);
    const client = await pool.connect();
    await assert.rejects(millrace.within(client).submit(charge, { order: 1 }), refused);
    client.release();
    await assert.rejects(millrace.within({} as never).submit(charge, { order: 1 }), { code: "transaction-unusable" });
    assert.equal(await millrace.count(), 0);
  });

  test("another database, a read-only transaction and missing rights leave the transaction open", async (t) => {
    const { millrace, pool, url } = await openShop(t, { work: false });
    const elsewhere = await openShop(t, { work: false });
    const foreign = await begin(elsewhere.pool);
    await assert.rejects(millrace.within(foreign).submit(charge, { order: 1 }), { message: /another database/ });
    await foreign.query("SELECT 1");
    await end(foreign, "COMMIT");
    const reading = await pool.connect();
    await reading.query("BEGIN READ ONLY");
    await assert.rejects(millrace.within(reading).submit(charge, { order: 1 }), { message: /read-only/ });
    await end(reading, "COMMIT");
    const role = `clerk_${new URL(url).pathname.slice(1)}`;
    await pool.query(`CREATE ROLE ${role}`);
    const clerk = await begin(pool);
    await clerk.query(`SET LOCAL ROLE ${role}`);
    await assert.rejects(millrace.within(clerk).submit(charge, { order: 1 }), {
      message: /lacks rights in the schema "millrace"/,
    });
    await clerk.query("SELECT 1");
    await end(clerk, "COMMIT");
    await pool.query(`DROP ROLE ${role}`);
    assert.equal(await millrace.count(), 0);
  });

  test("an invalid payload and an unknown kind leave it open", async (t) => {
    const { millrace, pool } = await openShop(t, { work: false });
    const client = await begin(pool);
    await assert.rejects(millrace.within(client).submit(charge, { order: "x" as never }), { code: "invalid-request" });
    await client.query(INSERT_ORDER, [1]);
    await end(client, "COMMIT");
  });

  test("the caller's session settings stay as they are", async (t) => {
    const { millrace, pool } = await openShop(t, { work: false });
    const client = await begin(pool);
    const settings = async () =>
      (await client.query("SELECT name, setting FROM pg_settings WHERE source = 'session' ORDER BY name")).rows;
    await client.query("SET LOCAL lock_timeout = '7s'");
    const before = await settings();
    await millrace.within(client).submit(charge, { order: -1 }, { idempotencyKey: "k" });
    assert.deepEqual(await settings(), before);
    await end(client, "COMMIT");
  });

  test("a conflict of PostgreSQL is an error that says to run the transaction again", async (t) => {
    const { millrace, pool } = await openShop(t, { work: false });
    const client = await begin(pool, "REPEATABLE READ");
    await client.query("SELECT 1 FROM pg_class LIMIT 1");
    // Committed after the snapshot, so the transaction neither sees it nor waits for it.
    await millrace.submit(charge, { order: -1 });
    await assert.rejects(millrace.within(client).submit(charge, { order: -1 }), {
      code: "transaction-conflict",
      details: { retryable: true, sqlState: "23505" },
    });
    await end(client, "ROLLBACK");
  });
});

test("a commit is noticed by the workers within moments, without being announced", async (t) => {
  const { millrace, pool } = await openShop(t);
  // The pool is at rest: nothing was submitted for a while.
  await (await millrace.submit(charge, { order: 1 })).wait();
  const client = await begin(pool);
  const { id } = await millrace.within(client).submit(charge, { order: 2 });
  await client.query(`SELECT pg_sleep(${HELD_SECONDS})`);
  await end(client, "COMMIT");
  await until("the job is done", async () => (await millrace.find(id))?.status === "completed");
});
