// runtimes: bun
// The client on both runtimes, and the store on both, have tests of their own: here it is the server that is looked at.
// The render service on a real server: every answer on the way from a source to a drawing.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type DiagramServer, drawnBy, flowchart, sharedServer } from "./support/server.ts";

const SVG = { ...flowchart("svg"), outputType: "svg" };

describe("POST /render", () => {
  const server = sharedServer({ RENDER_MAX_CHARS: "1000" });

  test("async: 202 with the job, then rendering, completed with the link, and the drawing behind it", async () => {
    const { render, ask } = calls(server());
    const accepted = await render(SVG);
    assert.equal(accepted.status, 202);
    const { jobId, ...rest } = accepted.body;
    assert.match(jobId, /^job_[0-9A-Za-z]{8}$/);
    assert.deepEqual(rest, { status: "pending", statusUrl: `/jobs/${jobId}` });
    assert.equal(accepted.headers.get("location"), `/jobs/${jobId}`);
    const job = await server().finished(jobId);
    assert.equal(job.status, "completed");
    assert.equal(job.stage, "rendering");
    assert.match(job.result.shortlink, /^[0-9A-Za-z]{12}$/);
    assert.deepEqual(job.result, { shortlink: job.result.shortlink, url: `/d/${job.result.shortlink}` });
    const drawing = await ask(job.result.url);
    assert.equal(drawing.status, 200);
    assert.equal(drawing.headers.get("content-type"), "image/svg+xml");
    assert.match(text(drawing.body), /^<svg [\s\S]*asvg[\s\S]*<\/svg>\s*$/);
  });

  test("sync: 200 with the link, in every format and output", async () => {
    const { render, ask } = calls(server());
    for (const [format, source] of [
      ["mermaid", "sequenceDiagram\n  a->>b: hello"],
      ["d2", "a -> b: hello"],
      ["graphviz", "digraph { a -> b }"],
    ]) {
      for (const outputType of ["svg", "png"]) {
        const { status, body } = await render({ source, format, outputType }, "sync");
        assert.equal(status, 200, JSON.stringify(body));
        const drawing = await ask(body.url);
        assert.equal(drawing.headers.get("content-type"), outputType === "svg" ? "image/svg+xml" : "image/png");
        const start = text(drawing.body.subarray(0, 4));
        assert.equal(start, outputType === "svg" ? "<svg" : "\u{FFFD}PNG", `${format} ${outputType}`);
      }
    }
  });

  test("a fault in the diagram: 422 in sync, failed in async, with sentence, line and column, and no retry", async () => {
    const broken = { source: "a -> b\nx: {shape: nope}", format: "d2" };
    const sync = await server().render(broken, "sync");
    assert.equal(sync.status, 422);
    assert.partialDeepStrictEqual(sync.body, { code: "render-failed", error: 'unknown shape "nope"', line: 2 });
    assert.equal(typeof sync.body.column, "number");
    const { body } = await server().render(broken);
    const job = await server().finished(body.jobId);
    assert.partialDeepStrictEqual(job, {
      status: "failed",
      attempt: 1,
      retries: 1,
      error: 'unknown shape "nope"',
      failure: { code: "render-failed", permanent: true, line: 2, column: sync.body.column },
    });
    assert.equal(
      (await server().ask("/dlq?kind=render")).body.items.length,
      0,
      "a fault of the input is no dead letter",
    );
  });

  test("refuses what it does not understand, with the paths", async () => {
    const wrong: [unknown, string, string | undefined][] = [
      [{ ...SVG, format: "ditaa" }, "invalid-request", "format"],
      [{ ...SVG, outputType: "gif" }, "invalid-request", "outputType"],
      [{ ...SVG, source: "  \n " }, "invalid-request", "source"],
      [{ ...SVG, source: undefined }, "invalid-request", "source"],
      [{ ...SVG, options: { theme: "nope" } }, "invalid-request", "options.theme"],
      [{ ...SVG, options: { sketch: true } }, "invalid-request", "options.sketch"],
      [{ ...SVG, options: { background: "url(x)" } }, "invalid-request", "options.background"],
      [{ ...SVG, format: "d2", options: { look: "neo" } }, "invalid-request", "options.look"],
      [{ ...SVG, options: { scale: 5 } }, "invalid-request", "options.scale"],
      [{ ...SVG, colour: "red" }, "invalid-request", "colour"],
      [{ ...SVG, options: { engine: "chromium" } }, "invalid-request", "options.engine"],
      [{ ...SVG, source: "x".repeat(1_001) }, "too-large", undefined],
    ];
    for (const [body, code, path] of wrong) {
      const answer = await server().render(body, "sync");
      assert.equal(answer.body.code, code, JSON.stringify(answer.body));
      assert.equal(answer.body.issues?.[0].path, path);
      assert.equal(answer.status, code === "too-large" ? 413 : 422);
    }
    assert.equal((await server().render(SVG, "later")).status, 422);
    assert.equal((await server().ask("/render")).status, 405);
  });

  test("options are drawn: another theme, size and ground are other drawings", async () => {
    const links = new Set<string>();
    for (const options of [{}, { theme: "dark" }, { scale: 2 }, { background: "#ffeedd" }, { padding: 40 }]) {
      const { body } = await server().render({ ...SVG, options }, "sync");
      links.add(body.shortlink);
    }
    assert.equal(links.size, 5);
  });

  test("an Idempotency-Key gives the first answer's job again, and another body a conflict", async () => {
    const key = { headers: { "idempotency-key": "render-1" } };
    const first = await server().render(flowchart("idem"), "", key);
    assert.equal(first.status, 202);
    const again = await server().render(flowchart("idem"), "", key);
    assert.equal(again.status, 200);
    assert.equal(again.body.jobId, first.body.jobId);
    assert.equal(again.headers.get("idempotent-replay"), "true");
    assert.equal((await server().render(flowchart("idem"), "sync", key)).status, 200);
    const other = await server().render(flowchart("other"), "", key);
    assert.partialDeepStrictEqual(other, { status: 422, body: { code: "idempotency-conflict" } });
  });

  test("a job of the kind can be submitted as any other", async () => {
    const submitted = await server().ask("/jobs", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ kind: "render", payload: flowchart("plain") }),
    });
    assert.equal(submitted.status, 201);
    const job = await server().finished(submitted.body.jobId);
    assert.equal((await server().ask(job.result.url)).status, 200);
    const long = await server().ask("/jobs", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ kind: "render", payload: { ...SVG, source: "x".repeat(1_001) } }),
    });
    assert.deepEqual([long.status, long.body.issues?.[0].path], [422, "source"]);
  });
});

describe("the drawings kept", () => {
  const server = sharedServer();

  test("the same work has the same link, whatever its line ends; async gives a completed job, and nothing runs", async () => {
    const first = await server().render(flowchart("hit"), "sync");
    const { attempt } = await server().finished((await server().render(flowchart("hit"))).body.jobId);
    assert.equal(attempt, 0, "no attempt was made");
    const { source, format } = flowchart("hit");
    const again = await server().render({ source: `${source.replaceAll("\n", "\r\n")}\n  `, format }, "sync");
    assert.equal(again.body.shortlink, first.body.shortlink);
    const hit = await server().render(flowchart("hit"));
    assert.deepEqual([hit.status, hit.body.status], [202, "pending"]);
    const { result } = await server().finished(hit.body.jobId);
    assert.equal(result.shortlink, first.body.shortlink);
  });

  test("a picture of a drawing that is kept needs no layout, and has its own link", async () => {
    const svg = await server().render({ ...flowchart("png"), options: { scale: 2 } }, "sync");
    const png = await server().render({ ...flowchart("png"), options: { scale: 2 }, outputType: "png" }, "sync");
    assert.notEqual(png.body.shortlink, svg.body.shortlink);
    const bytes = (await server().ask(png.body.url)).body as Uint8Array;
    const [, width] = /<svg[^>]* width="([\d.]+)"/.exec(text((await server().ask(svg.body.url)).body)) ?? [];
    assert.equal(new DataView(bytes.buffer, bytes.byteOffset).getUint32(16), Math.round(Number(width)));
  });

  test("100 submissions at once of 10 diagrams come to 10 links", async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        server().render(flowchart(`many${i % 10}`), i % 2 === 0 ? "sync" : "async"),
      ),
    );
    assert.deepEqual([...new Set(answers.map(({ status }) => status))].sort(), [200, 202]);
    const links = await Promise.all(
      answers.map(async ({ body }) =>
        body.jobId === undefined ? body.shortlink : (await server().finished(body.jobId)).result.shortlink,
      ),
    );
    assert.equal(new Set(links).size, 10);
    assert.equal((await drawnBy(server(), "many")).length, 10, "each diagram was drawn once");
  });

  test("tenants share neither links nor drawings, and see only their own jobs", async () => {
    const acme = { headers: { "x-tenant-id": "acme" } };
    const ours = await server().render(flowchart("tenant"), "sync");
    const theirs = await server().render(flowchart("tenant"), "sync", acme);
    assert.notEqual(theirs.body.shortlink, ours.body.shortlink);
    assert.deepEqual((await server().ask(theirs.body.url)).body, (await server().ask(ours.body.url)).body);
    // The time of an answer must not tell what another tenant has drawn: each has its first one drawn.
    assert.equal((await drawnBy(server(), "tenant", acme)).length, 1);
    const png = await server().render({ ...flowchart("tenant"), outputType: "png" }, "", {
      headers: { "x-tenant-id": "third" },
    });
    assert.equal((await server().ask(`/jobs/${png.body.jobId}`)).status, 404);
    const { body } = await server().render(flowchart("tenant"), "", acme);
    assert.equal((await server().ask(`/jobs/${body.jobId}`)).status, 404);
  });

  test("GET /d/ is hardened, never changes, and knows ETag, 304, HEAD, Range and downloads", async () => {
    const { body } = await server().render(flowchart("headers"), "sync");
    const whole = await server().ask(body.url);
    assert.match(whole.headers.get("content-security-policy") ?? "", /default-src 'none'.*sandbox/);
    assert.equal(whole.headers.get("x-content-type-options"), "nosniff");
    assert.equal(whole.headers.get("cache-control"), "public, max-age=31536000, immutable");
    assert.equal(whole.headers.get("content-disposition"), `inline; filename="mermaid-${body.shortlink}.svg"`);
    const etag = whole.headers.get("etag") ?? "";
    assert.match(etag, /^"[^"]+"$/);
    for (const tag of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
      const unchanged = await server().ask(body.url, { headers: { "if-none-match": tag } });
      assert.deepEqual([unchanged.status, unchanged.body.length], [304, 0]);
    }
    assert.equal((await server().ask(body.url, { headers: { "if-none-match": '"x"' } })).status, 200);
    const head = await server().ask(body.url, { method: "HEAD" });
    assert.deepEqual([head.status, head.body.length], [200, 0]);
    assert.equal(head.headers.get("content-length"), String(whole.body.length));
    const size = whole.body.length;
    for (const [range, start, end] of [
      ["bytes=0-3", 0, 4],
      [`bytes=${size - 6}-`, size - 6, size],
      ["bytes=-6", size - 6, size],
      ["bytes=4-999999", 4, size],
    ] as const) {
      const part = await server().ask(body.url, { headers: { range } });
      assert.equal(part.status, 206, range);
      assert.equal(part.headers.get("content-range"), `bytes ${start}-${end - 1}/${size}`);
      assert.deepEqual(part.body, whole.body.subarray(start, end));
    }
    const beyond = await server().ask(body.url, { headers: { range: `bytes=${size}-` } });
    assert.deepEqual([beyond.status, beyond.headers.get("content-range")], [416, `bytes */${size}`]);
    for (const range of ["bytes=0-1,3-4", "lines=1-2", "bytes=5-2", "bytes=-"])
      assert.equal((await server().ask(body.url, { headers: { range } })).status, 200, range);
    const stale = await server().ask(body.url, { headers: { range: "bytes=0-3", "if-range": '"x"' } });
    assert.equal(stale.status, 200);
    const download = await server().ask(`${body.url}?download=true`);
    assert.match(download.headers.get("content-disposition") ?? "", /^attachment; /);
  });

  test("a link that is none is 404, and whoever keeps guessing is told to wait", async () => {
    assert.equal((await server().ask("/d/short")).status, 404);
    const missed = await server().ask("/d/AAAAAAAAAAAA");
    assert.partialDeepStrictEqual(missed, { status: 404, body: { code: "not-found" } });
    let answer = missed;
    for (let i = 0; i < 100 && answer.status === 404; i++) answer = await server().ask("/d/AAAAAAAAAAAA");
    assert.partialDeepStrictEqual(answer, { status: 429, body: { code: "rate-limited", limit: "misses" } });
    assert.ok(Number(answer.headers.get("retry-after")) > 0);
  });
});

describe("other settings", () => {
  const server = sharedServer({ PRIVATE_LINKS: "true", API_KEY: "secret", RENDER_MAX_CHARS: "60000" });

  test("RENDER_MAX_CHARS above Mermaid's own bound raises that as well", async () => {
    const source = `flowchart LR\n  a --> b\n${"%% a comment of some length\n".repeat(2_100)}  b --> c`;
    assert.ok(source.length > 55_000);
    const { status, body } = await server().render({ source, format: "mermaid" }, "sync", {
      headers: { "x-api-key": "secret" },
    });
    assert.equal(status, 200, JSON.stringify(body));
  });

  test("PRIVATE_LINKS asks for a key of the link's tenant, and caches in nobody's name", async () => {
    const admin = (tenant: string) => ({ headers: { "x-api-key": "secret", "x-tenant-id": tenant } });
    const { body } = await server().render(flowchart("private"), "sync", admin("acme"));
    assert.equal((await server().ask(body.url)).status, 401);
    assert.equal((await server().ask(body.url, admin("other"))).status, 404);
    const read = await server().ask(body.url, admin("acme"));
    assert.equal(read.status, 200);
    assert.match(read.headers.get("cache-control") ?? "", /^private/);
    assert.equal(read.headers.get("access-control-allow-origin"), null);
  });
});

function calls(server: DiagramServer) {
  return { render: server.render.bind(server), ask: server.ask.bind(server) };
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
