// What the API promises of artifacts, on any store.

import assert from "node:assert/strict";
import { test } from "node:test";
import { jobRoutes } from "../../../packages/millrace/src/api/job.ts";
import { createClient } from "../../../packages/millrace/src/client/index.ts";
import { good, refused, send } from "./call.ts";
import { ended } from "./jobs.ts";
import type { Server } from "./server.ts";

interface Kept {
  readonly name: string;
  readonly contentType?: string;
  readonly text: string;
}

async function jobWith(server: Server, artifacts: readonly Kept[], tenant?: string): Promise<string> {
  const job = await ended(server, { kind: "keeps", payload: artifacts }, tenant === undefined ? {} : { tenant });
  assert.equal(job.state, "completed");
  return job.jobId;
}

async function get(server: Server, jobId: string, name: string, headers: Record<string, string> = {}, method = "GET") {
  return send(server, method, `/jobs/${jobId}/artifacts/${encodeURIComponent(name)}`, { headers });
}

export function artifactPromises(server: Server): void {
  test("artifacts are listed by name with type and size", async () => {
    const jobId = await jobWith(server, [
      { name: "b.bin", text: "12345" },
      { name: "a.txt", contentType: "text/plain", text: "ü" },
    ]);
    const { artifacts } = await good(server, jobRoutes.artifacts, { params: { jobId } });
    assert.deepEqual(artifacts, [
      { name: "a.txt", contentType: "text/plain", size: 2 },
      { name: "b.bin", contentType: "application/octet-stream", size: 5 },
    ]);
    const without = await ended(server, { kind: "quick", payload: 1 });
    assert.deepEqual(await good(server, jobRoutes.artifacts, { params: { jobId: without.jobId } }), { artifacts: [] });
  });

  test("an artifact comes with its bytes, and the client reads it", async () => {
    const jobId = await jobWith(server, [{ name: "a/ü 1.txt", contentType: "text/plain", text: "hello ü" }]);
    const client = createClient({ baseUrl: server.url });
    const [listed] = await client.artifacts(jobId);
    const { bytes, contentType } = await client.artifact(jobId, listed?.name ?? "");
    assert.deepEqual([new TextDecoder().decode(bytes), contentType], ["hello ü", "text/plain; charset=utf-8"]);
  });

  test("an unknown artifact, and one of another tenant, do not exist", async () => {
    const jobId = await jobWith(server, [{ name: "a", text: "1" }], "other");
    await refused(server, jobRoutes.artifacts, { params: { jobId } }, "job-not-found");
    await refused(server, jobRoutes.artifact, { params: { jobId, name: "a" } }, "job-not-found");
    await refused(server, jobRoutes.artifact, { params: { jobId, name: "b" }, tenant: "other" }, "not-found");
    // A link of an administrator names the tenant.
    const linked = await send(server, "GET", `/jobs/${jobId}/artifacts/a?tenant=other`);
    assert.equal(await linked.text(), "1");
  });
}

export function contentPromises(server: Server): void {
  test("a browser shows inert types and saves all others; it runs none of them", async () => {
    const types: [string, string, string][] = [
      ["image/png", "image/png", "inline"],
      ["image/jpeg", "image/jpeg", "inline"],
      ["text/plain", "text/plain; charset=utf-8", "inline"],
      ["text/plain; charset=latin1", "text/plain; charset=latin1", "inline"],
      ["application/json", "application/json", "inline"],
      ["application/pdf", "application/pdf", "attachment"],
      ["text/csv", "text/csv", "attachment"],
      ["text/html", "application/octet-stream", "attachment"],
      ["TEXT/HTML; charset=utf-8", "application/octet-stream", "attachment"],
      ["image/svg+xml", "application/octet-stream", "attachment"],
      ["application/xhtml+xml", "application/octet-stream", "attachment"],
      ["text/javascript", "application/octet-stream", "attachment"],
      ["text/css", "application/octet-stream", "attachment"],
      ["image/png\r\nset-cookie: a=b", "application/octet-stream", "attachment"],
      ["nonsense", "application/octet-stream", "attachment"],
    ];
    const jobId = await jobWith(
      server,
      types.map(([contentType], n) => ({ name: `file-${n}`, contentType, text: "<script>alert(1)</script>" })),
    );
    for (const [n, [stored, served, disposition]] of types.entries()) {
      const { headers } = await get(server, jobId, `file-${n}`);
      assert.equal(headers.get("content-type"), served, stored);
      assert.equal(headers.get("content-disposition"), `${disposition}; filename="file-${n}"`, stored);
      assert.equal(headers.get("x-content-type-options"), "nosniff");
      assert.equal(headers.get("content-security-policy"), "sandbox; default-src 'none'");
      assert.equal(headers.get("set-cookie"), null);
    }
  });

  test("a file name is the last part of the artifact's name, in both of its spellings", async () => {
    const names: [string, string][] = [
      ["reports/2026/a.txt", 'filename="a.txt"'],
      ["C:\\temp\\a.txt", 'filename="a.txt"'],
      ["Übersicht 1.txt", "filename=\"_bersicht 1.txt\"; filename*=UTF-8''%C3%9Cbersicht%201.txt"],
      ['a"b\n.txt', "filename=\"a_b_.txt\"; filename*=UTF-8''a%22b%0A.txt"],
      ["it's (1)*.txt", 'filename="it\'s (1)*.txt"'],
      ["folder/", 'filename="artifact"'],
    ];
    const jobId = await jobWith(
      server,
      names.map(([name]) => ({ name, contentType: "text/plain", text: name })),
    );
    for (const [name, expected] of names) {
      const response = await get(server, jobId, name);
      assert.equal(response.headers.get("content-disposition"), `inline; ${expected}`);
      assert.equal(await response.text(), name);
    }
  });

  test("HEAD, ranges and entity tags work as HTTP has them", async () => {
    const jobId = await jobWith(server, [{ name: "ten", text: "0123456789" }]);
    const whole = await get(server, jobId, "ten");
    const etag = whole.headers.get("etag") ?? "";
    assert.match(etag, /^"[\w-]{22}"$/);
    assert.deepEqual([whole.status, await whole.text()], [200, "0123456789"]);
    assert.equal(whole.headers.get("cache-control"), "private, no-cache");
    const head = await get(server, jobId, "ten", {}, "HEAD");
    assert.deepEqual([head.headers.get("content-length"), await head.text()], ["10", ""]);
    const known = await get(server, jobId, "ten", { "if-none-match": `W/${etag}, "x"` });
    assert.deepEqual([known.status, await known.text()], [304, ""]);
    const part = await get(server, jobId, "ten", { range: "bytes=2-4", "if-range": etag });
    assert.deepEqual([part.status, await part.text()], [206, "234"]);
    assert.equal(part.headers.get("content-range"), "bytes 2-4/10");
    assert.equal(await (await get(server, jobId, "ten", { range: "bytes=-3" })).text(), "789");
    const changed = await get(server, jobId, "ten", { range: "bytes=2-4", "if-range": '"old"' });
    assert.deepEqual([changed.status, await changed.text()], [200, "0123456789"]);
    const beyond = await get(server, jobId, "ten", { range: "bytes=10-" });
    assert.deepEqual([beyond.status, beyond.headers.get("content-range")], [416, "bytes */10"]);
    await beyond.body?.cancel();
  });
}
