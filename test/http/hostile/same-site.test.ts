// runtimes: bun or node

import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { test } from "node:test";
import { send } from "../support/call.ts";
import { type Server, sharedServer, startServer } from "../support/server.ts";

const anonymous = await sharedServer();
const BODY = { kind: "quick", payload: 1 };

test("without keys only names of this machine are answered to, against rebinding", async () => {
  for (const host of ["localhost", "LOCALHOST:1", "127.0.0.1", "127.9.9.9:80", "[::1]:3000"])
    assert.match(await rawGet(anonymous, host), / 200 /, host);
  for (const host of [
    "evil.example",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "10.0.0.1",
    "[::2]",
    "0.0.0.0",
  ])
    assert.match(await rawGet(anonymous, host), / 403 /, host);
});

test("with a key any name is answered to", async (t) => {
  const server = await startServer(t, { apiKey: "k" });
  assert.match(await rawGet(server, "jobs.example"), / 200 /);
});

test("a page of another site can neither post a form nor read", async () => {
  const plain = await send(anonymous, "POST", "/jobs", { body: "{}", headers: { "content-type": "text/plain" } });
  assert.equal(plain.status, 415);
  const cases: [Record<string, string>, number][] = [
    [{ "sec-fetch-site": "cross-site" }, 403],
    [{ "sec-fetch-site": "same-site" }, 403],
    [{ origin: "http://evil.example" }, 403],
    [{ origin: "null" }, 403],
    [{ origin: "http://127.0.0.1:1" }, 403],
    [{ "sec-fetch-site": "cross-site", origin: anonymous.url }, 403],
    [{ "sec-fetch-site": "same-origin", origin: anonymous.url }, 201],
    [{ "sec-fetch-site": "none" }, 201],
    [{ origin: anonymous.url }, 201],
    [{}, 201],
  ];
  for (const [headers, status] of cases) {
    const response = await send(anonymous, "POST", "/jobs", { body: BODY, headers });
    assert.equal(response.status, status, JSON.stringify(headers));
    assert.equal(response.headers.get("access-control-allow-origin"), null);
  }
  const preflight = { "access-control-request-method": "POST", origin: "http://evil.example" };
  assert.equal((await send(anonymous, "OPTIONS", "/jobs", { headers: preflight })).status, 403);
});

test("an origin that is admitted can call and read our headers; another cannot", async (t) => {
  const server = await startServer(t, { corsOrigins: ["https://app.example"] });
  const admitted = { origin: "https://app.example", "sec-fetch-site": "cross-site" };
  const preflight = await send(server, "OPTIONS", "/jobs", {
    headers: { ...admitted, "access-control-request-method": "POST" },
  });
  assert.equal(preflight.status, 204);
  assert.match(preflight.headers.get("access-control-allow-headers") ?? "", /X-API-Key.*Idempotency-Key/);
  const posted = await send(server, "POST", "/jobs", { body: BODY, headers: admitted });
  assert.equal(posted.status, 201);
  assert.equal(posted.headers.get("access-control-allow-origin"), "https://app.example");
  assert.match(posted.headers.get("access-control-expose-headers") ?? "", /X-Trace-Id.*Retry-After/);
  assert.equal(posted.headers.get("access-control-allow-credentials"), null);
  assert.equal(posted.headers.get("vary"), "Origin");
  const missing = await send(server, "GET", "/jobs/job_00000000", { headers: admitted });
  assert.equal(missing.headers.get("access-control-allow-origin"), "https://app.example", "errors can be read too");
  const other = await send(server, "GET", "/jobs", { headers: { origin: "https://other.example" } });
  assert.equal(other.headers.get("access-control-allow-origin"), null);
  assert.equal(other.headers.get("vary"), "Origin");
});

test("any origin may be admitted, then without credentials", async (t) => {
  const server = await startServer(t, { corsOrigins: ["*"] });
  const response = await send(server, "GET", "/jobs", { headers: { origin: "https://app.example" } });
  assert.equal(response.headers.get("access-control-allow-origin"), "*");
  assert.equal(response.headers.get("access-control-allow-credentials"), null);
});

async function rawGet(server: Server, host: string): Promise<string> {
  const socket = connect(server.port, "127.0.0.1");
  let answer = "";
  socket.on("data", (data) => (answer += data));
  socket.write(`GET /health HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  await once(socket, "close");
  return answer;
}
