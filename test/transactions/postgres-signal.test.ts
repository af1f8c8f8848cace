// runtimes: bun or node
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Millrace } from "millrace";
import { removeDatabasesAfterwards } from "../support/postgres.ts";
import { until } from "../support/until.ts";
import { INSERT_ORDER, parcel } from "./support/kinds.ts";
import { begin, end, openShop } from "./support/shop.ts";

removeDatabasesAfterwards();

/** A parcel that waits for its payment. */
async function waitingParcel(millrace: Millrace, order = 1): Promise<string> {
  const { id } = await millrace.submit(parcel, { order });
  await until("the job waits", async () => ((await millrace.find(id))?.waitsFor ?? []).length > 0);
  return id;
}

const amountOf = async (millrace: Millrace, id: string) =>
  ((await millrace.job(parcel, id).wait()) as { amount?: number }).amount;
const signalsOf = async (millrace: Millrace, id: string) =>
  (await millrace.signals(id)).map(({ value, state }) => [(value as { amount: number }).amount, state]);

describe("a signal in the caller's transaction", () => {
  test("exists if and only if the transaction commits, and wakes the job that waits for it", async (t) => {
    const { millrace, pool } = await openShop(t);
    const id = await waitingParcel(millrace);
    const dropped = await begin(pool);
    const receipt = await millrace.within(dropped).signal(parcel, id, "paid", { amount: 1 });
    assert.deepEqual(receipt, { jobId: id, submitted: false, repeated: false });
    await end(dropped, "ROLLBACK");
    const kept = await begin(pool);
    await kept.query(INSERT_ORDER, [1]);
    await millrace.within(kept).signal(parcel, { uniqueKey: "p1" }, "paid", { amount: 2 }, { by: "shop" });
    assert.deepEqual(await millrace.signals(id), []);
    await end(kept, "COMMIT");
    assert.equal(await amountOf(millrace, id), 2);
    assert.deepEqual(
      (await millrace.signals(id)).map(({ by, state }) => [by, state]),
      [["shop", "taken"]],
    );
  });

  test("is dropped by a rollback to a savepoint", async (t) => {
    const { millrace, pool } = await openShop(t);
    const id = await waitingParcel(millrace);
    const client = await begin(pool);
    await client.query("SAVEPOINT first");
    await millrace.within(client).signal(parcel, id, "paid", { amount: 1 });
    await client.query("ROLLBACK TO SAVEPOINT first");
    await client.query("SAVEPOINT second");
    await millrace.within(client).signal(parcel, id, "paid", { amount: 2 });
    await client.query("RELEASE SAVEPOINT second");
    await end(client, "COMMIT");
    assert.equal(await amountOf(millrace, id), 2);
    assert.deepEqual(await signalsOf(millrace, id), [[2, "taken"]]);
  });

  test("comes in the order of the commits", async (t) => {
    const { millrace, pool, open } = await openShop(t, { work: false });
    const { id } = await millrace.submit(parcel, { order: 1 });
    const [first, second] = [await begin(pool), await begin(pool)];
    await millrace.within(first).signal(parcel, id, "paid", { amount: 1 });
    await millrace.within(second).signal(parcel, id, "paid", { amount: 2 });
    await end(second, "COMMIT");
    const undelivered = async () => (await pool.query("SELECT 1 FROM millrace.signal_caller")).rows.length;
    await until("the signal is delivered", async () => (await undelivered()) === 0);
    await end(first, "COMMIT");
    await until("both are delivered", async () => {
      return (await undelivered()) === 0 && (await signalsOf(millrace, id)).length === 2;
    });
    assert.deepEqual(await signalsOf(millrace, id), [
      [2, "queued"],
      [1, "queued"],
    ]);
    assert.equal(await amountOf(await open(), id), 2);
  });

  test("is delivered at once after transaction()", async (t) => {
    const { millrace, pool } = await openShop(t, { work: false });
    const { id } = await millrace.submit(parcel, { order: 1 });
    await millrace.transaction(pool, async (_tx, jobs) => {
      await jobs.signal(parcel, id, "paid", { amount: 3 });
    });
    const { rows } = await pool.query("SELECT value FROM millrace.signal");
    assert.deepEqual(rows, [{ value: '{"amount":3}' }]);
  });

  for (const isolation of ["READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"]) {
    test(`works under ${isolation}, also for a job that is newer than the snapshot`, async (t) => {
      const { millrace, pool } = await openShop(t);
      const client = await begin(pool, isolation);
      await client.query("SELECT 1 FROM pg_class LIMIT 1");
      const id = await waitingParcel(millrace);
      await millrace.within(client).signal(parcel, { uniqueKey: "p1" }, "paid", { amount: 4 });
      await end(client, "COMMIT");
      assert.equal(await amountOf(millrace, id), 4);
    });
  }

  test("reaches a job that the same transaction has submitted", async (t) => {
    const { millrace, pool } = await openShop(t);
    const client = await begin(pool);
    const jobs = millrace.within(client);
    const { id } = await jobs.submit(parcel, { order: 1 });
    assert.equal((await jobs.signal(parcel, id, "paid", { amount: 5 }, { idempotencyKey: "k" })).jobId, id);
    const again = await jobs.signal(parcel, { uniqueKey: "p1" }, "paid", { amount: 5 }, { idempotencyKey: "k" });
    assert.deepEqual(again, { jobId: id, submitted: false, repeated: true });
    await end(client, "COMMIT");
    assert.equal(await amountOf(millrace, id), 5);
    assert.deepEqual(await signalsOf(millrace, id), [[5, "taken"]]);
  });

  test("with orSubmit submits the job with it, or signals the job that is there", async (t) => {
    const { millrace, pool } = await openShop(t);
    const target = { uniqueKey: "p7", orSubmit: { order: 7 } };
    const dropped = await begin(pool);
    const lost = await millrace.within(dropped).signal(parcel, target, "paid", { amount: 1 });
    assert.equal(lost.submitted, true);
    await end(dropped, "ROLLBACK");
    assert.equal(await millrace.find(lost.jobId), undefined);

    const client = await begin(pool);
    const { jobId, submitted } = await millrace.within(client).signal(parcel, target, "paid", { amount: 2 });
    assert.equal(submitted, true);
    const second = await millrace.within(client).signal(parcel, target, "paid", { amount: 3 });
    assert.deepEqual(second, { jobId, submitted: false, repeated: false });
    await end(client, "COMMIT");
    assert.equal(await amountOf(millrace, jobId), 2);

    const id = await waitingParcel(millrace, 8);
    const existing = await begin(pool);
    const found = { uniqueKey: "p8", orSubmit: { order: 8 } };
    const receipt = await millrace.within(existing).signal(parcel, found, "paid", { amount: 4 });
    assert.deepEqual(receipt, { jobId: id, submitted: false, repeated: false });
    await end(existing, "COMMIT");
    assert.equal(await amountOf(millrace, id), 4);
  });

  test("with an idempotency key reaches the job once, over transactions and plain signals", async (t) => {
    const { millrace, pool } = await openShop(t, { work: false });
    const { id } = await millrace.submit(parcel, { order: 1 });
    const options = { idempotencyKey: "webhook-1" };
    // Two transactions that do not see each other.
    const [first, second] = [await begin(pool), await begin(pool)];
    for (const client of [first, second]) {
      const receipt = await millrace.within(client).signal(parcel, id, "paid", { amount: 1 }, options);
      assert.equal(receipt.repeated, false);
    }
    await end(first, "COMMIT");
    await end(second, "COMMIT");
    assert.equal((await millrace.signal(parcel, id, "paid", { amount: 1 }, options)).repeated, true);
    const third = await begin(pool);
    assert.equal((await millrace.within(third).signal(parcel, id, "paid", { amount: 1 }, options)).repeated, true);
    await end(third, "COMMIT");
    const undelivered = async () => (await pool.query("SELECT 1 FROM millrace.signal_caller")).rows.length;
    await until("all are delivered", async () => (await undelivered()) === 0);
    assert.deepEqual(await signalsOf(millrace, id), [[1, "queued"]]);
  });
});

describe("no other work waits for the caller's transaction", () => {
  test("signals, claims and the end of the same job go on, and a job that ended keeps the signal set aside", async (t) => {
    const { millrace, pool } = await openShop(t);
    const id = await waitingParcel(millrace);
    const client = await begin(pool);
    await millrace.within(client).signal(parcel, id, "paid", { amount: 1 });
    await millrace.signal(parcel, id, "paid", { amount: 2 });
    assert.equal(await amountOf(millrace, id), 2);
    await end(client, "COMMIT");
    const late = async () => (await millrace.signals(id)).find(({ state }) => state === "set-aside");
    await until("the late signal is set aside", async () => (await late()) !== undefined);
    assert.match((await late())?.reason ?? "", /The job was completed/);
    // The job takes its signals along when it is deleted.
    await millrace.forget(id);
    assert.deepEqual(
      (await pool.query("SELECT 1 FROM millrace.signal UNION ALL SELECT 1 FROM millrace.signal_caller")).rows,
      [],
    );
  });

  test("a signal to a job that continues as new before or after the commit reaches its successor", async (t) => {
    const { millrace, pool } = await openShop(t);
    for (const isBefore of [true, false]) {
      const id = await waitingParcel(millrace, isBefore ? 1 : 2);
      const client = await begin(pool);
      const send = () => millrace.within(client).signal(parcel, id, "paid", { amount: 7 });
      if (isBefore) await send();
      await millrace.signal(parcel, id, "paid", { amount: 0 });
      await until("the job continued", async () => (await millrace.find(id))?.continuedAs !== undefined);
      if (!isBefore) await send();
      await end(client, "COMMIT");
      assert.equal(await amountOf(millrace, id), 7);
    }
  });

  test("a signal to a job that was deleted before the commit goes with the job", async (t) => {
    const { millrace, pool } = await openShop(t, { work: false });
    const { id } = await millrace.submit(parcel, { order: 1 });
    const client = await begin(pool);
    await millrace.within(client).signal(parcel, id, "paid", { amount: 1 });
    await millrace.cancel(id);
    await millrace.forget(id);
    await end(client, "COMMIT");
    const rows = async () =>
      (await pool.query("SELECT 1 FROM millrace.signal UNION ALL SELECT 1 FROM millrace.signal_caller")).rows;
    await until("no row is left", async () => (await rows()).length === 0);
  });

  test("the transaction locks no row that was there before, and its session settings stay", async (t) => {
    const { millrace, pool } = await openShop(t, { work: false });
    const { id } = await millrace.submit(parcel, { order: 1 });
    const client = await begin(pool);
    const settings = async () =>
      (await client.query("SELECT name, setting FROM pg_settings WHERE source = 'session' ORDER BY name")).rows;
    const before = await settings();
    await millrace.within(client).signal(parcel, id, "paid", { amount: 1 });
    await millrace.within(client).signal(parcel, { uniqueKey: "p2", orSubmit: { order: 2 } }, "paid", { amount: 1 });
    assert.deepEqual(await settings(), before);
    for (const table of ["job", "lane", "kind", "tenant", "unique_key", "meta", "stage"]) {
      await pool.query(`SELECT 1 FROM millrace.${table} FOR UPDATE NOWAIT`);
    }
    await end(client, "ROLLBACK");
  });
});

describe("a signal that is refused leaves the transaction open and unchanged", () => {
  test("an invalid value, an unknown job, an ended job and a missing transaction", async (t) => {
    const { millrace, pool } = await openShop(t, { work: false });
    const { id } = await millrace.submit(parcel, { order: 1 });
    const ended = await millrace.submit(parcel, { order: 2 });
    await millrace.cancel(ended.id);
    const client = await begin(pool);
    const jobs = millrace.within(client);
    await assert.rejects(jobs.signal(parcel, id, "paid", { amount: "much" as never }), {
      code: "invalid-request",
      message: /Invalid value of the signal "paid"/,
    });
    await assert.rejects(jobs.signal(parcel, id, "paid", { amount: 1 }, { by: "a\0b" }), { code: "invalid-request" });
    await assert.rejects(jobs.signal(parcel, "job_00000000", "paid", { amount: 1 }), { code: "job-not-found" });
    await assert.rejects(jobs.signal(parcel, { uniqueKey: "none" }, "paid", { amount: 1 }), { code: "job-not-found" });
    await assert.rejects(jobs.signal(parcel, ended.id, "paid", { amount: 1 }), {
      code: "conflict",
      message: /cancelled/,
    });
    const wrong = { uniqueKey: "p3", orSubmit: { order: "x" as never } };
    await assert.rejects(jobs.signal(parcel, wrong, "paid", { amount: 1 }), { code: "invalid-request" });
    await client.query(INSERT_ORDER, [1]);
    await end(client, "COMMIT");
    await assert.rejects(millrace.within(pool).signal(parcel, id, "paid", { amount: 1 }), {
      code: "transaction-unusable",
      message: /No transaction is open/,
    });
    assert.deepEqual(await millrace.signals(id), []);
    assert.equal(await millrace.count(), 2);
  });

  test("another database and missing rights", async (t) => {
    const { millrace, pool, url } = await openShop(t, { work: false });
    const { id } = await millrace.submit(parcel, { order: 1 });
    const elsewhere = await openShop(t, { work: false });
    const foreign = await begin(elsewhere.pool);
    await assert.rejects(millrace.within(foreign).signal(parcel, id, "paid", { amount: 1 }), {
      message: /another database/,
    });
    await foreign.query("SELECT 1");
    await end(foreign, "COMMIT");
    const role = `clerk_${new URL(url).pathname.slice(1)}`;
    await pool.query(`CREATE ROLE ${role}`);
    t.after(() => elsewhere.pool.query(`DROP OWNED BY ${role}`).catch(() => {}));
    const clerk = await begin(pool);
    await clerk.query(`SET LOCAL ROLE ${role}`);
    await assert.rejects(millrace.within(clerk).signal(parcel, id, "paid", { amount: 1 }), {
      message: /lacks rights in the schema "millrace": .*signal_caller \(SELECT,INSERT\)/,
    });
    await clerk.query("SELECT 1");
    await end(clerk, "COMMIT");
    await pool.query(`DROP ROLE ${role}`);
  });

  test("more than a thousand signals that no wait has taken, and what overshoots in flight is set aside", async (t) => {
    const { millrace, pool } = await openShop(t, { work: false });
    const { id } = await millrace.submit(parcel, { order: 1 });
    const fill = `INSERT INTO millrace.signal (job, name, value, at) SELECT id, 'paid', '{"amount":0}', 0
      FROM millrace.job, generate_series(1, $1)`;
    await pool.query(fill, [999]);
    await pool.query("UPDATE millrace.job SET flags = flags | 2048");
    const [first, second] = [await begin(pool), await begin(pool)];
    await millrace.within(first).signal(parcel, id, "paid", { amount: 1 });
    await assert.rejects(millrace.within(first).signal(parcel, id, "paid", { amount: 2 }), {
      code: "too-many-signals",
    });
    await millrace.within(second).signal(parcel, id, "paid", { amount: 3 });
    await end(first, "COMMIT");
    await end(second, "COMMIT");
    const last = async () => (await signalsOf(millrace, id)).slice(999);
    await until("both are delivered", async () => (await last()).some(([, state]) => state === "set-aside"));
    assert.deepEqual(await last(), [
      [1, "queued"],
      [3, "set-aside"],
    ]);
  });

  test("an ended job whose unique key an old snapshot shows is a conflict that can be retried", async (t) => {
    const { millrace, pool } = await openShop(t, { work: false });
    const { id } = await millrace.submit(parcel, { order: 1 });
    const client = await begin(pool, "REPEATABLE READ");
    await client.query("SELECT 1 FROM pg_class LIMIT 1");
    await millrace.cancel(id);
    const target = { uniqueKey: "p1", orSubmit: { order: 1 } };
    await assert.rejects(millrace.within(client).signal(parcel, target, "paid", { amount: 1 }), {
      code: "transaction-conflict",
      details: { retryable: true },
    });
    await end(client, "ROLLBACK");
    const again = await begin(pool, "REPEATABLE READ");
    assert.equal((await millrace.within(again).signal(parcel, target, "paid", { amount: 1 })).submitted, true);
    await end(again, "COMMIT");
  });
});

test("a user with the rights of the guide can submit with keys and limits, and signal", async (t) => {
  const { millrace, pool, url } = await openShop(t, { work: false, queueMax: 50, maxNewJobsPerMinute: 50 });
  const { id } = await millrace.submit(parcel, { order: 1 });
  const role = `guide_${new URL(url).pathname.slice(1)}`;
  await pool.query(`CREATE ROLE ${role}`);
  await pool.query(`GRANT USAGE ON SCHEMA millrace TO ${role}`);
  await pool.query(`GRANT USAGE ON SEQUENCE millrace.job_key TO ${role}`);
  const read = ["meta", "bundle", "window_entry"];
  const written = ["job", "joined", "unique_key", "idempotency", "window_caller", "signal", "signal_caller"];
  for (const table of [...read, ...written]) await pool.query(`GRANT SELECT ON millrace.${table} TO ${role}`);
  for (const table of written) await pool.query(`GRANT INSERT ON millrace.${table} TO ${role}`);
  await pool.query(`GRANT UPDATE ON millrace.idempotency TO ${role}`);
  const client = await begin(pool);
  await client.query(`SET LOCAL ROLE ${role}`);
  const jobs = millrace.within(client);
  await jobs.submit(parcel, { order: 2 }, { idempotencyKey: "k" });
  await jobs.signal(parcel, id, "paid", { amount: 1 }, { idempotencyKey: "s" });
  const target = { uniqueKey: "p3", orSubmit: { order: 3 } };
  assert.equal((await jobs.signal(parcel, target, "paid", { amount: 1 })).submitted, true);
  await end(client, "COMMIT");
  assert.equal(await millrace.count(), 3);
  await pool.query(`DROP OWNED BY ${role}`);
  await pool.query(`DROP ROLE ${role}`);
});
