// runtimes: bun

import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import { z } from "zod";
import { defineKind, type Log, work } from "../../packages/millrace/src/index.ts";
import { cli } from "../support/cli.ts";
import { scaled } from "../support/slowness.ts";
import { until } from "../support/until.ts";
import { gate, withEngine } from "./support/engine.ts";

const order = defineKind({
  name: "order",
  payload: z.object({ id: z.string() }),
  result: z.object({ receipt: z.string() }),
});
const shipped = work(order)
  .stage("charge", { run: async (_ctx, { id }) => ({ paid: id }) })
  .stage("ship", { run: async (_ctx, { paid }) => ({ receipt: `for ${paid}` }) });
const NO_KINDS = { kinds: [] };

describe("a contract", () => {
  test("is all that a process needs which submits and waits; the work is elsewhere", async () => {
    await withEngine({ kinds: [order], work: false }, async ({ millrace: web, another }) => {
      const job = await web.submit(order, { id: "7" });
      const waiting = await web.find(job.id);
      assert.deepEqual([waiting?.stage, waiting?.status], [null, "pending"]);
      assert.deepEqual((await web.health()).unservedStages, [{ kind: "order", stage: null, jobs: 1 }]);
      await another({ kinds: [shipped], work: true });
      assert.deepEqual(await job.wait({ timeoutMs: scaled(10_000) }), { receipt: "for 7" });
      assert.equal((await web.submit(order, { id: "8" })).id.startsWith("job_"), true);
    });
  });

  test("given to a worker without its work says so in the log, and at the end of a wait", async () => {
    const lines: Record<string, unknown>[] = [];
    const warn = (event: string, fields: object) => lines.push({ event, ...fields });
    const log = { debug() {}, info() {}, warn, error: warn };
    await withEngine({ kinds: [order], log: log as never as Log }, async ({ millrace }) => {
      const job = await millrace.submit(order, { id: "7" });
      const hint = /No worker has ever served the kind "order".*pass work\(contract\)/;
      await assert.rejects(job.wait({ timeoutMs: 1 }), { code: "wait-timeout", hint });
      await until("it is logged", async () => {
        await millrace.tick();
        return lines.some(({ event, hint: said }) => event === "stage unserved" && hint.test(String(said)));
      });
    });
  });

  test("is kept by the last stage: another result fails the job for good, without a retry", async () => {
    let runs = 0;
    const wrong = work(order).stage("ship", { run: async () => ++runs as never });
    await withEngine({ kinds: [wrong] }, async ({ millrace }) => {
      const job = await millrace.submit(order, { id: "7" });
      await assert.rejects(job.wait({ timeoutMs: scaled(10_000) }), { code: "result-mismatch" });
      assert.equal(runs, 1);
    });
  });

  test("has the same unique keys as any kind", () => {
    const schemas = { payload: z.string(), result: z.string() };
    for (const ifUnique of ["join", "follow"] as const) {
      const contract = defineKind({ name: "a", ...schemas, uniqueKey: (id) => id, ifUnique });
      assert.equal(contract.ifUnique, ifUnique);
      assert.equal(work(contract).ifUnique, ifUnique);
    }
  });

  test("names its options: what belongs to the work is refused with the place to put it", () => {
    const wrong = { name: "a", payload: z.string(), result: z.string(), retention: { finishedMs: 1 } };
    assert.throws(() => defineKind(wrong as never), { code: "kind-invalid", message: /"retention".*contract "a"/ });
    assert.throws(
      () => work(defineKind({ name: "a", payload: z.string(), run: () => 1 }) as never),
      /takes a contract/,
    );
  });
});

test("a stage cannot be renamed from another stage of its kind, in either order", () => {
  const stage = { run: () => 1 };
  const kind = () => defineKind({ name: "mail", payload: z.number() });
  const message = /renamedFrom of "mail\/deliver" names "ship"/;
  assert.throws(
    () =>
      kind()
        .stage("deliver", { ...stage, renamedFrom: "ship" })
        .stage("ship", stage),
    { message },
  );
  assert.throws(
    () =>
      kind()
        .stage("ship", stage)
        .stage("deliver", { ...stage, renamedFrom: "ship" }),
    { message },
  );
});

describe("a rolling deploy", () => {
  test("lets jobs finish by the plan they got, and says when the old deployment is drained", async (t) => {
    const { opened, open } = gate();
    const old = defineKind({ name: "mail", payload: z.number() })
      .stage("write", { run: async () => opened })
      .stage("send", { run: async () => "sent" });
    const next = defineKind({ name: "mail", payload: z.number() }).stage("post", { run: async () => "posted" });
    await withEngine({ kinds: [old], deployment: "v1" }, async ({ millrace: v1, another, path }) => {
      const before = await v1.submit(old, 1);
      await until("the first stage runs", async () => (await v1.find(before.id))?.inProgress === true, scaled(10_000));
      const v2 = await another({ kinds: [next], deployment: "v2" });
      const after = await v1.submit(old, 2);
      assert.equal(await v2.job(after.id).wait({ timeoutMs: scaled(10_000) }), "posted");
      const state = async () =>
        (await v2.deployments()).map(({ label, number, removable, jobs }) => ({ label, number, removable, ...jobs }));
      assert.deepEqual(await state(), [
        { label: "v2", number: 2, removable: true, pending: 0, running: 0, pinned: 0 },
        { label: "v1", number: 1, removable: false, pending: 0, running: 1, pinned: 0 },
      ]);
      const call = async (...args: string[]) => {
        const program = cli(t, ["deployments", ...args, "--db", path]);
        return { ...(await program.ended()), text: program.stdout() + program.stderr() };
      };
      const early = await call("wait", "v1", "--drained", "--timeout", "0s");
      assert.equal(early.code, 3, early.text);
      open();
      assert.equal(await v2.job(before.id).wait({ timeoutMs: scaled(10_000) }), "sent");
      const drained = await call("wait", "v1", "--drained");
      assert.equal(drained.code, 0, drained.text);
      assert.equal((await call("wait", "v9", "--drained")).code, 2);
      assert.match((await call()).text, /v2\s+2\s+1\s+0\s+0\s+idle\s+mail/);
    });
  });

  test("does not call a deployment drained while a job has a stage ahead that only this deployment serves", async () => {
    const old = defineKind({ name: "mail", payload: z.number() })
      .stage("write", { run: async () => 1 })
      .stage("send", { run: async () => "sent" });
    const next = defineKind({ name: "mail", payload: z.number() }).stage("write", { run: async () => 2 });
    await withEngine({ kinds: [old], deployment: "v1" }, async ({ millrace: v1, another }) => {
      const job = await v1.submit(old, 1, { delayMs: 3_600_000 });
      const v2 = await another({ kinds: [next], deployment: "v2" });
      const removable = async () => (await v2.deployments()).map(({ label, removable }) => [label, removable]);
      assert.deepEqual(await removable(), [
        ["v2", true],
        ["v1", false],
      ]);
      await job.cancel();
      assert.deepEqual(await removable(), [
        ["v2", true],
        ["v1", true],
      ]);
    });
  });

  test("counts the jobs that a removed deployment alone may take, and those that it only left behind", async () => {
    const stage = { run: async () => 1 };
    const loose = defineKind({ name: "loose", payload: z.number() }).stage("old", stage);
    const pinned = defineKind({ name: "pinned", payload: z.number(), pinned: true }).stage("old", stage);
    await withEngine({ kinds: [loose, pinned], deployment: "v1" }, async ({ millrace: v1, another }) => {
      await v1.submit(loose, 1, { delayMs: 3_600_000 });
      await v1.submitMany(pinned, [1, 2], { delayMs: 3_600_000 });
      const v2 = await another({ kinds: [loose, pinned], deployment: "v2" });
      const jobs = async () => (await v2.deployments()).find(({ label }) => label === "v1")?.jobs;
      await v1.stop();
      assert.deepEqual(await jobs(), { pending: 2, running: 0, pinned: 2 });
      await v2.unpin("v1");
      assert.deepEqual(await jobs(), { pending: 0, running: 0, pinned: 0 });
    });
  });

  test("whose worker was killed shows no process with --db, though nobody has buried it", async (t) => {
    const stage = { run: async () => 1 };
    const mail = defineKind({ name: "mail", payload: z.number() }).stage("write", stage);
    await withEngine({ kinds: [mail], deployment: "v1" }, async ({ millrace, path }) => {
      await millrace.submit(mail, 1, { delayMs: 3_600_000 });
      // A copy of the file has the worker's row. Its lease has expired there, as after a power cut.
      const copy = `${path}.copy.db`;
      const db = new DatabaseSync(path);
      db.prepare("VACUUM INTO ?").run(copy);
      db.close();
      const dead = new DatabaseSync(copy);
      dead.exec("UPDATE instance SET expires_at = 1, place = NULL");
      dead.close();
      const program = cli(t, ["deployments", "--db", copy]);
      await program.ended();
      assert.match(program.stdout(), /v1\s+1\s+0\s+1\s+0\s+stranded\s+mail/, program.stderr());
    });
  });

  test("that leaves a stage unserved keeps its jobs, degrades health and is logged", async () => {
    const old = defineKind({ name: "mail", payload: z.number() })
      .stage("write", { run: async () => 1 })
      .stage("send", { processors: 1, run: async () => "sent", pace: { count: 1, perMs: 3_600_000 } });
    const next = defineKind({ name: "mail", payload: z.number() }).stage("post", { run: async () => "posted" });
    const lines: object[] = [];
    const log = {
      debug() {},
      info() {},
      warn: (event: string, data: object) => lines.push({ event, ...data }),
      error() {},
    };
    await withEngine({ kinds: [old], deployment: "v1" }, async ({ millrace: v1, another }) => {
      const jobs = await v1.submitMany(old, [1, 2, 3]);
      await until(
        "they wait for the second stage",
        async () => (await v1.count({ stage: "send", status: "send" })) >= 2,
        scaled(10_000),
      );
      const v2 = await another({ kinds: [next], deployment: "v2", log: log as never as Log });
      await v1.stop();
      const health = await v2.health();
      assert.equal(health.status, "degraded");
      assert.deepEqual(health.unserved, ["mail/send"]);
      assert.deepEqual(health.unservedStages, [{ kind: "mail", stage: "send", jobs: 2, lastServedBy: "v1" }]);
      await v2.tick();
      await until(
        "it is logged",
        async () => lines.some((line) => "event" in line && line.event === "stage unserved"),
        20_000, // v1 led, and its term is 10 s
      );
      assert.equal(lines.filter((line) => "event" in line && line.event === "stage unserved").length, 1);
      const states = await Promise.all(jobs.map(async ({ id }) => (await v2.find(id))?.state));
      assert.deepEqual(states.sort(), ["completed", "pending", "pending"]);
    });
  });
});

test("an engine that works on nothing announces no deployment", async () => {
  await withEngine(NO_KINDS, async ({ millrace }) => assert.deepEqual(await millrace.deployments(), []));
});

test("without a label a deployment is named by its plans, so that a restart keeps it and other stages give another", async () => {
  const kind = (...stages: string[]) => {
    const empty = defineKind({ name: "mail", payload: z.number() });
    const [first = "write", ...others] = stages;
    const run = async () => 1;
    return others.reduce((chain, name) => chain.stage(name, { run }) as never, empty.stage(first, { run }));
  };
  const labels: string[] = [];
  await withEngine(NO_KINDS, async ({ another }) => {
    for (const kinds of [[kind("write")], [kind("write")], [kind("write", "send")]]) {
      const worker = await another({ kinds });
      const [newest] = (await worker.deployments()).filter(({ processes }) => processes.length > 0);
      assert.match(newest?.label ?? "", /^[0-9a-f]{10}$/);
      labels.push(`${newest?.label} ${newest?.number}`);
      await worker.stop();
    }
  });
  assert.equal(labels[0], labels[1]);
  assert.notEqual(labels[1], labels[2]);
});
