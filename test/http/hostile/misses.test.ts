// runtimes: bun or node
// Wrong keys, links and job ids: those who guess are slowed down, and nobody else is.

import assert from "node:assert/strict";
import { test } from "node:test";
import { accessRoutes } from "../../../packages/millrace/src/api/access.ts";
import { jobRoutes } from "../../../packages/millrace/src/api/job.ts";
import { call, good, send } from "../support/call.ts";
import { submitted } from "../support/jobs.ts";
import { newKey } from "../support/keys.ts";
import { type Server, startServer } from "../support/server.ts";

const API_KEY = "a key that nobody guesses";

const signIn = async (server: Server, key: string) =>
  (await call(server, accessRoutes.signIn, { key: null, body: { key } })).status;
const list = async (server: Server, key: string, headers: Record<string, string> = {}) =>
  (await call(server, jobRoutes.list, { key, headers })).status;
const wrongKeyOf = (secret: string) => `${secret.slice(0, -3)}xyz`;

test("wrong keys are answered 429 after 20 a minute, by header and at sign-in, and good ones never", async (t) => {
  const server = await startServer(t, { apiKey: API_KEY });
  const { secret } = await newKey(server, "shop", ["read"]);
  const guesses = await Promise.all(Array.from({ length: 200 }, (_, i) => list(server, `guess ${i}`)));
  assert.equal(guesses.filter((status) => status === 401).length, 20);
  assert.equal(guesses.filter((status) => status === 429).length, 180);
  const { error, headers } = await call(server, accessRoutes.signIn, { key: null, body: { key: "guess" } });
  assert.deepEqual([error.code, error.limit], ["rate-limited", "misses"]);
  assert.ok(Number(headers.get("retry-after")) <= 60);
  assert.deepEqual([await list(server, API_KEY), await signIn(server, API_KEY)], [200, 200]);
  assert.deepEqual([await list(server, secret), await signIn(server, secret)], [200, 200]);
});

test("of 200 sign-ins at once 20 are judged, and an administrator's key that is short stays closed meanwhile", async (t) => {
  const server = await startServer(t, { apiKey: "root" });
  const statuses = await Promise.all(Array.from({ length: 200 }, (_, i) => signIn(server, `guess ${i}`)));
  assert.equal(statuses.filter((status) => status === 401).length, 20);
  assert.equal(await signIn(server, "root"), 429);
});

test("behind a trusted proxy misses are the client's own; what a client says of itself counts for nothing", async (t) => {
  const server = await startServer(t, { apiKey: "root", trustedProxies: ["127.0.0.0/8", "10.0.0.0/8"] });
  const from = (address: string) => ({ "x-forwarded-for": address });
  // Misses wear off with time, so on a busy machine the guesses are made again.
  const refuses = async (to: typeof server, guesses: (i: number) => string, address: string) => {
    for (let round = 0; round < 5; round++) {
      for (let i = 0; i < 25; i++) await list(to, "guess", from(guesses(i)));
      if ((await list(to, "root", from(address))) === 429) return true;
    }
    return false;
  };
  const behind = () => "198.51.100.7, 10.0.0.3";
  assert.ok(await refuses(server, behind, "198.51.100.7"));
  assert.equal(await list(server, "root", from("198.51.100.8")), 200);
  assert.ok(await refuses(server, behind, "198.51.100.8, 198.51.100.7, 10.0.0.3"), "the left is made up");
  const direct = await startServer(t, { apiKey: "root" });
  assert.ok(await refuses(direct, (i) => `198.51.100.${i}`, "198.51.100.99"), "nobody is trusted here");
});

test("wrong secrets of one key count for that key, from wherever they come; the right one is let in", async (t) => {
  const server = await startServer(t, { apiKey: API_KEY, trustedProxies: ["127.0.0.1"] });
  const { secret } = await newKey(server, "shop", ["read"]);
  const statuses: number[] = [];
  for (let i = 0; i < 25; i++)
    statuses.push(await list(server, wrongKeyOf(secret), { "x-forwarded-for": `198.51.100.${i}` }));
  assert.deepEqual(statuses, [...Array(20).fill(401), ...Array(5).fill(429)]);
  assert.equal(await list(server, secret), 200);
});

test("a good link is answered whatever wrong ones came before it, and job ids guessed in masses are misses", async (t) => {
  const server = await startServer(t, { apiKey: API_KEY });
  const body = { format: "graphviz", source: "digraph { a }" };
  const drawn = await send(server, "POST", "/render?mode=sync", { body });
  const { shortlink } = (await drawn.json()) as { shortlink: string };
  const link = async (shortlink: string) => (await send(server, "GET", `/d/${shortlink}`, { key: null })).status;
  const links = await Promise.all(Array.from({ length: 70 }, () => link("AAAAAAAAAAAA")));
  assert.equal(links.filter((status) => status === 429).length, 10);
  assert.equal(await link(shortlink), 200);

  const { secret } = await newKey(server, "shop", ["read"]);
  const own = await submitted(server, { kind: "quick", payload: 1, delayMs: 3_600_000 }, { tenant: "shop" });
  const id = (n: number) => `job_${String(n).padStart(8, "0")}`;
  const find = async (jobId: string) => (await call(server, jobRoutes.get, { key: secret, params: { jobId } })).status;
  const found = await Promise.all(Array.from({ length: 250 }, (_, i) => find(id(i))));
  assert.equal(found.filter((status) => status === 404).length, 200);
  assert.equal(found.filter((status) => status === 429).length, 50);
  assert.equal(await find(own.jobId), 200);
});

test("refused keys and requests without one are logged, 20 lines a minute, never with the key", async (t) => {
  const server = await startServer(t, { apiKey: API_KEY });
  const { id, secret } = await newKey(server, "shop", ["read"]);
  await send(server, "GET", "/jobs", { key: null });
  await list(server, "some guess");
  await list(server, wrongKeyOf(secret));
  await server.program.said(new RegExp(`"wrong key".*"keyId":"${id}".*"auth failed"`));
  for (let i = 0; i < 100; i++) await send(server, "GET", "/jobs", { key: null });
  const lines = server.program
    .stdout()
    .split("\n")
    .filter((line) => line.includes('"auth failed"'));
  assert.equal(lines.length, 20);
  assert.match(lines[0] ?? "", /"no key"/);
  const text = lines.join("\n");
  assert.ok(!text.includes("some guess") && !text.includes(secret.slice(16, 40)) && !text.includes(API_KEY));
});

test("a server without a key of its own ignores one that is sent, and knows the keys it has made", async (t) => {
  const server = await startServer(t);
  for (const headers of [{ "x-api-key": "of another server" }, { authorization: "Bearer of-another-server" }]) {
    const who = await good(server, accessRoutes.session, { headers });
    assert.deepEqual([who.name, who.root], ["anonymous", true]);
  }
  const { secret } = await newKey(server, "shop", ["read"]);
  assert.equal((await good(server, accessRoutes.session, { key: secret })).tenant, "shop");
});
