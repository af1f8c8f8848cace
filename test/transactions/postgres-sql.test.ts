// runtimes: bun or node
// millrace.submit() in SQL, for triggers and other languages.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { defineKind, Millrace, postgres } from "millrace";
import { z } from "zod";
import { removeDatabasesAfterwards } from "../support/postgres.ts";
import { charge } from "./support/kinds.ts";
import { openShop } from "./support/shop.ts";

removeDatabasesAfterwards();

describe("SELECT millrace.submit(kind, payload, options)", () => {
  test("returns the id of a job that runs after the commit, with text, json and jsonb", async (t) => {
    const { millrace, pool } = await openShop(t);
    const calls = [
      `millrace.submit('charge', '{"order": 1}')`,
      `millrace.submit('charge', json_build_object('order', 2), '{"tags": ["a"]}')`,
      `millrace.submit('charge', jsonb_build_object('order', 3))`,
    ];
    for (const [i, call] of calls.entries()) {
      const { rows } = await pool.query(`SELECT ${call} AS id`);
      assert.deepEqual(await millrace.job(rows[0].id).wait(), { charged: i + 1 });
    }
  });

  test("gives the same ids as the engine, for any key", async (t) => {
    const { millrace, pool } = await openShop(t, { work: false });
    for (const key of [1, 2, 62, 99_999, 2 ** 31, 2 ** 40 + 12_345]) {
      await pool.query("SELECT setval('millrace.job_key', $1, false)", [key]);
      const { rows } = await pool.query(`SELECT millrace.submit('charge', '{"order": ${key % 1_000}}') AS id`);
      assert.deepEqual((await millrace.find(rows[0].id))?.payload, { order: key % 1_000 });
    }
  });

  test("is part of a trigger's transaction", async (t) => {
    const { millrace, pool } = await openShop(t, { work: false });
    await pool.query(`CREATE FUNCTION on_order() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM millrace.submit('charge', json_build_object('order', NEW.id)); RETURN NEW; END $$`);
    await pool.query('CREATE TRIGGER charged AFTER INSERT ON public."order" FOR EACH ROW EXECUTE FUNCTION on_order()');
    await pool.query('INSERT INTO public."order" VALUES (1), (2)');
    await pool.query('BEGIN; INSERT INTO public."order" VALUES (3); ROLLBACK');
    assert.equal(await millrace.count({ kind: "charge" }), 2);
  });

  test("takes the options of a submission, and refuses unknown ones", async (t) => {
    const { millrace, pool } = await openShop(t, { work: false });
    const options = {
      tenant: "acme",
      priority: 3,
      delayMs: 60_000,
      maxAttempts: 7,
      deadlineMs: 90_000,
      tags: ["x"],
      traceId: "t-1",
    };
    const submit = "SELECT millrace.submit('charge', $1::text, $2::text) AS id";
    const { rows } = await pool.query(submit, ['{"order": 1}', JSON.stringify(options)]);
    const view = await millrace.find(rows[0].id);
    assert.deepEqual(
      [view?.tenant, view?.priority, view?.maxAttempts, view?.tags, view?.traceId],
      ["acme", 3, 7, ["x"], "t-1"],
    );
    assert.equal(Date.parse(view?.deadlineAt as string) - Date.parse(view?.createdAt as string), 90_000);
    await assert.rejects(pool.query(submit, ["{}", '{"prio": 1}']), /Unknown option "prio"/);
    await assert.rejects(pool.query(submit, ["{}", '{"tenant": "a b"}']), /Invalid tenant name/);
    await assert.rejects(pool.query("SELECT millrace.submit('nothing', '{}')"), /Unknown kind "nothing"/);
    assert.equal(await millrace.count(), 1);
  });

  test("a unique key raises unique_violation or joins, and is the key of the engine's own submissions", async (t) => {
    const { millrace, pool } = await openShop(t, { work: false });
    const submit = (options: object) =>
      pool.query("SELECT millrace.submit('charge', '{\"order\": -1}', $1::text) AS id", [JSON.stringify(options)]);
    const { rows } = await submit({ uniqueKey: "o-1" });
    await assert.rejects(submit({ uniqueKey: "o-1" }), { code: "23505", detail: rows[0].id });
    assert.deepEqual((await submit({ uniqueKey: "o-1", ifUnique: "join" })).rows, rows);
    await assert.rejects(millrace.submit(charge, { order: -1 }), { code: "already-queued" });
    assert.equal(await millrace.abandon(rows[0].id, "not needed"), false, "another submission joined it");
    await millrace.cancel(rows[0].id);
    await millrace.submit(charge, { order: -1 });
  });

  test("an idempotency key returns the first id again, and refuses another body", async (t) => {
    const { pool } = await openShop(t, { work: false });
    const submit = (payload: string) =>
      pool.query("SELECT millrace.submit('charge', $1::text, '{\"idempotencyKey\": \"k\"}') AS id", [payload]);
    const { rows } = await submit('{"order": 1}');
    assert.deepEqual((await submit('{ "order": 1 }')).rows, rows);
    await assert.rejects(submit('{"order": 2}'), { code: "23505" });
  });

  test("a payload that does not fit the schema becomes a dead letter that says why", async (t) => {
    const { millrace, pool } = await openShop(t);
    const { rows } = await pool.query("SELECT millrace.submit('charge', '{\"order\": \"x\"}') AS id");
    const ended = await millrace.wait(rows[0].id);
    assert.equal(ended.status, "failed");
    assert.match(JSON.stringify(ended.error), /order/);
  });

  test("needs no rights on tables", async (t) => {
    const { pool, url, millrace } = await openShop(t, { work: false });
    const role = `caller_${new URL(url).pathname.slice(1)}`;
    await pool.query(`CREATE ROLE ${role}`);
    await pool.query(`GRANT USAGE ON SCHEMA millrace TO ${role}`);
    await pool.query(`BEGIN; SET LOCAL ROLE ${role}; SELECT millrace.submit('charge', '{"order": 1}'); COMMIT`);
    await pool.query(`REVOKE ALL ON SCHEMA millrace FROM ${role}`);
    await pool.query(`DROP ROLE ${role}`);
    assert.equal(await millrace.count(), 1);
  });

  test("a job of a kind that only a contract names starts with the first worker", async (t) => {
    const { pool, url } = await openShop(t, { work: false });
    const contract = defineKind({ name: "later", payload: z.object({ n: z.number() }), result: z.number() });
    const web = await Millrace.open({ store: postgres(url), kinds: [contract], log: false, work: false });
    t.after(() => web.stop());
    const { rows } = await pool.query(`SELECT millrace.submit('later', '{"n": 4}') AS id`);
    const later = defineKind({ name: "later", payload: z.object({ n: z.number() }), run: (_ctx, { n }) => n * 2 });
    const worker = await Millrace.open({ store: postgres(url), kinds: [later], log: false });
    t.after(() => worker.stop());
    assert.equal(await web.job(rows[0].id).wait(), 8);
  });
});
