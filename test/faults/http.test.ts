// What a server says over HTTP while its store cannot write: a status a client can act on, and when to come back.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import test from "node:test";
import { jobRoutes } from "../../src/api/job.ts";
import { systemRoutes } from "../../src/api/system.ts";
import { createClient, MillraceError } from "../../src/client/index.ts";
import { call, good, refused } from "../http/support/call.ts";
import { type Server, startServer } from "../http/support/server.ts";
import { smallDisk } from "./small-disk.ts";
import { until } from "./until.ts";

const body = (payload: unknown) => ({ body: { kind: "quick", payload } });

test("while another program holds the file, submissions get 503 with Retry-After within 5 s, and reads go on", {
  timeout: 60_000,
}, async (t) => {
  const server = await startServer(t);
  const before = await good(server, jobRoutes.submit, body("before"));
  const { jobId } = before as { jobId: string };
  await good(server, jobRoutes.get, { params: { jobId }, query: { wait: 20 } });

  const lock = new DatabaseSync(join(server.folder, "jobs.db"), { timeout: 5_000 });
  t.after(() => lock.close());
  lock.exec("BEGIN IMMEDIATE");
  const headers = { "idempotency-key": "meanwhile" };
  const answer = await refused(server, jobRoutes.submit, { ...body("meanwhile"), headers }, "store-unavailable");
  assert.equal(answer.status, 503);
  comesBack(answer.headers);
  assert.equal((await good(server, jobRoutes.get, { params: { jobId } })).state, "completed");
  assert.equal((await good(server, jobRoutes.list, {})).jobs.length, 1, "nothing was stored");
  // A client that follows Retry-After gets through as soon as the lock is gone.
  const client = createClient({ baseUrl: server.url, retries: 10 });
  const patient = client.submit("quick", "patient");
  lock.exec("ROLLBACK");
  await patient;

  const accepted = await call(server, jobRoutes.submit, { ...body("meanwhile"), headers });
  assert.equal(accepted.status, 201, "the key of a refused submission is not used up");
});

test("on a full disk submissions get 507 with Retry-After, reads go on, and it accepts again when there is room", {
  timeout: 90_000,
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "millrace-"));
  let unmount = () => {};
  t.after(() => {
    unmount();
    rmSync(folder, { recursive: true, force: true });
  });
  const disk = smallDisk(t, join(folder, "disk"), (end) => {
    unmount = end;
  });
  if (!disk) return;
  const server = await startServer(t, { path: join(disk.folder, "jobs.db"), settings: { leaseMs: 1_000 } });
  const { jobId } = (await good(server, jobRoutes.submit, body("before"))) as { jobId: string };
  await good(server, jobRoutes.get, { params: { jobId }, query: { wait: 20 } });

  disk.fill();
  const answer = await untilFull(server);
  assert.equal(answer.status, 507);
  comesBack(answer.headers);
  assert.match(answer.error.error, /no room/i);
  assert.match(answer.error.hint ?? "", /[Ff]ree/, "the next step");
  assert.equal((await good(server, jobRoutes.get, { params: { jobId } })).state, "completed", "reads go on");
  const kept = (await good(server, jobRoutes.list, { query: { limit: 500 } })).jobs.length;
  const many = await refused(server, jobRoutes.submit, { body: [1, 2, 3].map((n) => body(n).body) }, "disk-full");
  assert.equal(many.status, 507, "of many none");
  assert.equal((await good(server, jobRoutes.list, { query: { limit: 500 } })).jobs.length, kept);
  await assert.rejects(createClient({ baseUrl: server.url, retries: 0 }).submit("quick", 1), (error: unknown) => {
    assert.ok(error instanceof MillraceError);
    assert.deepEqual([error.code, error.status], ["disk-full", 507]);
    assert.ok((error.retryAfterMs ?? 0) >= 1_000);
    return true;
  });
  assert.equal((await good(server, systemRoutes.health, {})).status, "ok", "a full disk is no reason to be restarted");

  disk.free();
  await until(
    "it accepts again",
    async () => (await call(server, jobRoutes.submit, body("after"))).status === 201,
    15_000,
  );
});

function comesBack(headers: Headers): void {
  const seconds = Number(headers.get("retry-after"));
  assert.ok(seconds >= 1 && seconds <= 5, `Retry-After: ${headers.get("retry-after")}`);
}

async function untilFull(server: Server) {
  for (let i = 0; i < 10_000; i++) {
    const answer = await call(server, jobRoutes.submit, body("f".repeat(20_000)));
    if (answer.status !== 201) return answer;
  }
  throw new Error("The disk does not get full.");
}
