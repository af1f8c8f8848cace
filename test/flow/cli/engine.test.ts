// runtimes: bun
// The commands do the same on both; that the program starts on Node too is shown by cli.test.ts, which is quick.
// time-limit: 300 s

import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, test } from "node:test";
import { createClient } from "../../../packages/millrace/src/client/index.ts";
import { DatabaseSync } from "../../../packages/millrace/src/store/sqlite/connection/driver.ts";
import { cli, kindsFile, output, serving } from "../../support/cli.ts";
import { temporaryFolder } from "../../support/program.ts";

describe("millrace serve --load", () => {
  test("serves the kinds that a module exports by name, by default, in an array", async (t) => {
    const folder = temporaryFolder(t);
    const { json } = await serving(t, {}, ["--load", kindsFile(folder)], folder);
    const names = (await json("kinds")).kinds.map(({ kind }: { kind: string }) => kind);
    assert.deepEqual(new Set(names), new Set(["failing", "pipeline", "quick", "slow", "text"]));
  });

  test("serves the kinds that the function of a default export returns", async (t) => {
    const folder = temporaryFolder(t);
    const file = JSON.stringify(kindsFile(folder));
    writeFileSync(join(folder, "made.ts"), `import { quick } from ${file}; export default async () => [quick];`);
    const { json } = await serving(t, {}, ["--load", "made.ts"], folder);
    const names = (await json("kinds")).kinds.map(({ kind }: { kind: string }) => kind);
    assert.deepEqual(new Set(names), new Set(["quick", "text"]));
  });

  test("says what is wrong with the module, with exit code 2", async (t) => {
    const folder = temporaryFolder(t);
    const quick = kindsFile(folder);
    const modules = {
      "nothing.ts": { text: "export const a = 1;", says: /exports no workload and no kind \(it exports a\)/ },
      "factory.ts": {
        text: "export const makeKinds = (_db: unknown) => [];",
        says: /it exports makeKinds\).*Functions are not called, except the default export: export default \(\) => makeKinds/,
      },
      "throws.ts": {
        text: "export default () => { throw new Error('no database'); };",
        says: /the default export of throws\.ts failed: no database/,
      },
      "broken.ts": { text: "throw new Error('out of order');", says: /could not be loaded: out of order/ },
      "syntax.ts": { text: "const = 1", says: /could not be loaded/ },
      "twice.ts": { text: `export { quick, quick as again } from ${JSON.stringify(quick)};`, says: undefined },
      "empty.ts": {
        text: `import { quick } from ${JSON.stringify(quick)}; export default { kinds: [{ ...quick, name: "e", stages: [] }] };`,
        says: /"e" .*has no stage/,
      },
      "text.ts": {
        text: `import { quick } from ${JSON.stringify(quick)}; export default { ...quick, name: "text" };`,
        says: /has a kind "text", which already exists/,
      },
    };
    for (const [name, { text, says }] of Object.entries(modules)) {
      writeFileSync(join(folder, name), text);
      if (says === undefined) continue;
      const program = cli(t, ["serve", "--load", name], { PORT: "0" }, folder);
      assert.equal((await program.ended()).code, 2, name);
      assert.match(program.stderr(), says);
    }
    const { json } = await serving(t, {}, ["--load", "twice.ts"], folder);
    assert.equal((await json("kinds")).kinds.length, 2);
    const missing = cli(t, ["serve", "--load", "nowhere.ts"], { PORT: "0" }, folder);
    assert.equal((await missing.ended()).code, 2);
    assert.match(missing.stderr(), /there is no file .*nowhere\.ts/);
  });
});

describe("millrace work", () => {
  test("does the work of a server without pools, for the kinds it is told", async (t) => {
    const folder = temporaryFolder(t);
    const load = ["--load", kindsFile(folder)];
    const { json, call } = await serving(t, {}, ["--no-pools", ...load], folder);
    const quick = await json("submit", "quick", "1");
    const other = await json("submit", "pipeline", "1");
    const work = cli(t, ["work", ...load, "--kinds", "quick"], {}, folder);
    await work.said(/"work started"/);
    assert.equal((await call("jobs", "wait", quick.jobId, "--timeout", "20s")).code, 0);
    assert.equal((await json("jobs", "show", other.jobId)).state, "pending");
    assert.match((await call("pools")).stdout, /quick\/running/);
    work.child.kill("SIGTERM");
    assert.deepEqual(await work.ended(), { code: 0, signal: null });
  });

  test("refuses a kind it does not know", async (t) => {
    const program = cli(t, ["work", "--kinds", "text,nope"]);
    assert.equal((await program.ended()).code, 2);
    assert.match(program.stderr(), /Unknown kind or workload "nope"\. Known: text/);
  });
});

describe("without a server", () => {
  test("the first key is made in the file, and the server then knows it", async (t) => {
    const folder = temporaryFolder(t);
    const env = { PORT: "1" };
    const secret = (await output(t, ["keys", "create", "first", "--scopes", "admin"], env, folder)).trim();
    assert.match(secret, /^mr_/);
    assert.match(
      await output(t, ["keys", "list", "--db", "data/jobs.db"], env, folder),
      /first +default +admin +valid/,
    );
    const { url } = await serving(t, { API_KEY: "root" }, [], folder);
    const listed = await output(t, ["keys", "list"], { MILLRACE_URL: url, API_KEY: secret }, folder);
    assert.match(listed, /first/);
  });

  test("a named server that does not answer is not passed over", async (t) => {
    const folder = temporaryFolder(t);
    const program = cli(t, ["keys", "create", "first"], { MILLRACE_URL: "http://127.0.0.1:1" }, folder);
    assert.equal((await program.ended()).code, 5);
    assert.equal(existsSync(join(folder, "data")), false);
  });

  test("--db asks the file; a missing one is not made", async (t) => {
    const { json, folder, program } = await serving(t);
    const { jobId } = await json("submit", "text", '{"text": "x"}', "--delay", "1h");
    program.child.kill("SIGKILL");
    await program.ended();
    assert.match(await output(t, ["jobs", "list", "--db", "data/jobs.db"], {}, folder), new RegExp(jobId));
    const missing = cli(t, ["jobs", "list", "--db", "other.db"], {}, folder);
    assert.equal((await missing.ended()).code, 2);
    assert.equal(existsSync(join(folder, "other.db")), false);
  });
});

describe("millrace backup", () => {
  test("copies the file while a server writes to it, once", async (t) => {
    const { json, call, folder } = await serving(t);
    const { jobId } = await json("submit", "text", '{"text": "x"}', "--delay", "1h");
    const { files } = await json("backup", "copies/one.db");
    assert.equal(files.length, 2);
    const again = await call("backup", "copies/one.db");
    assert.deepEqual([again.code, /already exists/.test(again.stderr)], [1, true]);
    assert.match(await output(t, ["jobs", "list", "--db", "copies/one.db"], {}, folder), new RegExp(jobId));
    assert.equal((await call("backup", "copies/two.db", "--db", "nowhere.db")).code, 1);
  });
});

describe("millrace doctor", () => {
  test("finds nothing wrong before the first start, and beside a running server", async (t) => {
    const folder = temporaryFolder(t);
    assert.match(
      await output(t, ["doctor"], { PORT: "0" }, folder),
      /file +\S+jobs\.db will be created .*[\s\S]* 0 failed\.\n$/,
    );
    assert.equal(existsSync(join(folder, "data")), false);
    const { url } = await serving(t, {}, [], folder);
    const report = await output(t, ["doctor"], { PORT: new URL(url).port }, folder);
    assert.match(report, /ok +diagrams +mermaid \d.*d2 \d.*graphviz \d.*png \d/);
    assert.match(report, /isolation +confined processors cannot use a network/);
    assert.match(report, /ok +chromium +the server draws diagrams without a browser/);
    assert.match(report, /served by Millrace/);
    assert.match(report, /ok {4}schema/);
  });

  test("says when diagrams may ask for a Chromium that is not there", async (t) => {
    const env = { RENDER_CHROMIUM: "true", CHROMIUM_PATH: "/nowhere/chromium", PORT: "0" };
    assert.match(
      await output(t, ["doctor"], env),
      /warn +chromium +there is none at \/nowhere\/chromium\n.*RENDER_CHROMIUM/,
    );
  });

  test("names batches that were not sealed for a day", async (t) => {
    const { url, folder } = await serving(t);
    const client = createClient({ baseUrl: url });
    const open = async () => (await client.createBatch()).id;
    const [forgotten, sealed, cancelled] = [await open(), await open(), await open()];
    await client.sealBatch(sealed);
    await client.cancelBatch(cancelled);
    const finding = async () => {
      const { findings } = JSON.parse(await output(t, ["doctor", "--json"], { PORT: new URL(url).port }, folder));
      return findings.find(({ check }: { check: string }) => check === "batches");
    };
    assert.equal((await finding()).state, "ok");

    const db = new DatabaseSync(join(folder, "data", "jobs.db"), { timeout: 5_000 });
    db.prepare("UPDATE batch SET created_at = created_at - ?").run(25 * 60 * 60 * 1000);
    db.close();
    const late = await open();
    const { state, text, todo } = await finding();
    assert.equal(state, "warn");
    assert.equal(text, `1 batch not sealed for more than a day: ${forgotten}`);
    assert.doesNotMatch(text, new RegExp(late));
    assert.match(todo, /Seal or cancel it/);
  });

  test("names what is wrong and what to do, with exit code 1", async (t) => {
    const folder = temporaryFolder(t);
    const stranger = createServer((_, response) => response.end("hello")).listen(0, "127.0.0.1");
    await new Promise((resolve) => stranger.once("listening", resolve));
    t.after(() => stranger.close());
    const { port } = stranger.address() as { port: number };
    writeFileSync(join(folder, "bad.db"), "this is no database, whatever its name may say about it");
    const program = cli(t, ["doctor", "--db", "bad.db", "--json"], { PORT: String(port) }, folder);
    assert.equal((await program.ended()).code, 1);
    const { findings } = JSON.parse(program.stdout());
    const failed = findings.filter(({ state }: { state: string }) => state === "fail");
    assert.deepEqual(
      failed.map(({ check }: { check: string }) => check),
      ["file", "port"],
    );
    assert.ok(failed.every(({ todo }: { todo: string }) => todo.length > 10));

    const application = createServer((_, response) => response.end('{"status":"ok"}')).listen(0, "127.0.0.1");
    await new Promise((resolve) => application.once("listening", resolve));
    t.after(() => application.close());
    const { port: own } = application.address() as { port: number };
    const beside = await output(t, ["doctor"], { PORT: String(own) }, temporaryFolder(t));
    assert.match(beside, new RegExp(`ok +port +127\\.0\\.0\\.1:${own} is used by an application that answers /health`));

    const settings = cli(t, ["doctor"], { PORT: "x", QUEUE_MAX: "-1" }, folder);
    assert.equal((await settings.ended()).code, 1);
    assert.match(settings.stdout(), /fail {2}settings +PORT is "x"[\s\S]*fail {2}settings +QUEUE_MAX/);
  });
});
