import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createApp } from "./app.ts";

const now = () => new Date("2026-01-02T03:04:05.678Z");

describe("GET /health", () => {
  test("says ok, for how long and when", async () => {
    const response = await get("/health");
    assert.equal(response.status, 200);
    assert.deepEqual(await response.json(), { status: "ok", uptime: 12, timestamp: "2026-01-02T03:04:05.678Z" });
  });

  test("is 503 with the reason when something is wrong", async () => {
    const response = await get("/health", { status: "degraded", reason: "no claim for 30 s" });
    assert.equal(response.status, 503);
    assert.partialDeepStrictEqual(await response.json(), { status: "degraded", reason: "no claim for 30 s" });
  });
});

describe("what is not there", () => {
  test("an unknown route is a 404 that says what to try", async () => {
    const response = await get("/nowhere");
    assert.equal(response.status, 404);
    assert.deepEqual(await response.json(), {
      error: "There is no /nowhere here.",
      code: "not-found",
      hint: "Try GET /health.",
      traceId: response.headers.get("x-trace-id"),
    });
  });

  test("a wrong method is a 405 that names the right ones", async () => {
    const response = await app()(new Request("http://localhost/health", { method: "DELETE" }), caller);
    assert.equal(response.status, 405);
    assert.equal(response.headers.get("allow"), "GET, HEAD");
  });
});

test("the caller's trace id comes back, unless it could do harm in a log", async () => {
  const trace = async (id: string) => (await get("/health", undefined, { "x-trace-id": id })).headers.get("x-trace-id");
  assert.equal(await trace("abc-1"), "abc-1");
  assert.match((await trace('a"b')) ?? "", /^[\w-]{36}$/);
});

const caller = { address: undefined };

function app(health: { status: string } = { status: "ok" }) {
  return createApp({ health: async () => health, uptimeMs: () => 12_345, now });
}

async function get(path: string, health?: { status: string; reason?: string }, headers: Record<string, string> = {}) {
  return app(health)(new Request(`http://localhost${path}`, { headers }), caller);
}
