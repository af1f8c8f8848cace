// What a server says over HTTP while its store cannot write: a status a client can act on, and when to come back.

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { jobRoutes } from "../../packages/millrace/src/api/job.ts";
import { systemRoutes } from "../../packages/millrace/src/api/system.ts";
import { createClient, MillraceError } from "../../packages/millrace/src/client/index.ts";
import { call, good, refused } from "../http/support/call.ts";
import { type Server, startServer } from "../http/support/server.ts";
import { PostgresServer } from "../support/postgres-server.ts";
import { until } from "../support/until.ts";
import { onEachStore } from "./support/stores.ts";

const body = (payload: unknown) => ({ body: { kind: "quick", payload } });

onEachStore(({ on, gather }) => {
  test(`while another program holds ${on}, submissions get 503 with Retry-After, and reads go on`, {
    timeout: 60_000,
  }, async (t) => {
    const crew = await gather(t);
    const server = await startServer(t, { path: crew.db });
    const jobId = await oneFinished(server);

    const unlock = await crew.lock();
    const headers = { "idempotency-key": "meanwhile" };
    const answer = await refused(server, jobRoutes.submit, { ...body("meanwhile"), headers }, "store-unavailable");
    assert.equal(answer.status, 503);
    comesBack(answer.headers);
    assert.equal((await good(server, jobRoutes.get, { params: { jobId } })).state, "completed");
    assert.equal((await good(server, jobRoutes.list, {})).jobs.length, 1, "nothing was stored");
    // A client that follows Retry-After gets through as soon as the lock is gone.
    const client = createClient({ baseUrl: server.url, retries: 10 });
    const patient = client.submit("quick", "patient");
    await unlock();
    await patient;

    const accepted = await call(server, jobRoutes.submit, { ...body("meanwhile"), headers });
    assert.equal(accepted.status, 201, "the key of a refused submission is not used up");
  });

  test(`on ${on} with a full disk submissions get 507 with Retry-After, reads go on, and it accepts again`, {
    timeout: 90_000,
  }, async (t) => {
    const crew = await gather(t);
    const disk = await crew.onSmallDisk(t);
    if (!disk) return;
    const server = await startServer(t, { path: crew.db, settings: { leaseMs: 1_000 } });
    crew.beforeItGoes(async () => {
      server.program.child.kill("SIGKILL");
      await server.program.ended();
    });
    const jobId = await oneFinished(server);

    disk.fill();
    const answer = await untilFull(server, () => body(noise()).body);
    assert.equal(answer.status, 507);
    comesBack(answer.headers);
    assert.match(answer.error.error, /disk is full/i);
    assert.match(answer.error.hint ?? "", /[Ff]ree/, "the next step");
    assert.equal((await good(server, jobRoutes.get, { params: { jobId } })).state, "completed", "reads go on");
    let tag = "";
    const many = await untilFull(server, (i) => {
      tag = `many-${i}`;
      return [1, 2, 3].map(() => ({ ...body(noise()).body, tags: [tag] }));
    });
    assert.equal(many.status, 507);
    assert.deepEqual((await good(server, jobRoutes.list, { query: { tag } })).jobs, [], "of many none");
    const client = createClient({ baseUrl: server.url, retries: 0 });
    const refusal = await untilThrown(() => client.submit("quick", noise()));
    assert.ok(refusal instanceof MillraceError);
    assert.deepEqual([refusal.code, refusal.status], ["disk-full", 507]);
    assert.ok((refusal.retryAfterMs ?? 0) >= 1_000);
    // No reason to be restarted, but for an operator to act.
    const isDegraded = async () => (await good(server, systemRoutes.health, {})).status === "degraded";
    await until("health says so", isDegraded, 10_000);

    disk.free();
    const isAccepted = async () => (await call(server, jobRoutes.submit, body("after"))).status === 201;
    await until("it accepts again", isAccepted, 15_000);
  });

  if (on === "PostgreSQL") {
    test("while the database is away whoever asks gets 503 with Retry-After, and it goes on by itself", {
      timeout: 90_000,
    }, async (t) => {
      const database = await PostgresServer.start();
      t.after(() => database.remove());
      const server = await startServer(t, { path: database.url });
      const jobId = await oneFinished(server);

      await database.stop("immediate");
      const headers = { "idempotency-key": "meanwhile" };
      const submitted = await refused(server, jobRoutes.submit, { ...body("meanwhile"), headers }, "store-unavailable");
      comesBack(submitted.headers);
      comesBack((await refused(server, jobRoutes.get, { params: { jobId } }, "store-unavailable")).headers);
      assert.equal((await call(server, systemRoutes.health, {})).status, 503, "others are asked instead");

      const patient = createClient({ baseUrl: server.url, retries: 20 }).submit("quick", "patient");
      await database.start();
      const { jobId: another } = await patient;
      await good(server, jobRoutes.get, { params: { jobId: another }, query: { wait: 20 } });
      assert.equal((await good(server, jobRoutes.get, { params: { jobId } })).state, "completed");
      const accepted = await call(server, jobRoutes.submit, { ...body("meanwhile"), headers });
      assert.equal(accepted.status, 201, "the key of a refused submission is not used up");
      const isWell = async () => (await call(server, systemRoutes.health, {})).status === 200;
      await until("it is well again", isWell, 15_000);
    });
  }
});

async function oneFinished(server: Server): Promise<string> {
  const { jobId } = (await good(server, jobRoutes.submit, body("before"))) as { jobId: string };
  await good(server, jobRoutes.get, { params: { jobId }, query: { wait: 20 } });
  return jobId;
}

function comesBack(headers: Headers): void {
  const seconds = Number(headers.get("retry-after"));
  assert.ok(seconds >= 1 && seconds <= 5, `Retry-After: ${headers.get("retry-after")}`);
}

/** What no store makes smaller. */
function noise(): string {
  return randomBytes(15_000).toString("base64");
}

/** A database clears room up as it goes, so that now and then one more fits in. */
async function untilFull(server: Server, make: (i: number) => unknown) {
  for (let i = 0; i < 10_000; i++) {
    const answer = await call(server, jobRoutes.submit, { body: make(i) });
    if (answer.status !== 201) return answer;
  }
  throw new Error("The disk does not get full.");
}

async function untilThrown(work: () => Promise<unknown>): Promise<unknown> {
  for (let i = 0; i < 10_000; i++) {
    try {
      await work();
    } catch (error) {
      return error;
    }
  }
  throw new Error("The disk does not get full.");
}
