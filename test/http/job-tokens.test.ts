// runtimes: bun or node

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { accessRoutes } from "../../packages/millrace/src/api/access.ts";
import { streamRoutes } from "../../packages/millrace/src/api/feeds/streams.ts";
import { jobRoutes } from "../../packages/millrace/src/api/job.ts";
import { workflowRoutes } from "../../packages/millrace/src/api/workflow.ts";
import { call, good, refused } from "./support/call.ts";
import { submitted } from "./support/jobs.ts";
import { sharedServer, startServer } from "./support/server.ts";

const server = await sharedServer({ apiKey: "root" });
const { jobId } = await submitted(server, { kind: "quick", payload: {} }, { tenant: "shop" });
const { jobId: otherId } = await submitted(server, { kind: "quick", payload: {} }, { tenant: "shop" });
const params = { jobId };

describe("a token of a job", () => {
  test("reads this job and its streams, and nothing else", async () => {
    const { token } = await good(server, streamRoutes.createToken, { params, tenant: "shop" });
    const asked = { params, key: token };
    assert.equal((await good(server, jobRoutes.get, asked)).jobId, jobId);
    await good(server, jobRoutes.logs, asked);
    await good(server, streamRoutes.streams, asked);
    await good(server, workflowRoutes.waits, asked);
    const stream = await fetch(`${server.url}/jobs/${jobId}/events`, { headers: { authorization: `Bearer ${token}` } });
    assert.equal(stream.headers.get("content-type"), "text/event-stream");
    await stream.body?.cancel();
    await refused(server, jobRoutes.get, { params: { jobId: otherId }, key: token }, "forbidden");
    await refused(server, jobRoutes.list, { key: token }, "forbidden");
    await refused(server, jobRoutes.cancel, { ...asked, body: {} }, "forbidden");
    await refused(server, streamRoutes.createToken, { ...asked, body: {} }, "forbidden");
    await refused(server, accessRoutes.session, { key: token }, "forbidden");
  });

  test("expires, and does not work with a changed letter, claim or key", async () => {
    const { token, expiresAt } = await good(server, streamRoutes.createToken, {
      params,
      tenant: "shop",
      body: { ttlMs: 1_000 },
    });
    const claims = Buffer.from(JSON.stringify([otherId, "shop", Date.now() + 60_000])).toString("base64url");
    const forged = `mrj1.${claims}.${token.split(".")[2]}`;
    const changed = `${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`;
    for (const key of [forged, changed, "mrj1.", "mrj1.x.y", token.slice(0, 20)]) {
      await refused(server, jobRoutes.get, { params, key }, "unauthorized");
    }
    while (Date.now() <= Date.parse(expiresAt)) await new Promise((resolve) => setTimeout(resolve, 50));
    await refused(server, jobRoutes.get, { params, key: token }, "unauthorized");
    await refused(server, streamRoutes.createToken, { params, tenant: "shop", body: { ttlMs: 1 } }, "invalid-request");
  });

  test("ends with the key that made it, and is made only for jobs that the key reads", async () => {
    const made = await good(server, accessRoutes.createKey, {
      body: { name: "page", tenant: "shop", scopes: ["read"] },
    });
    const { token } = await good(server, streamRoutes.createToken, { params, key: made.secret });
    await good(server, jobRoutes.get, { params, key: token });
    await good(server, accessRoutes.revokeKey, { params: { keyId: made.id } });
    await refused(server, jobRoutes.get, { params, key: token }, "unauthorized");
    const foreign = await good(server, accessRoutes.createKey, {
      body: { name: "other", tenant: "other", scopes: ["read"] },
    });
    await refused(server, streamRoutes.createToken, { params, key: foreign.secret }, "job-not-found");
  });

  test("works on another server of the store, until its API_KEY changes", async (t) => {
    const left = await startServer(t, { apiKey: "root" });
    const job = await submitted(left, { kind: "quick", payload: {} });
    const { token } = await good(left, streamRoutes.createToken, { params: { jobId: job.jobId } });
    const path = `${left.folder}/jobs.db`;
    const right = await startServer(t, { apiKey: "root", path });
    await good(right, jobRoutes.get, { params: { jobId: job.jobId }, key: token });
    const rotated = await startServer(t, { apiKey: "another root", path });
    await refused(rotated, jobRoutes.get, { params: { jobId: job.jobId }, key: token }, "unauthorized");
  });

  test("never stands in the log", async () => {
    const { token } = await good(server, streamRoutes.createToken, { params, tenant: "shop" });
    await call(server, jobRoutes.get, { params, key: token });
    await call(server, jobRoutes.get, { params, key: `${token}x` });
    assert.ok(!(server.program.stdout() + server.program.stderr()).includes(token.slice(0, 40)));
  });
});
