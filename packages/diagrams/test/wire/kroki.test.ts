// runtimes: bun
// Kroki's wire format, as its clients speak it. One of them, asciidoctor-kroki, is run for real.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { promisify } from "node:util";
import { deflateSync } from "node:zlib";
import { root, temporaryFolder } from "../../../../test/support/program.ts";
import { type Answer, sharedServer } from "../support/server.ts";

const FLOWCHART = "flowchart LR\n  kroki --> client";
const encode = (source: string | Buffer) => deflateSync(source, { level: 9 }).toString("base64url");
const text = ({ body }: Answer) => new TextDecoder().decode(body);

describe("/kroki", () => {
  const server = sharedServer({ RENDER_MAX_CHARS: "20000" });
  const post = (path: string, body: string | object, headers: Record<string, string> = {}) =>
    server().ask(`/kroki${path}`, {
      method: "POST",
      body: typeof body === "string" ? body : JSON.stringify(body),
      headers: { "content-type": typeof body === "string" ? "text/plain" : "application/json", ...headers },
    });

  test("GET draws what its address holds, with or without padding, and says how long to keep it", async () => {
    const url = `/kroki/mermaid/svg/${encode(FLOWCHART)}`;
    const drawn = await server().ask(url);
    assert.equal(drawn.status, 200);
    assert.equal(drawn.headers.get("content-type"), "image/svg+xml");
    assert.match(text(drawn), /^<svg[\s\S]*kroki/);
    assert.equal(drawn.headers.get("cache-control"), "public, max-age=432000");
    assert.match(drawn.headers.get("content-security-policy") ?? "", /sandbox/);
    const padded = deflateSync(FLOWCHART).toString("base64").replaceAll("+", "-").replaceAll("/", "_");
    assert.deepEqual((await server().ask(`/kroki/mermaid/svg/${padded}`)).body, drawn.body);
    const etag = drawn.headers.get("etag") ?? "";
    assert.equal((await server().ask(url, { headers: { "if-none-match": etag } })).status, 304);
  });

  test("every form of POST draws the same as GET, in each format", async () => {
    const expected = (await server().ask(`/kroki/mermaid/svg/${encode(FLOWCHART)}`)).body;
    const json = { diagram_source: FLOWCHART, diagram_type: "mermaid", output_format: "svg" };
    for (const drawn of [
      await post("/mermaid/svg", `\n${FLOWCHART}\n\n`),
      await post("/mermaid", FLOWCHART, { accept: "image/svg+xml" }),
      await post("/mermaid", { diagram_source: FLOWCHART }),
      await post("/mermaid/svg", { diagram_source: FLOWCHART }),
      await post("", json),
      await post("/", json),
    ]) {
      assert.equal(drawn.status, 200, text(drawn));
      assert.deepEqual(drawn.body, expected);
    }
    const png = await post("/mermaid", FLOWCHART, { accept: "image/png" });
    assert.equal(png.headers.get("content-type"), "image/png");
    for (const [type, source] of [
      ["d2", "a -> b"],
      ["graphviz", "digraph { a -> b }"],
      ["dot", "digraph { a -> b }"],
    ] as const)
      assert.equal((await post(`/${type}/svg`, source)).status, 200, type);
  });

  test("options come by query, by body and by header, in any case, and foreign ones are passed over", async () => {
    const url = `/kroki/d2/svg/${encode("a -> b")}`;
    const plain = text(await server().ask(url));
    const dark = [
      await server().ask(`${url}?theme=200&animate-interval=3`),
      await server().ask(`${url}?Theme=Dark+Mauve`),
      await server().ask(url, { headers: { "Kroki-Diagram-Options-Theme": "dark-mauve" } }),
      await post("/d2/svg", { diagram_source: "a -> b", diagram_options: { theme: "dark-mauve" } }),
    ].map(text);
    for (const svg of dark) assert.match(svg, /^<svg/);
    assert.equal(new Set(dark).size, 1, "by number and by either name");
    assert.notEqual(dark[0], plain);
    const wide = text(await server().ask(`${url}?pad=120`));
    assert.notEqual(wide, plain);
    for (const type of ["nothing", "__proto__", "constructor"])
      assert.equal((await post(`/${type}/svg`, "a")).status, 404, type);
    const wrong = await server().ask(`${url}?scale=many`);
    assert.equal(wrong.status, 400);
    assert.match(text(wrong), /^Error 400: options\.scale: /);
    const attributes = "graph-attribute-rankdir=LR&Node-Attribute-color=red";
    const graphviz = await server().ask(`/kroki/graphviz/svg/${encode("digraph { a -> b }")}?${attributes}`);
    assert.match(text(graphviz), /stroke="red"|stroke:red/);
  });

  test("answers the details that Kroki takes", async () => {
    const d2 = `/kroki/d2/svg/${encode("a -> b")}`;
    const plain = (await server().ask(d2)).body;
    for (const query of ["theme=default", "theme=neutral-gray", "theme=unknown", "layout=tala", "scale=-1"]) {
      const drawn = await server().ask(`${d2}?${query}`);
      assert.equal(drawn.status, 200, query);
      if (query !== "theme=neutral-gray") assert.deepEqual(drawn.body, plain, query);
    }
    assert.notDeepEqual((await server().ask(`${d2}?sketch=1`)).body, plain);
    const dot = `/kroki/graphviz/svg/${encode("digraph { a -> b }")}`;
    assert.deepEqual((await server().ask(`${dot}?scale=72`)).body, (await server().ask(dot)).body);
    const sequence = `/kroki/mermaid/svg/${encode("sequenceDiagram\n  Ann->>Bob: hello")}`;
    const names = async (query: string) => text(await server().ask(sequence + query)).split(">Ann<").length - 1;
    assert.deepEqual([await names(""), await names("?sequence_mirror-actors=false")], [2, 1]);
    assert.equal((await server().ask(`${sequence}?layout=tidy-tree`)).status, 200);
    const pdf = await post("/mermaid", FLOWCHART, { accept: "application/pdf" });
    assert.deepEqual([pdf.status, pdf.headers.get("content-type")], [200, "application/pdf"]);
    // The address before the body, and JSON before headers.
    const inBody = { diagram_source: "a -> b", output_format: "png", diagram_options: { theme: "200" } };
    const drawn = await post("/d2/svg", inBody, { "kroki-diagram-options-theme": "0" });
    assert.equal(drawn.headers.get("content-type"), "image/svg+xml");
    assert.deepEqual(drawn.body, (await server().ask(`${d2}?theme=200`)).body);
    assert.equal((await post("/d2", { ...inBody, diagram_options: {} })).headers.get("content-type"), "image/png");
    const untyped = JSON.stringify({ diagram_source: "a -> b", diagram_type: "d2", output_format: "svg" });
    for (const type of ["text/plain", "application/x-www-form-urlencoded"])
      assert.equal((await post("", untyped, { "content-type": type })).status, 200, type);
  });

  test("errors come as the client wants them: text, JSON, a page, or a picture", async () => {
    const url = `/kroki/d2/svg/${encode('x: {shape: nope "<b>"}')}`;
    const ask = (accept: string) => server().ask(url, { headers: { accept } });
    const plain = await ask("*/*");
    assert.equal(plain.status, 400);
    assert.match(
      text(plain),
      /^Error 400: .*\(line 1, column 12\)\n1 \| x: \{shape: nope "<b>"\}\n {2}\| {12}\^\nShapes are .+$/,
    );
    const json = await ask("application/json");
    assert.equal(json.body.error.code, 400);
    assert.ok(text(plain).endsWith(json.body.error.message));
    const page = await ask("text/html,application/xhtml+xml");
    assert.match(page.headers.get("content-type") ?? "", /^text\/html/);
    assert.doesNotMatch(text(page), /<b>/);
    const picture = await ask("image/avif,image/webp,image/*,*/*;q=0.8");
    assert.deepEqual([picture.status, picture.headers.get("content-type")], [400, "image/svg+xml"]);
    assert.match(text(picture), /^<svg[\s\S]*Error 400[\s\S]*<\/svg>$/);
    assert.doesNotMatch(text(picture), /<b>/);
    const png = url.replace("/svg/", "/png/");
    for (const [path, accept] of [
      [url, "image/png"],
      [png, "image/avif,image/webp,image/*,*/*;q=0.8"],
    ] as const) {
      const drawn = await server().ask(path, { headers: { accept } });
      assert.deepEqual([drawn.status, drawn.headers.get("content-type")], [400, "image/png"]);
      const view = new DataView(drawn.body.buffer, drawn.body.byteOffset);
      assert.deepEqual([view.getUint32(0), view.getUint32(16)], [0x89504e47, 720]);
    }
  });

  test("refuses with Kroki's own statuses", async () => {
    const wrong: [string, number][] = [
      [`/kroki/ditaa/svg/${encode("a")}`, 404],
      [`/kroki/mermaid/gif/${encode(FLOWCHART)}`, 400],
      [`/kroki/mermaid/svg/${encode("  \n")}`, 400],
      ["/kroki/mermaid/svg/AAAA", 400],
      ["/kroki/mermaid/svg/%C3%A4", 400],
      [`/kroki/mermaid/svg/${encode(Buffer.from([0xff, 0xfe]))}`, 400],
      [`/kroki/mermaid/svg/${encode("x".repeat(20_001))}`, 413],
    ];
    for (const [path, status] of wrong) assert.equal((await server().ask(path)).status, status, path);
    assert.equal((await post("", { diagram_type: "mermaid" })).status, 400);
    assert.equal((await post("", { diagram_source: "a" })).status, 400);
    assert.equal((await post("/mermaid/svg", "x".repeat(2_000_000))).status, 413);
    assert.equal((await server().ask("/kroki/mermaid/svg")).status, 405);
  });

  test("an address that holds a gigabyte of nothing is refused before it is unpacked", async () => {
    const bomb = encode(Buffer.alloc(8 * 1024 ** 2, "a"));
    assert.ok(bomb.length < 16_000);
    const { status } = await server().ask(`/kroki/mermaid/svg/${bomb}`);
    assert.equal(status, 413);
  });

  test("health names the engines", async () => {
    for (const path of ["/health", "/v1/health", "/healthz"]) {
      const response = await fetch(`${server().url}/kroki${path}`);
      assert.equal(response.headers.get("content-type"), "application/health+json");
      const { status, version } = (await response.json()) as { status: string; version: Record<string, unknown> };
      assert.equal(status, "pass");
      for (const engine of ["kroki", "mermaid", "d2", "graphviz"]) assert.ok(version[engine], engine);
    }
  });

  for (const method of ["get", "post"]) {
    test(`asciidoctor-kroki draws by ${method.toUpperCase()}`, async (t) => {
      const folder = temporaryFolder(t);
      const html = await asciidoctor(server().url, { method, folder, type: "mermaid", source: FLOWCHART });
      const [, file = ""] = /<img src="([^"]+\.svg)"/.exec(html) ?? [];
      assert.match(readFileSync(join(folder, file), "utf8"), /^<svg[\s\S]*kroki[\s\S]*<\/svg>/, html);
      const broken = await asciidoctor(server().url, { method, folder, type: "d2", source: "x: {shape: nope}" });
      assert.match(broken, new RegExp(`${method.toUpperCase()} http\\S+ - server returns 400 status code`));
    });
  }
});

interface Task {
  readonly method: string;
  readonly folder: string;
  readonly type: string;
  readonly source: string;
}

/** The client asks in the middle of its work and waits, so it runs in a process of its own; it is made for Node. */
async function asciidoctor(url: string, { method, folder, type, source }: Task): Promise<string> {
  const script = `
    const kroki = require("asciidoctor-kroki");
    const core = require("@asciidoctor/core");
    const asciidoctor = (core.default ?? core)();
    const registry = asciidoctor.Extensions.create();
    kroki.register(registry);
    const [, text, server, method, imagesoutdir] = process.argv;
    const attributes = { "kroki-server-url": server, "kroki-http-method": method, "kroki-fetch-diagram": true, imagesoutdir };
    process.stdout.write(String(asciidoctor.convert(text, { safe: "safe", extension_registry: registry, attributes })));
  `;
  const document = `[${type},format=svg]\n....\n${source}\n....\n`;
  const node = join(root, "node_modules/.bin/node");
  const args = ["-e", script, document, `${url}/kroki`, method, folder];
  const { stdout, stderr } = await promisify(execFile)(node, args, { cwd: root });
  return stdout + stderr;
}
