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

const payload = z.object({ order: z.number() });
/** Without a key, so that SQL needs no option for it. */
const pay = defineKind({ name: "pay", payload, run: (_ctx, { order }) => ({ paid: order }) });
const report = defineKind({
  name: "report",
  payload,
  uniqueKey: () => "r",
  ifUnique: "join",
  deadlineMs: 90_000,
  run() {},
});
const soon = defineKind({ name: "soon", payload, debounce: { key: () => "d", waitMs: 100 }, run() {} });
const rare = defineKind({ name: "rare", payload, throttle: { key: () => "t", perMs: 100 }, run() {} });
const kinds = [charge, pay, report, soon, rare];

describe("SELECT millrace.submit(kind, payload, options)", () => {
  test("returns the id of a job that runs after the commit, with text, json and jsonb", async (t) => {
    const { millrace, pool } = await openShop(t, { kinds });
    const calls = [
      `millrace.submit('pay', '{"order": 1}')`,
      `millrace.submit('pay', json_build_object('order', 2), '{"tags": ["a"]}')`,
      `millrace.submit('pay', jsonb_build_object('order', 3))`,
    ];
    for (const [i, call] of calls.entries()) {
      const { rows } = await pool.query(`SELECT ${call} AS id`);
      assert.deepEqual(await millrace.job(rows[0].id).wait(), { paid: i + 1 });
    }
  });

  test("gives the same ids as the engine, for any key", async (t) => {
    const { millrace, pool } = await openShop(t, { kinds, work: false });
    for (const key of [1, 2, 62, 99_999, 2 ** 31, 2 ** 40 + 12_345]) {
      await pool.query("SELECT setval('millrace.job_key', $1, false)", [key]);
      const { rows } = await pool.query(`SELECT millrace.submit('pay', '{"order": ${key % 1_000}}') AS id`);
      assert.deepEqual((await millrace.find(rows[0].id))?.payload, { order: key % 1_000 });
    }
  });

  test("is part of a trigger's transaction", async (t) => {
    const { millrace, pool } = await openShop(t, { kinds, work: false });
    await pool.query(`CREATE FUNCTION on_order() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM millrace.submit('pay', json_build_object('order', NEW.id)); RETURN NEW; END $$`);
    await pool.query('CREATE TRIGGER charged AFTER INSERT ON public."order" FOR EACH ROW EXECUTE FUNCTION on_order()');
    await pool.query('INSERT INTO public."order" VALUES (1), (2)');
    await pool.query('BEGIN; INSERT INTO public."order" VALUES (3); ROLLBACK');
    assert.equal(await millrace.count({ kind: "pay" }), 2);
  });

  test("takes the options of a submission, and refuses unknown ones", async (t) => {
    const { millrace, pool } = await openShop(t, { kinds, work: false });
    const options = {
      tenant: "acme",
      priority: 3,
      delayMs: 60_000,
      maxAttempts: 7,
      deadlineMs: 90_000,
      tags: ["x"],
      traceId: "t-1",
    };
    const submit = "SELECT millrace.submit('pay', $1::text, $2::text) AS id";
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

  test("takes whole numbers as PostgreSQL and Python write them", async (t) => {
    const { millrace, pool } = await openShop(t, { kinds, work: false });
    const options =
      "jsonb_build_object('delayMs', extract(epoch FROM interval '1 min') * 1000, 'priority', 5.0, 'maxAttempts', 7.00)";
    const { rows } = await pool.query(`SELECT millrace.submit('pay', '{"order": 1}', ${options}::json) AS id`);
    const view = await millrace.job(rows[0].id).view();
    assert.deepEqual([view?.priority, view?.maxAttempts], [5, 7]);
    assert.equal(Date.parse(view?.runAt as string) - Date.parse(view?.createdAt as string), 60_000);
  });

  test("refuses values that the engine refuses, in the same words, and writes nothing", async (t) => {
    const { millrace, pool } = await openShop(t, { kinds, work: false });
    const refusals: [options: object, message: RegExp][] = [
      [{ priority: 1_000_001 }, /^priority must be a whole number from -1000000 to 1000000\.$/],
      [{ priority: 1.5 }, /^priority must be a whole number from -1000000 to 1000000\.$/],
      [{ maxAttempts: 0 }, /^maxAttempts must be a whole number from 1 to 1000\.$/],
      [{ delayMs: 1e18 }, /^delayMs must be a whole number from 0 to 316224000000\.$/],
      [{ timeoutMs: 0 }, /^timeoutMs must be a whole number from 1 to 31622400000\.$/],
      [{ expiresInMs: -1 }, /^expiresInMs must be a whole number from 1 to 316224000000\.$/],
      [{ deadlineMs: 0 }, /^deadlineMs must be a whole number from 1 to 316224000000\.$/],
      [
        { tags: Array.from({ length: 21 }, (_, i) => `t${i}`) },
        /^tags must be .*at most 20 strings of 1 to 64 characters each\.$/,
      ],
      [{ tags: [""] }, /^tags must be .*at most 20 strings of 1 to 64 characters each\.$/],
      [{ traceId: "a b" }, /^traceId must be a string of 1 to 128 letters, digits or \. : \/ - _\.$/],
      [{ traceParent: "00-1-1-01" }, /^traceParent must be a W3C traceparent/],
      [{ uniqueKey: "" }, /^uniqueKey must be a string of 1 to 255 characters\.$/],
      [{ uniqueKey: "x".repeat(256) }, /^uniqueKey must be a string of 1 to 255 characters\.$/],
    ];
    const submit = (options: unknown) =>
      pool.query("SELECT millrace.submit('pay', '{\"order\": 1}', $1::text)", [JSON.stringify(options)]);
    for (const [options, message] of refusals) {
      await assert.rejects(millrace.submit(pay, { order: 1 }, options), { message }, JSON.stringify(options));
      await assert.rejects(submit(options), { code: "22023", message }, JSON.stringify(options));
    }
    // What the compiler refuses in TypeScript.
    for (const tags of ["x", { a: 1 }, [1]]) await assert.rejects(submit({ tags }), { message: /^tags must be/ });
    for (const uniqueKey of [5, {}])
      await assert.rejects(submit({ uniqueKey }), { message: "uniqueKey must be a string." });
    await assert.rejects(submit({ idempotencyKey: "" }), /^error: idempotencyKey must be a string of 1 to 255/);
    await assert.rejects(submit({ runAt: "infinity" }), /runAt must be a time from 1970/);
    await assert.rejects(submit({ runAt: "280000-01-01" }), /runAt must be a time from 1970/);
    await assert.rejects(submit({ runAt: "2030-01-01", delayMs: 1 }), /Pass runAt or delayMs, not both/);
    for (const options of [[], "x", 1]) await assert.rejects(submit(options), /The options must be a JSON object/);
    await assert.rejects(pool.query("SELECT millrace.submit('pay', NULL::text)"), /The payload is missing/);
    assert.equal(await millrace.count(), 0);
  });

  test("takes null as a missing option, and a trace", async (t) => {
    const { millrace, pool } = await openShop(t, { kinds, work: false });
    const traceParent = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;
    const options = {
      traceParent,
      tags: null,
      priority: null,
      runAt: null,
      ifUnique: null,
      uniqueKey: null,
      tenant: null,
    };
    const { rows } = await pool.query("SELECT millrace.submit('pay', '{\"order\": 1}', $1::text) AS id", [
      JSON.stringify(options),
    ]);
    const view = await millrace.find(rows[0].id);
    assert.deepEqual([view?.traceId, view?.tags, view?.priority, view?.tenant], ["a".repeat(32), [], 0, "default"]);
  });

  test("follows the rules of the kind, and needs the keys that its functions compute", async (t) => {
    const { millrace, pool } = await openShop(t, { kinds });
    const submit = async (kind: string, options: object) => {
      const text = "SELECT millrace.submit($1::text, '{\"order\": 1}', $2::text) AS id";
      return (await pool.query(text, [kind, JSON.stringify({ delayMs: 60_000, ...options })])).rows[0].id;
    };
    await assert.rejects(submit("report", {}), { message: 'Jobs of the kind "report" need the option "uniqueKey".' });
    const id = await submit("report", { uniqueKey: "r" });
    assert.equal(await submit("report", { uniqueKey: "r" }), id, "the kind joins");
    const view = await millrace.find(id);
    assert.equal(Date.parse(view?.deadlineAt as string) - Date.parse(view?.createdAt as string), 90_000);
    await assert.rejects(submit("soon", {}), /"soon" cannot be submitted in SQL, because the kind is debounced\./);
    await assert.rejects(submit("rare", {}), /"rare" cannot be submitted in SQL, because the kind is throttled\./);
    assert.equal(await millrace.count(), 1);
  });

  test("counts for the rate of a tenant", async (t) => {
    const { millrace, pool } = await openShop(t, { kinds, work: false });
    await millrace.limits.setTenant("acme", { rate: { count: 1, perMs: 60_000 } });
    await pool.query(`SELECT millrace.submit('pay', '{"order": 1}', '{"tenant": "acme"}')`);
    await assert.rejects(millrace.submit(pay, { order: 2 }, { tenant: "acme" }), { code: "rate-limited" });
  });

  test("runs none of its caller's code with the rights of its owner", async (t) => {
    const { pool, url } = await openShop(t, { kinds, work: false });
    const role = `attacker_${new URL(url).pathname.slice(1)}`;
    await pool.query(`CREATE ROLE ${role}`);
    await pool.query(`GRANT USAGE ON SCHEMA millrace TO ${role}`);
    // A domain in the caller's temporary schema, with a check that says whose rights it has.
    const spies = ["text", "jsonb", "timestamptz", "bytea", "numeric"].map(
      (type) => `CREATE FUNCTION pg_temp.spy(pg_catalog.${type}) RETURNS boolean LANGUAGE plpgsql AS $$
        BEGIN RAISE NOTICE 'runs as %', current_user; RETURN true; END $$;
        CREATE DOMAIN pg_temp.${type} AS pg_catalog.${type} CHECK (pg_temp.spy(VALUE));`,
    );
    const options = { runAt: "2030-01-01", uniqueKey: "u", idempotencyKey: "i", tags: ["a"], traceId: "t" };
    const ranAs: (string | undefined)[] = [];
    const client = await pool.connect();
    try {
      client.on("notice", ({ message }) => ranAs.push(message));
      await client.query(`SET ROLE ${role}; ${spies.join("\n")}`);
      await client.query(
        `SELECT millrace.submit('pay', '{"order": 1}'::pg_catalog.json, '${JSON.stringify(options)}'::pg_catalog.json)`,
      );
    } finally {
      client.release(true);
    }
    await pool.query(`DROP OWNED BY ${role} CASCADE; DROP ROLE ${role}`);
    assert.deepEqual(
      ranAs.filter((message) => message !== `runs as ${role}`),
      [],
    );
  });

  test("a unique key raises unique_violation or joins, and is the key of the engine's own submissions", async (t) => {
    const { millrace, pool } = await openShop(t, { kinds, work: false });
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
    const { pool } = await openShop(t, { kinds, work: false });
    const submit = (payload: string) =>
      pool.query("SELECT millrace.submit('pay', $1::text, '{\"idempotencyKey\": \"k\"}') AS id", [payload]);
    const { rows } = await submit('{"order": 1}');
    assert.deepEqual((await submit('{ "order": 1 }')).rows, rows);
    await assert.rejects(submit('{"order": 2}'), { code: "23505" });
  });

  test("a payload that does not fit the schema becomes a dead letter that says why", async (t) => {
    const { millrace, pool } = await openShop(t, { kinds });
    const { rows } = await pool.query("SELECT millrace.submit('pay', '{\"order\": \"x\"}') AS id");
    const ended = await millrace.wait(rows[0].id);
    assert.equal(ended.status, "failed");
    assert.match(JSON.stringify(ended.error), /order/);
  });

  test("needs no rights on tables", async (t) => {
    const { pool, url, millrace } = await openShop(t, { kinds, work: false });
    const role = `caller_${new URL(url).pathname.slice(1)}`;
    await pool.query(`CREATE ROLE ${role}`);
    await pool.query(`GRANT USAGE ON SCHEMA millrace TO ${role}`);
    await pool.query(`BEGIN; SET LOCAL ROLE ${role}; SELECT millrace.submit('pay', '{"order": 1}'); COMMIT`);
    await pool.query(`REVOKE ALL ON SCHEMA millrace FROM ${role}`);
    await pool.query(`DROP ROLE ${role}`);
    assert.equal(await millrace.count(), 1);
  });

  test("a job of a kind that only a contract names starts with the first worker", async (t) => {
    const { pool, url } = await openShop(t, { kinds, work: false });
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
