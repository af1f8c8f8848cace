// runtimes: bun or node

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inspect } from "node:util";
import { createHandler, type Identity } from "../../packages/millrace/src/http/index.ts";
import { Millrace, sqlite } from "../../packages/millrace/src/index.ts";
import { ensureDashboard } from "../../scripts/dashboard.js";
import { ADMIN, BASE, mounted } from "./support/mounted.ts";

assert.equal(ensureDashboard(), undefined);

// biome-ignore lint/suspicious/noExplicitAny: of many shapes, each looked into by its test
type Answer = Record<string, any>;
const bodyOf = async (response: Response | Promise<Response>) => (await (await response).json()) as Answer;

describe("createHandler", () => {
  test("needs an engine, a function that says who comes, and a path that it can write", async (t) => {
    const millrace = await Millrace.open({ store: sqlite(":memory:"), kinds: [] });
    t.after(() => millrace.stop());
    const create =
      (...args: unknown[]) =>
      () =>
        createHandler(...(args as Parameters<typeof createHandler>));
    const auth = () => undefined;
    assert.throws(create(millrace), { code: "options-invalid", message: /needs the option auth/, hint: /auth: \(req/ });
    assert.throws(create(millrace, { auth: "ada" }), { code: "options-invalid", message: /needs the option auth/ });
    assert.throws(create(millrace, { auth, path: "/x" }), { message: /Unknown option "path".*"basePath"/ });
    assert.throws(create(Promise.resolve(), { auth }), { hint: /Add an await/ });
    assert.throws(create(undefined, { auth }), { message: /needs a Millrace/ });
    for (const basePath of ["jobs", "/jobs/", "//jobs", '/"><script>', "/a b", 5])
      assert.throws(create(millrace, { auth, basePath }), { code: "options-invalid", message: /Invalid basePath/ });
    for (const basePath of ["", "/", "/jobs-admin", "/a/b.c"]) create(millrace, { auth, basePath })().close();
  });

  test("a request without credentials is logged as information, one with wrong credentials as a warning", async (t) => {
    const lines: string[] = [];
    const keep = (level: string) => (event: string) => void lines.push(`${level} ${event}`);
    const log = { debug: () => {}, info: keep("info"), warn: keep("warn"), error: keep("error") };
    const millrace = await Millrace.open({ store: sqlite(":memory:"), kinds: [], log });
    t.after(() => millrace.stop());
    const handler = createHandler(millrace, { auth: () => undefined });
    for (const headers of [{}, { authorization: "Basic eDp5" }])
      assert.equal((await handler(new Request("http://localhost/ui/", { headers }))).status, 401);
    const failed = lines.filter((line) => line.endsWith("auth failed"));
    assert.deepEqual(failed, ["info auth failed", "warn auth failed"]);
  });

  test("every address that it names lies below the base path", async (t) => {
    const { ask } = await mounted(t);
    const submitted = await ask(`${BASE}/jobs`, { json: { kind: "greet", payload: { name: "Ada" } } });
    const { jobId } = await bodyOf(submitted);
    assert.equal(submitted.headers.get("location"), `${BASE}/jobs/${jobId}`);
    const job = await bodyOf(ask(`${BASE}/jobs/${jobId}?wait=20`));
    assert.deepEqual([job["state"], job["result"]], ["completed", "Hello Ada"]);
    for (const path of [BASE, `${BASE}/`]) assert.equal((await ask(path)).headers.get("location"), `${BASE}/ui/`);
    const document = await bodyOf(ask(`${BASE}/openapi.json`));
    assert.deepEqual(document["servers"], [{ url: BASE }]);
    assert.doesNotMatch(JSON.stringify(document), /X-API-Key|"\/keys"|"\/config"/);
    const docs = await (await ask(`${BASE}/docs`)).text();
    assert.match(docs, /href="\/jobs-admin\/openapi\.json"/);
    assert.match(docs, /localhost:3000\/jobs-admin\/jobs/);
    assert.doesNotMatch(docs, /href="\/(?!jobs-admin)|API_KEY/);
    const missing = await bodyOf(ask(`${BASE}/nowhere`));
    assert.equal(missing["hint"], `See ${BASE}/docs.`);
  });

  test("the dashboard's page and files come from below the base path, on every page of it", async (t) => {
    const { ask } = await mounted(t);
    // Some frameworks take a slash off the end of a path.
    for (const page of ["", "/", "/jobs", "/jobs/job_4fQ81xZa"]) {
      const html = await (await ask(`${BASE}/ui${page}`)).text();
      assert.match(html, /<meta name="millrace-base-path" content="\/jobs-admin" \/>/);
      assert.match(html, /<meta name="millrace-sign-in" content="host" \/>/);
      const files = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file = ""]) => file);
      assert.ok(files.length >= 3, html);
      for (const file of files) {
        assert.ok(file.startsWith(`${BASE}/ui/`), file);
        assert.equal((await ask(file)).status, 200, file);
      }
    }
  });

  test("paths outside the base path are not its own", async (t) => {
    const { ask } = await mounted(t);
    for (const path of ["/", "/jobs", "/ui/", `${BASE}x/jobs`]) {
      const response = await ask(path);
      assert.equal(response.status, 404);
      assert.match((await bodyOf(response))["hint"] ?? "", /serves \/jobs-admin and the paths below it/);
    }
    const atRoot = await mounted(t, undefined, "");
    assert.equal((await atRoot.ask("/jobs")).status, 200);
    assert.equal((await atRoot.ask("/")).headers.get("location"), "/ui/");
  });
});

describe("auth", () => {
  test("a request from a caller it does not know is 401, whatever it asks for", async (t) => {
    const { ask } = await mounted(t);
    for (const path of [
      "/jobs",
      "/live",
      "/health",
      "/docs",
      "/openapi.json",
      "/ui/",
      "/ui/icon.svg",
      "/nowhere",
      "",
    ]) {
      const response = await ask(BASE + path, { user: "" });
      assert.deepEqual([response.status, response.headers.get("www-authenticate")], [401, null], path);
      assert.equal((await bodyOf(response))["code"], "unauthorized");
    }
  });

  test("an error that it throws, and an identity that is not valid, are 500 and logged, never a pass", async (t) => {
    const wrong: [() => unknown, RegExp][] = [
      [() => Promise.reject(new Error("session store is down")), /session store is down/],
      [() => true, /returned boolean/],
      [() => ({ tenant: "a", scopes: [] }), /must return a name/],
      [() => ({ name: "x", tenant: "no spaces", scopes: [] }), /invalid tenant/],
      [() => ({ name: "x", scopes: ["read"] }), /must return the tenant/],
      [() => ({ name: "x", tenant: "a" }), /must return scopes/],
      [() => ({ name: "x", tenant: "a", scopes: ["reads"] }), /unknown scope "reads" \(did you mean "read"\?\)/],
    ];
    for (const [auth, reason] of wrong) {
      const { ask, errors } = await mounted(t, auth as () => Identity);
      const response = await ask(`${BASE}/jobs`);
      assert.equal(response.status, 500);
      assert.doesNotMatch(await response.text(), /session store|auth function/);
      assert.match(inspect(errors[0], { depth: 9 }), reason);
      assert.equal((await ask(`${BASE}/ui/`)).status, 500);
    }
  });

  test("null counts as undefined, and a promise is awaited", async (t) => {
    const nobody = await mounted(t, async () => null as unknown as undefined);
    assert.equal((await nobody.ask(`${BASE}/jobs`)).status, 401);
    const somebody = await mounted(t, async () => ({ name: "x", tenant: "a", scopes: ["read"] }));
    assert.equal((await somebody.ask(`${BASE}/jobs`)).status, 200);
  });

  test("a caller of one tenant sees its jobs alone, with its scopes alone", async (t) => {
    const { ask } = await mounted(t);
    const json = { kind: "greet", payload: { name: "x" } };
    const { jobId } = await bodyOf(ask(`${BASE}/jobs`, { json, user: "ann shop submit,read" }));
    assert.equal((await ask(`${BASE}/jobs/${jobId}`, { user: "ann shop read" })).status, 200);
    assert.equal((await ask(`${BASE}/jobs/${jobId}`, { user: "bob bank read" })).status, 404);
    assert.equal((await ask(`${BASE}/jobs`, { json, user: "ann shop read" })).status, 403);
    assert.equal((await ask(`${BASE}/jobs`, { json, user: "ann shop " })).status, 403);
    const other = await ask(`${BASE}/jobs`, { user: "ann shop read", headers: { "x-tenant-id": "bank" } });
    assert.equal(other.status, 403);
    assert.equal((await ask(`${BASE}/pools`, { user: "ann shop admin" })).status, 403);
  });

  test("the tenant * chooses by X-Tenant-Id; only with the scope admin it is the administrator", async (t) => {
    const { ask } = await mounted(t);
    const json = { kind: "greet", payload: { name: "x" } };
    const { jobId } = await bodyOf(ask(`${BASE}/jobs`, { json, user: "ann shop submit" }));
    const all = { "x-tenant-id": "*" };
    for (const user of ["eve * read", ADMIN]) {
      assert.equal((await ask(`${BASE}/jobs/${jobId}`, { user, headers: all })).status, 200);
      assert.equal((await ask(`${BASE}/jobs/${jobId}`, { user, headers: { "x-tenant-id": "bank" } })).status, 404);
    }
    assert.equal((await ask(`${BASE}/pools`)).status, 200);
    for (const path of ["/pools", "/metrics", "/audit", "/tenants"])
      assert.equal((await ask(BASE + path, { user: "eve * read,submit", headers: all })).status, 403, path);
    const acts = await ask(`${BASE}/kinds/greet/pause`, { method: "POST", user: "eve * read,submit" });
    assert.equal(acts.status, 403);
    const session = await bodyOf(ask(`${BASE}/session`, { user: "eve * read" }));
    assert.deepEqual([session["name"], session["allTenants"], session["root"]], ["eve", true, false]);
  });

  test("keys, sessions and settings are not there: the application has its own", async (t) => {
    const { ask, millrace } = await mounted(t);
    assert.equal((await ask(`${BASE}/keys`)).status, 404);
    assert.equal((await ask(`${BASE}/config`)).status, 404);
    assert.equal((await ask(`${BASE}/session`, { json: { key: "x" } })).status, 405);
    assert.equal((await ask(`${BASE}/session`, { method: "DELETE" })).status, 405);
    // A key of a server on the same store opens nothing here.
    await millrace.admin.access.putKey({
      id: "a",
      name: "k",
      tenant: "a",
      scopes: ["read"],
      secretHash: "",
      createdAt: 0,
    });
    const byKey = await ask(`${BASE}/jobs`, { user: "", headers: { "x-api-key": `mr_a_${"x".repeat(43)}` } });
    assert.equal(byKey.status, 401);
  });

  test("what a person does is in the audit list under the name that auth gave", async (t) => {
    const { ask } = await mounted(t);
    const { jobId } = await bodyOf(ask(`${BASE}/jobs`, { json: { kind: "waits", payload: 1 } }));
    assert.equal((await ask(`${BASE}/jobs/${jobId}/cancel`, { method: "POST" })).status, 200);
    const { entries } = (await bodyOf(ask(`${BASE}/audit`))) as unknown as { entries: { who: string; what: string }[] };
    assert.deepEqual([entries[0]?.who, entries[0]?.what], ["ada", "job cancelled"]);
  });
});

describe("a mounted handler", () => {
  test("refuses requests of other sites that would change something", async (t) => {
    const { ask } = await mounted(t);
    const json = { kind: "greet", payload: { name: "x" } };
    const from = async (headers: Record<string, string>) => (await ask(`${BASE}/jobs`, { json, headers })).status;
    assert.equal(await from({ "sec-fetch-site": "cross-site", origin: "https://evil.test" }), 403);
    assert.equal(await from({ "sec-fetch-site": "same-site", origin: "http://other.app.test" }), 403);
    assert.equal(await from({ origin: "https://evil.test" }), 403);
    assert.equal(await from({ origin: "null" }), 403);
    assert.equal(await from({ "sec-fetch-site": "same-origin", origin: "http://app.test" }), 201);
    assert.equal(await from({ origin: "http://app.test" }), 201);
    assert.equal(await from({}), 201, "a program sends none of these headers");
    const form = await ask(`${BASE}/jobs`, { body: JSON.stringify(json), headers: { "content-type": "text/plain" } });
    assert.equal(form.status, 415);
  });

  test("bounds a body whose length nobody says, and reads one that is small", async (t) => {
    const { ask } = await mounted(t);
    const streamed = (chunks: string[]) => {
      const parts = chunks.map((chunk) => new TextEncoder().encode(chunk));
      return new ReadableStream({
        pull: (controller) => {
          const part = parts.shift();
          if (part) controller.enqueue(part);
          else controller.close();
        },
      });
    };
    const small = await ask(`${BASE}/jobs`, { body: streamed(['{"kind":"greet",', '"payload":{"name":"x"}}']) });
    assert.equal(small.status, 201);
    const large = await ask(`${BASE}/jobs`, { body: streamed(["[", ...Array(40).fill(" ".repeat(32_768))]) });
    assert.equal(large.status, 413);
  });

  test("ends its live feeds and its waits when it is closed, and when the engine stops", async (t) => {
    for (const how of ["close", "stop"] as const) {
      const { ask, handler, millrace } = await mounted(t);
      const { jobId } = await bodyOf(ask(`${BASE}/jobs`, { json: { kind: "waits", payload: 1 } }));
      const feed = (await ask(`${BASE}/live`)).body?.getReader();
      const first = await feed?.read();
      assert.match(new TextDecoder().decode(first?.value), /event: reset/);
      const waiting = ask(`${BASE}/jobs/${jobId}?wait=30`);
      if (how === "close") handler.close();
      const stopped = how === "stop" ? millrace.stop({ graceMs: 0 }) : undefined;
      let part = await feed?.read();
      while (part && !part.done) part = await feed?.read();
      assert.equal((await waiting).status, 200);
      await stopped;
    }
  });

  test("a live feed tells of jobs, of the caller's tenant alone, until the client goes", async (t) => {
    const { ask } = await mounted(t);
    const gone = new AbortController();
    const feed = (await ask(`${BASE}/live`, { user: "ann shop read", signal: gone.signal })).body?.getReader();
    await feed?.read();
    await ask(`${BASE}/jobs`, { json: { kind: "greet", payload: { name: "x" } }, user: "bob bank submit" });
    const { jobId } = await bodyOf(
      ask(`${BASE}/jobs`, { json: { kind: "greet", payload: { name: "x" } }, user: "ann shop submit" }),
    );
    const part = await feed?.read();
    const text = new TextDecoder().decode(part?.value);
    assert.ok(text.includes(jobId) && !text.includes("bank"), text);
    gone.abort();
    await assert.doesNotReject(async () => {
      for (let next = await feed?.read(); next && !next.done; ) next = await feed?.read();
    });
  });
});
