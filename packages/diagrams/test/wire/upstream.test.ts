// runtimes: bun
// What we have no engine for is drawn by another Kroki: here by a server of our own that answers as one does.

import assert from "node:assert/strict";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { after, describe, test } from "node:test";
import { type Answer, sharedServer } from "../support/server.ts";

interface Asked {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40"><script>alert(1)</script><rect width="80" height="40" fill="white" onclick="alert(1)"/><text x="9" y="20">upstream</text><image href="https://evil.example/x.png" width="9" height="9"/></svg>';
const asked: Asked[] = [];
const kroki = createServer((request, response) => {
  let body = "";
  request.on("data", (part) => {
    body += part;
  });
  request.on("end", () => {
    asked.push({ url: request.url ?? "", headers: request.headers, body });
    if (body.includes("broken")) response.writeHead(400).end("Error 400: no such shape");
    else if (body.includes("down")) response.writeHead(503).end("busy");
    else if (body.includes("elsewhere")) response.writeHead(302, { location: "https://evil.example/" }).end();
    else if (body.includes("no svg")) response.end("<html>");
    else response.writeHead(200, { "content-type": "image/svg+xml" }).end(SVG);
  });
});
await new Promise<void>((resolve) => kroki.listen(0, "127.0.0.1", resolve));
after(() => kroki.close());
const address = `http://127.0.0.1:${(kroki.address() as AddressInfo).port}`;

describe("KROKI_UPSTREAM", () => {
  const server = sharedServer({ KROKI_UPSTREAM: `${address}/` });
  const post = (path: string, body: string, headers: Record<string, string> = {}) =>
    server().ask(`/kroki${path}`, { method: "POST", headers: { "content-type": "text/plain", ...headers }, body });
  const text = ({ body }: Answer) => new TextDecoder().decode(body);

  test("draws what we have no engine for, cleaned, once, and as every kind of file", async () => {
    const first = await post("/ditaa/svg", "+--+ café", { "kroki-diagram-options-no-shadows": "true" });
    assert.equal(first.status, 200, text(first));
    assert.match(text(first), /upstream/);
    assert.doesNotMatch(text(first), /script|onclick|evil\.example/);
    const [{ url, headers, body }] = asked as [Asked];
    assert.deepEqual([url, body], ["/ditaa/svg", "+--+ café"]);
    assert.equal(headers["kroki-diagram-options-no-shadows"], "true");
    for (const [type, media] of [
      ["svg", "image/svg+xml"],
      ["png", "image/png"],
      ["pdf", "application/pdf"],
      ["jpeg", "image/jpeg"],
      ["webp", "image/webp"],
    ] as const) {
      const answer = await post(`/ditaa/${type}`, "+--+ café", { "kroki-diagram-options-no-shadows": "true" });
      assert.deepEqual([answer.status, answer.headers.get("content-type")], [200, media]);
    }
    assert.equal(asked.length, 1, "it is asked once");
  });

  test("tells faults as a Kroki does, and that the other server is down as 502", async () => {
    const broken = await post("/excalidraw/svg", "broken");
    assert.equal(broken.status, 400);
    assert.match(text(broken), /no such shape/);
    for (const source of ["down", "elsewhere"]) {
      const answer = await post("/erd/svg", source);
      assert.equal(answer.status, 502, source);
      assert.equal(answer.body.code, "upstream-failed");
    }
    assert.equal((await post("/erd/svg", "no svg")).status, 400);
  });

  test("gets no type that it does not have, and none that we draw", async () => {
    const before = asked.length;
    assert.equal((await post("/nothing/svg", "a")).status, 404);
    assert.equal((await post("/..%2Fadmin/svg", "a")).status, 404);
    assert.equal((await post("/graphviz/svg", "digraph { a }")).status, 200);
    assert.equal(
      (await post("/ditaa/svg", "a", { "kroki-diagram-options-x y": "1" }).catch(() => ({ status: 400 }))).status,
      400,
    );
    assert.equal(asked.length, before);
  });
});
