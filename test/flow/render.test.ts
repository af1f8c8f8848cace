// runtimes: node
// time-limit: 400 s
// Diagrams from the command line and through the client: here, and by a server.

import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { diagrams } from "../../packages/diagrams/src/client.ts";
import { minutesLong } from "../../packages/diagrams/test/support/server.ts";
import { createClient, MillraceError } from "../../packages/millrace/src/client/index.ts";
import { ALL_WORKLOADS, cli, serving } from "../support/cli.ts";
import { temporaryFolder } from "../support/program.ts";
import { scaled } from "../support/slowness.ts";
import { until } from "../support/until.ts";

/** Renderers start, and load what they need, in their own time on a busy machine. */
const LONG_MS = 180_000;
const long = { timeout: LONG_MS };

const SOURCES = {
  "flow.mmd": "flowchart LR\n  a --> b\n",
  "broken.d2": "a -> b\nx: {shape: nope}\n",
  "graph.dot": "digraph { a -> b }\n",
  "wrong.mmd": "flowchart LR\n  a --> b\n  b -->\n",
};

function folderOf(t: Parameters<typeof temporaryFolder>[0]): string {
  const folder = temporaryFolder(t);
  for (const [name, source] of Object.entries(SOURCES)) writeFileSync(join(folder, name), source);
  return folder;
}

describe("millrace render", () => {
  test(
    "draws many files here; a fault is named with its line and column, and the others are drawn",
    long,
    async (t) => {
      const folder = folderOf(t);
      const program = cli(t, ["render", ...Object.keys(SOURCES), "absent.mmd", "--scale", "2"], {}, folder);
      assert.equal((await program.ended()).code, 1);
      const said = program.stderr();
      assert.match(said, /^millrace: broken\.d2:2:\d+: unknown shape "nope"$/m);
      assert.match(said, /^ {2}2 \| x: \{shape: nope\}\n {4}\| +\^\n {2}Shapes are /m);
      assert.match(said, /^millrace: wrong\.mmd:3(:\d+)?: /m);
      assert.match(said, /^millrace: absent\.mmd: No such file\./m);
      assert.match(said, /^\d\/5 flow\.svg$/m);
      assert.match(said, /2 diagrams drawn, 3 failed\.\n$/);
      assert.doesNotMatch(said, /░/, "a bar is for terminals");
      for (const name of ["flow.svg", "graph.svg"]) assert.match(readFileSync(join(folder, name), "utf8"), /^<svg /);
      for (const name of ["broken.svg", "wrong.svg"]) assert.ok(!existsSync(join(folder, name)), name);
    },
  );

  test(
    "writes a Markdown file with pictures; a fault names its line of the file, and its block stays",
    long,
    async (t) => {
      const folder = temporaryFolder(t);
      const lines = [
        "# Notes",
        "",
        "```mermaid",
        "flowchart LR",
        "  a --> b",
        "```",
        "",
        "- first",
        "",
        "  ~~~dot",
        "  digraph {",
      ];
      const text = [...lines, "    a -> ", "  }", "  ~~~", "", "```d2", "a -> b", "```", "", "The end.", ""].join("\n");
      writeFileSync(join(folder, "READ ME.md"), text);
      writeFileSync(join(folder, "plain.md"), "No diagram.\n");
      const program = cli(t, ["render", "READ ME.md", "plain.md"], {}, folder);
      assert.equal((await program.ended()).code, 1, program.stderr());
      assert.match(program.stderr(), /^millrace: READ ME\.md:13(?::\d+)?: syntax error in line 3/m);
      assert.match(program.stderr(), /^ {2}13 \| {3}\}$/m);
      const written = readFileSync(join(folder, "READ ME.out.md"), "utf8");
      const kept = text.slice(text.indexOf("- first"), text.indexOf("```d2"));
      assert.equal(
        written,
        `# Notes\n\n![diagram](./READ%20ME-1.svg)\n\n${kept}![diagram](./READ%20ME-3.svg)\n\nThe end.\n`,
      );
      for (const name of ["READ ME-1.svg", "READ ME-3.svg"])
        assert.match(readFileSync(join(folder, name), "utf8"), /^<svg /);
      assert.ok(!existsSync(join(folder, "READ ME-2.svg")));
      assert.equal(readFileSync(join(folder, "plain.out.md"), "utf8"), "No diagram.\n");
      assert.equal(readFileSync(join(folder, "READ ME.md"), "utf8"), text, "the file itself is not changed");
      for (const [args, said] of [
        [["plain.md", "-o", "plain.md"], /would overwrite/],
        [["plain.md", "-o", "plain.svg"], /must end in \.md/],
        [["absent.md"], /absent\.md/],
      ] as const) {
        const refused = cli(t, ["render", ...args], {}, folder);
        assert.equal((await refused.ended()).code, 2, args.join(" "));
        assert.match(refused.stderr(), said);
      }
    },
  );

  test("with --watch draws a file again when it changes, also after a fault, until it is stopped", long, async (t) => {
    const folder = folderOf(t);
    writeFileSync(join(folder, "notes.md"), "```dot\ndigraph { a }\n```\n");
    const program = cli(t, ["render", "flow.mmd", "notes.md", "--watch"], {}, folder);
    await program.said(/Watching for changes/);
    const svg = (name: string) => readFileSync(join(folder, name), "utf8");
    writeFileSync(join(folder, "flow.mmd"), "flowchart LR\n  a --> ");
    await program.said(/millrace: flow\.mmd:2(:\d+)?: /);
    writeFileSync(join(folder, "flow.mmd"), "flowchart LR\n  a --> again");
    await until("the flow is drawn again", () => svg("flow.svg").includes("again"), LONG_MS);
    writeFileSync(join(folder, "notes.md"), "```dot\ndigraph { other }\n```\n\n```dot\ndigraph { more }\n```\n");
    await until(
      "both pictures are drawn",
      () => existsSync(join(folder, "notes-2.svg")) && svg("notes-1.svg").includes("other"),
      LONG_MS,
    );
    await program.said(/notes\.out\.md[\s\S]*notes\.out\.md/);
    assert.match(svg("notes.out.md"), /notes-2\.svg/);
    rmSync(join(folder, "flow.mmd"));
    await program.said(/millrace: flow\.mmd: No such file/);
    program.child.kill("SIGINT");
    assert.equal((await program.ended()).code, 0, program.stderr());
    const piped = cli(t, ["render", "-", "--format", "d2", "--watch"], {}, folder);
    assert.equal((await piped.ended()).code, 2);
  });

  test("reads standard input and writes standard output; -o names the file and its kind", async (t) => {
    const folder = folderOf(t);
    const piped = cli(t, ["render", "-", "--format", "graphviz"], {}, folder);
    piped.child.stdin?.end(SOURCES["graph.dot"]);
    assert.equal((await piped.ended()).code, 0, piped.stderr());
    assert.match(piped.stdout(), /^<svg [\s\S]*<\/svg>\s*$/);
    const named = cli(t, ["render", "graph.dot", "-o", "picture.png"], {}, folder);
    assert.equal((await named.ended()).code, 0, named.stderr());
    assert.equal(readFileSync(join(folder, "picture.png")).toString("latin1", 1, 4), "PNG");
  });

  test("a diagram that never ends costs its own deadline and no other file", long, async (t) => {
    const folder = folderOf(t);
    writeFileSync(join(folder, "endless.mmd"), minutesLong().source);
    writeFileSync(join(folder, "empty.mmd"), "\n");
    const deadlineMs = scaled(3_000);
    const limits = { RENDER_TIMEOUT_MS: String(deadlineMs), RENDER_CONCURRENCY: "1" };
    const program = cli(t, ["render", "endless.mmd", "empty.mmd", "flow.mmd", "graph.dot"], limits, folder);
    assert.equal((await program.ended()).code, 1, program.stderr());
    assert.ok(program.stderr().includes(`millrace: endless.mmd: Render timed out after ${deadlineMs} ms\n`));
    assert.match(program.stderr(), /^millrace: empty\.mmd: The diagram is empty\.$/m);
    assert.match(program.stderr(), /2 diagrams drawn, 2 failed\.\n$/);
    for (const name of ["flow.svg", "graph.svg"]) assert.ok(existsSync(join(folder, name)), name);
  });

  test("refuses wrong use before it draws anything, with exit code 2", async (t) => {
    const folder = folderOf(t);
    const program = cli(t, ["render", "flow.mmd", "graph.dot", "--tenant", "acme"], {}, folder);
    assert.equal((await program.ended()).code, 2, program.stderr());
    assert.match(program.stderr(), /--tenant needs --server/);
    assert.ok(!existsSync(join(folder, "flow.svg")));
  });
});

describe("a server that draws", () => {
  test("for `millrace render --server` and for the client, the same bytes as are drawn here", long, async (t) => {
    const folder = folderOf(t);
    const { url } = await serving(t, { ...ALL_WORKLOADS, API_KEY: "secret", PRIVATE_LINKS: "true" }, [], folder);

    await t.test("--server: files beside their sources, faults with their place, exit code 1", long, async (t) => {
      const remote = ["--server", url, "--api-key", "secret"];
      const program = cli(t, ["render", ...Object.keys(SOURCES), ...remote], {}, folder);
      assert.equal((await program.ended()).code, 1, program.stderr());
      assert.match(program.stderr(), /^millrace: broken\.d2:2:\d+: unknown shape "nope"$/m);
      assert.match(program.stderr(), /^millrace: wrong\.mmd:3(:\d+)?: /m);
      const drawn = readFileSync(join(folder, "flow.svg"));
      const here = cli(t, ["render", "flow.mmd", "-o", "here.svg"], {}, folder);
      assert.equal((await here.ended()).code, 0, here.stderr());
      assert.deepEqual(drawn, readFileSync(join(folder, "here.svg")));
    });

    await t.test("--server: without a key refused (4), and a server that is not there is said (5)", async (t) => {
      const refused = cli(t, ["render", "flow.mmd", "--server", url], {}, folder);
      assert.equal((await refused.ended()).code, 4, refused.stderr());
      const away = cli(t, ["render", "flow.mmd", "--server", "http://127.0.0.1:1"], {}, folder);
      assert.equal((await away.ended()).code, 5, away.stderr());
    });

    const client = createClient({ baseUrl: url, apiKey: "secret", tenant: "acme" }).with(diagrams);

    await t.test("client.render waits for the link, and client.drawing reads it", async () => {
      const rendered = await client.render({ source: "a -> b: hello", format: "d2", outputType: "png" });
      assert.match(rendered.url, /^\/d\/[0-9A-Za-z]{12}$/);
      const { bytes, contentType } = await client.drawing(rendered);
      assert.equal(contentType, "image/png");
      assert.equal(new TextDecoder("latin1").decode(bytes.subarray(1, 4)), "PNG");
      assert.deepEqual((await client.drawing(rendered.shortlink)).bytes, bytes);
      const unknown = await client.drawing("AAAAAAAAAAAA").catch((thrown) => thrown);
      assert.deepEqual([unknown.status, unknown.code], [404, "not-found"]);
    });

    await t.test("client.render throws a fault with its place", async () => {
      const error = await client.render({ source: SOURCES["broken.d2"], format: "d2" }).catch((thrown) => thrown);
      assert.ok(error instanceof MillraceError);
      assert.deepEqual([error.code, error.line, typeof error.column], ["render-failed", 2, "number"]);
    });

    await t.test(
      "client.submitRender has the job at once; its result is the link, and the same key the same job",
      async () => {
        const request = { source: "flowchart LR\n  c --> d", format: "mermaid" } as const;
        const accepted = await client.submitRender(request, { idempotencyKey: "once", traceId: "trace-9" });
        assert.equal(accepted.statusUrl, `/jobs/${accepted.jobId}`);
        const result = await client.result<{ shortlink: string }>(accepted.jobId);
        assert.equal((await client.get(accepted.jobId)).traceId, "trace-9");
        const { bytes, contentType } = await client.drawing(result);
        assert.equal(contentType, "image/svg+xml");
        assert.match(new TextDecoder().decode(bytes), /^<svg /);
        assert.equal((await client.submitRender(request, { idempotencyKey: "once" })).jobId, accepted.jobId);
      },
    );

    await t.test("a warning of the engine comes with the link", async () => {
      const source = "---\nconfig:\n  themeVariables:\n    fontSize: [20]\n---\nflowchart LR\n  a --> b";
      const { warnings } = await client.render({ source, format: "mermaid" });
      assert.match(warnings?.join() ?? "", /wrong type: themeVariables\.fontSize/);
    });
  });

  test("past what the server waits for, sync is 504 with a job that goes on, and client.render waits for it", async (t) => {
    const { url } = await serving(t, { ...ALL_WORKLOADS, SYNC_WAIT_MS: "1" });
    const client = createClient({ baseUrl: url }).with(diagrams);
    const request = { source: "digraph { late }", format: "graphviz" } as const;
    const late = await fetch(`${url}/render?mode=sync`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(request),
    });
    const { code, jobId, statusUrl } = (await late.json()) as Record<string, string>;
    assert.deepEqual([late.status, code, statusUrl], [504, "still-running", `/jobs/${jobId}`]);
    const { shortlink } = await client.result<{ shortlink: string }>(String(jobId));
    assert.deepEqual(await client.render(request), { shortlink, url: `/d/${shortlink}` }, "it is kept");
    const other = await client.render({ ...request, source: "digraph { later }" });
    assert.notEqual(other.shortlink, shortlink);
  });
});
