// runtimes: bun
import assert from "node:assert/strict";
import { once } from "node:events";
import { readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, test } from "node:test";
import { cli, output, serving } from "../../support/cli.ts";
import { root, temporaryFolder } from "../../support/program.ts";

const GREETINGS = join(root, "examples/workload/greetings.ts");

describe("millrace", () => {
  test("--version and --help answer, and a bare call shows the help", async (t) => {
    assert.match(await output(t, ["--version"]), /^\d+\.\d+\.\d+\n$/);
    const help = await output(t, ["--help"]);
    assert.match(help, /serve .*\n.*dev .*\n.*work .*\n[\s\S]* render .*\n[\s\S]*sites submit /);
    assert.equal(await output(t, []), help);
    assert.match(await output(t, ["serve", "--help"]), /--load <module>/);
    assert.match(await output(t, ["jobs"]), /jobs list .*\n.*jobs show /);
    assert.equal(await output(t, ["help", "serve"]), await output(t, ["serve", "--help"]));
  });

  test("refuses what it does not know, with exit code 2", async (t) => {
    const mistakes: [args: string[], says: string][] = [
      [["srve"], 'Unknown command "srve". Did you mean "serve"? See: millrace --help'],
      [["rendr", "x.mmd"], 'Unknown command "rendr". Did you mean "render"? See: millrace --help'],
      [["jobs", "lst"], 'Unknown command "jobs lst". Did you mean "jobs list"? See: millrace jobs --help'],
      [["serve", "--prot", "1"], 'Unknown flag --prot. Did you mean "--port"? See: millrace serve --help'],
      [["serve", "--port", "x"], '--port is "x". Allowed: a whole number from 0 to 65535. See: millrace serve --help'],
      [["serve", "--db", ""], '--db is "". See: millrace serve --help'],
      [["config", "now"], 'Unexpected argument "now". See: millrace config --help'],
    ];
    for (const [args, says] of mistakes) {
      const program = cli(t, args);
      assert.equal((await program.ended()).code, 2);
      assert.equal(program.stderr(), `millrace: ${says}\n`);
    }
  });
});

describe("millrace config", () => {
  test("reads .env of the working folder; the environment wins", async (t) => {
    const folder = temporaryFolder(t);
    writeFileSync(join(folder, ".env"), "PORT=1234\nQUEUE_MAX=7\nAPI_KEY=s3cret\n");
    const printed = await output(t, ["config"], { PORT: "5678" }, folder);
    assert.match(printed, /^PORT=5678$/m);
    assert.match(printed, /^QUEUE_MAX=7$/m);
    assert.doesNotMatch(printed, /s3cret/);
  });
});

describe("millrace serve", () => {
  test("says where it listens, answers /health and ends with 0 at SIGTERM", async (t) => {
    const { program, url } = await serving(t);
    const health = await fetch(`${url}/health`);
    assert.equal(health.status, 200);
    assert.partialDeepStrictEqual(await health.json(), { status: "ok" });
    assert.equal((await fetch(`${url}/nowhere`)).status, 404);
    program.child.kill("SIGTERM");
    assert.deepEqual(await program.ended(), { code: 0, signal: null });
  });

  test("keeps standard output for JSON log lines", async (t) => {
    const { program } = await serving(t);
    program.child.kill("SIGINT");
    await program.ended();
    const events = program
      .stdout()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).event);
    assert.deepEqual([...new Set(events)], ["pool started", "server started", "stopping", "drain", "stopped"]);
  });

  test("lists every problem of its settings at once, with exit code 2", async (t) => {
    const program = cli(t, ["serve"], { PORT: "x", HOST: "0.0.0.0", DURABILITY: "none" });
    assert.equal((await program.ended()).code, 2);
    assert.match(program.stderr(), /PORT is "x".*DURABILITY is "none".*HOST is "0\.0\.0\.0" and there is no API_KEY/s);
  });

  test("takes its place from flags, which win over settings, and serves only what it is asked for", async (t) => {
    const env = { PORT: "1", JOB_DB_PATH: "other.db", MILLRACE_LOAD: GREETINGS };
    const flags = ["--port", "0", "--host", "localhost", "--db", "mine.db", "--only", "greeting"];
    const { url, folder, json, call } = await serving(t, env, flags);
    assert.match(url, /^http:\/\/localhost:\d{4,}$/);
    const files = readdirSync(folder);
    assert.ok(files.includes("mine.db") && files.every((file) => file.startsWith("mine.")), files.join(", "));
    const { kinds } = await json("kinds");
    assert.deepEqual(
      kinds.map(({ kind }: { kind: string }) => kind),
      ["greeting"],
    );
    assert.equal((await call("greet", "Ada")).code, 0);
    assert.equal((await call("submit", "text", "{}")).code, 3);
    const other = await serving(t, { MILLRACE_LOAD: `millrace/text,${GREETINGS}` }, ["--only", "text"]);
    assert.equal((await fetch(`${other.url}/greetings`, { method: "POST" })).status, 404);
  });

  test("listens beyond loopback with a key", async (t) => {
    const { url } = await serving(t, { HOST: "0.0.0.0", API_KEY: "k" });
    assert.match(url, /0\.0\.0\.0/);
  });

  test("names the port that is taken, with exit code 1", async (t) => {
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    t.after(() => taken.close());
    const { port } = taken.address() as { port: number };
    const program = cli(t, ["serve"], { PORT: String(port) });
    assert.equal((await program.ended()).code, 1);
    assert.match(program.stderr(), new RegExp(`port ${port} on 127\\.0\\.0\\.1 is taken`));
  });
});
