// runtimes: bun
// mermaid.ink's wire format, as LangGraph, mermaid-py and Markdown tools speak it.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { deflateSync } from "node:zlib";
import { type Answer, sharedServer } from "../support/server.ts";

const FLOWCHART = "flowchart LR\n  ink --> paper";
const text = ({ body }: Answer) => new TextDecoder().decode(body);
const plain = (source: string) => Buffer.from(source).toString("base64");
const pako = (state: object) => `pako:${deflateSync(JSON.stringify(state), { level: 9 }).toString("base64url")}`;
const state = (more: object = {}) => ({ code: FLOWCHART, mermaid: { theme: "default" }, ...more });

/** How wide a PNG is, by its header. */
function widthOf({ body }: Answer): number {
  return new DataView(body.buffer, body.byteOffset).getUint32(16);
}

describe("mermaid.ink's routes", () => {
  const server = sharedServer({ RENDER_MAX_CHARS: "20000" });

  test("draw base64, JSON and pako: alike, and any page may read the answer", async () => {
    const forms = [
      plain(FLOWCHART),
      plain(JSON.stringify(state())),
      pako(state()),
      pako(state({ mermaid: '{"theme": "default"}' })),
    ];
    const drawn = await Promise.all(forms.map((form) => server().ask(`/svg/${encodeURIComponent(form)}`)));
    for (const each of drawn) {
      assert.equal(each.status, 200, text(each));
      assert.equal(each.headers.get("content-type"), "image/svg+xml");
      assert.equal(each.headers.get("access-control-allow-origin"), "*");
      assert.match(text(each), /^<svg[\s\S]*paper/);
    }
    assert.equal(new Set(drawn.slice(1).map(text)).size, 1);
  });

  test("draw JPEG by default, and PNG and WebP by type", async () => {
    const of = async (query: string) => {
      const { status, headers, body } = await server().ask(`/img/${pako(state())}${query}`);
      assert.equal(status, 200, query);
      return [headers.get("content-type"), Buffer.from(body.subarray(0, 12)).toString("latin1")];
    };
    assert.deepEqual(
      (await of("")).map((each) => each?.slice(0, 10)),
      ["image/jpeg", "\xff\xd8\xff\xe0\0\x10JFIF"],
    );
    assert.deepEqual(
      (await of("?type=png")).map((each) => each?.slice(0, 9)),
      ["image/png", "\x89PNG\r\n\x1a\n\0"],
    );
    const [type, head] = await of("?type=webp");
    const start = head ?? "";
    assert.deepEqual([type, start.slice(0, 4), start.slice(8)], ["image/webp", "RIFF", "WEBP"]);
  });

  test("take mermaid.ink's options", async () => {
    const svg = async (query: string, of = pako(state())) => text(await server().ask(`/svg/${of}${query}`));
    assert.match(await svg("?bgColor=ff0000"), /<rect[^>]*fill="#ff0000"/);
    assert.match(await svg("?bgColor=!pink"), /<rect[^>]*fill="pink"/);
    const usual = await svg("");
    assert.doesNotMatch(
      usual,
      /<rect x="[-\d.]+" y="[-\d.]+" width="[\d.]+" height="[\d.]+" fill="white" stroke="none"\/>/,
    );
    assert.notEqual(await svg("?theme=forest"), usual);
    assert.equal(await svg("", pako(state({ mermaid: { theme: "forest" } }))), await svg("?theme=forest"));
    const sequence = { code: "sequenceDiagram\n  Ann->>Bob: hello", mermaid: { sequence: { mirrorActors: false } } };
    assert.equal((await svg("", pako(sequence))).split(">Ann<").length, 2, "settings beside the source count");
    const png = (query: string) => server().ask(`/img/${pako(state())}?type=png&${query}`);
    assert.equal(widthOf(await png("width=500")), 500);
    assert.equal(widthOf(await png("width=500&scale=2")), 1000);
    assert.ok(widthOf(await png("width=500&height=20")) < 500);
  });

  test("say in text what is wrong, with mermaid.ink's statuses", async () => {
    const wrong: readonly [string, number, RegExp][] = [
      ["/svg/!!!", 400, /not base64/],
      ["/svg/pako:AAAA", 400, /cannot be decoded/],
      [`/svg/${plain(" ")}`, 400, /empty/],
      [`/svg/${plain("{}")}`, 400, /no "code"/],
      [
        `/svg/${plain("flowchart LR\n  a[b (c)]")}`,
        400,
        /Unexpected "\("[\s\S]*\^[\s\S]*Put the label in quotes: a\["b \(c\)"\]/,
      ],
      [`/img/${pako(state())}?type=gif`, 400, /jpeg, png or webp/],
      [`/img/${pako(state())}?bgColor=url(x)`, 400, /background: must be a CSS colour/],
      [`/img/${pako(state())}?theme=nope`, 400, /theme/],
      [`/img/${pako(state())}?scale=2`, 400, /scale needs width or height/],
      [`/svg/${pako({ code: "x".repeat(20_001) })}`, 413, /20000 characters/],
      [`/svg/pako:${deflateSync(Buffer.alloc(8 * 1024 ** 2, "a")).toString("base64url")}`, 413, /20000 characters/],
    ];
    for (const [path, status, message] of wrong) {
      const answer = await server().ask(path);
      assert.equal(answer.status, status, path.slice(0, 60));
      assert.match(text(answer), message);
      assert.match(answer.headers.get("content-type") ?? "", /^text\/plain/);
    }
  });
});

describe("a key that may only draw", () => {
  const API_KEY = "the-administrators-own-long-key";
  const server = sharedServer({ API_KEY, DRAW_RATE: "30" });
  const admin = { "x-api-key": API_KEY, "content-type": "application/json" };
  const create = async (...scopes: string[]) => {
    const body = JSON.stringify({ name: "wiki", tenant: "wiki", scopes });
    const made = await server().ask("/keys", { method: "POST", headers: admin, body });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    return made.body as { id: string; secret: string };
  };
  const basic = (user: string, password = "") => ({
    headers: { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}` },
  });
  const kroki = `mermaid/svg/${deflateSync(FLOWCHART).toString("base64url")}`;

  test("draws from the path and by HTTP Basic, and tells no page where it came from", async () => {
    const { secret } = await create("draw");
    const ways = [
      await server().ask(`/kroki/${secret}/${kroki}`),
      await server().ask(`/ink/${secret}/svg/${plain(FLOWCHART)}`),
      await server().ask(`/ink/${secret}/img/${plain(FLOWCHART)}?type=png`),
      await server().ask(`/kroki/${secret}/mermaid/svg`, { method: "POST", body: FLOWCHART }),
      await server().ask(`/kroki/${secret}/mermaid`, { method: "POST", body: FLOWCHART }),
      await server().ask(`/kroki/${kroki}`, basic(secret)),
      await server().ask(`/kroki/${kroki}`, basic("anybody", secret)),
      await server().ask(`/svg/${plain(FLOWCHART)}`, basic("anybody", secret)),
      await server().ask(`/kroki/${kroki}`, { headers: { "x-api-key": secret } }),
    ];
    for (const [at, { status, headers }] of ways.entries()) {
      assert.equal(status, 200, `way ${at}`);
      assert.equal(headers.get("referrer-policy"), "no-referrer", `way ${at}`);
    }
  });

  test("does nothing else", async () => {
    const { secret } = await create("draw");
    const key = { headers: { "x-api-key": secret, "content-type": "application/json" } };
    for (const path of ["/jobs", "/keys", "/metrics", "/config", "/session", "/audit"])
      assert.equal((await server().ask(path, key)).status, 403, path);
    const body = JSON.stringify({ format: "mermaid", source: FLOWCHART });
    assert.equal((await server().ask("/render", { ...key, method: "POST", body })).status, 403);
    const signIn = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ key: secret }),
    };
    assert.equal((await server().ask("/session", signIn)).status, 403);
    for (const path of [`/jobs/${secret}`, `/keys/${secret}`, `/d/${secret}/x`, `/kroki/${secret}/health`])
      assert.ok([401, 404].includes((await server().ask(path)).status), path.slice(0, 10));
    assert.equal((await server().ask("/jobs", basic(secret))).status, 401);
  });

  test("is the only kind of key that an address may hold", async () => {
    for (const scopes of [["submit"], ["admin"], ["draw", "read"]]) {
      const { secret } = await create(...scopes);
      for (const answer of [
        await server().ask(`/kroki/${secret}/${kroki}`),
        await server().ask(`/kroki/${kroki}`, basic(secret)),
      ]) {
        assert.equal(answer.status, 403, scopes.join());
        assert.match(answer.body.error, /the scope draw and no other/);
      }
    }
    assert.equal((await server().ask(`/kroki/${kroki}`, basic("x", API_KEY))).status, 401);
    const { secret } = await create("submit");
    assert.equal((await server().ask(`/kroki/${kroki}`, { headers: { "x-api-key": secret } })).status, 200);
    assert.equal((await server().ask(`/kroki/${kroki}`)).status, 401);
  });

  test("is limited by the minute, can be revoked, and stands in no log and no metric", async () => {
    const { id, secret } = await create("draw");
    const statuses = new Set<number>();
    for (let times = 0; times < 35; times++) statuses.add((await server().ask(`/kroki/${secret}/${kroki}`)).status);
    assert.deepEqual([...statuses], [200, 429]);
    const revoked = await create("draw");
    await server().ask(`/kroki/${revoked.secret}/${kroki}`);
    assert.equal((await server().ask(`/keys/${revoked.id}`, { method: "DELETE", headers: admin })).status, 204);
    const refused = await server().ask(`/kroki/${revoked.secret}/${kroki}`);
    assert.equal(refused.status, 401);
    assert.equal(refused.headers.get("referrer-policy"), "no-referrer");
    const metrics = await server().ask("/metrics", { headers: { "x-api-key": API_KEY } });
    const jobs = await server().ask("/jobs?tenant=wiki&limit=100", { headers: { ...admin, "x-tenant-id": "wiki" } });
    assert.deepEqual([metrics.status, jobs.status], [200, 200]);
    const { program } = server();
    const seen = [String(metrics.body), JSON.stringify(jobs.body), program.stdout(), program.stderr()].join("\n");
    for (const key of [secret, revoked.secret]) assert.ok(!seen.includes(key.slice(16)), "no part of the secret");
    assert.ok(id.length === 12);
  });
});
