// runtimes: node
// The launcher is for Node: on Bun it would be its own runtime. It runs here as Node 24, which it replaces, and as a Node
// that cannot be replaced, as 20 is.

import assert from "node:assert/strict";
import { chmodSync, cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { engineRoot, run, temporaryFolder } from "../../support/program.ts";

const WAYS = {
  "a launcher that is replaced": [],
  "a launcher that stands in front": ["--import", "data:text/javascript,process.execve=undefined"],
};

for (const [way, flags] of Object.entries(WAYS)) {
  describe(way, () => {
    for (const runtime of ["bun", "node"]) {
      test(`runs the server with ${runtime} and passes SIGTERM on`, async (t) => {
        const program = launch(t, { flags, args: ["serve"], env: { MILLRACE_RUNTIME: runtime, PORT: "0" } });
        await program.said(new RegExp(`"runtime":"${runtime} `));
        program.child.kill("SIGTERM");
        assert.deepEqual(await program.ended(), { code: 0, signal: null }, program.stderr());
      });
    }

    test("prefers Bun", async (t) => {
      const program = launch(t, { flags, args: ["serve"], env: { PORT: "0" } });
      await program.said(/"runtime":"bun /);
    });

    test("passes the exit code back", async (t) => {
      const program = launch(t, { flags, args: ["serve"], env: { PORT: "x" } });
      assert.deepEqual(await program.ended(), { code: 2, signal: null });
    });

    test("ends by the signal that ended the program", async (t) => {
      const folder = installed(t, "process.kill(process.pid, 'SIGKILL')");
      const env = { MILLRACE_RUNTIME: "bun", PATH: fakeBun(t, `exec ${process.execPath} "$3"`) };
      const program = launch(t, { flags, env, folder });
      assert.deepEqual(await program.ended(), { code: null, signal: "SIGKILL" });
    });
  });
}

describe("without a runtime", () => {
  test("says what is missing, with exit code 2", async (t) => {
    const program = launch(t, { env: { MILLRACE_RUNTIME: "bun", PATH: "" }, folder: installed(t, "") });
    assert.equal((await program.ended()).code, 2);
    assert.match(program.stderr(), /^millrace: Millrace needs Bun 1\.4 or newer and found none\. Install/);
  });

  test("names a version that is too old", async (t) => {
    const path = fakeBun(t, "exit 1", "1.3.9");
    const program = launch(t, { env: { MILLRACE_RUNTIME: "bun", PATH: path }, folder: installed(t, "") });
    assert.equal((await program.ended()).code, 2);
    assert.match(program.stderr(), /found only bun 1\.3\.9/);
  });

  test("refuses a runtime it has not heard of", async (t) => {
    const program = launch(t, { env: { MILLRACE_RUNTIME: "deno" } });
    assert.equal((await program.ended()).code, 2);
    assert.match(program.stderr(), /MILLRACE_RUNTIME is "deno"\. Allowed: bun or node/);
  });
});

test("npm start leaves nothing behind when npm is told to stop", async (t) => {
  const env = { PORT: "0", JOB_DB_PATH: join(temporaryFolder(t), "jobs.db") };
  const program = run(t, ["npm", "start"], { env });
  const [, url = ""] = await program.said(/listens on (http:\S+)/);
  await program.said(/"server started"/);
  // npm tells only the shell it started, so the script replaces that shell by `exec`.
  program.child.kill("SIGTERM");
  assert.deepEqual(await program.ended(), { code: 0, signal: null }, program.stderr());
  await assert.rejects(fetch(url));
});

test("the published command line runs on the runtime that started it, though a Bun is on PATH", async (t) => {
  const folder = installed(t, "console.log('ran', process.argv[2], process.versions.bun)");
  const program = launch(t, { args: ["word"], env: { PATH: fakeBun(t, "echo bun ran") }, folder });
  assert.equal((await program.ended()).code, 0, program.stderr());
  assert.equal(program.stdout(), "ran word undefined\n");
});

test("the published command line on a Node that is too old says what it needs, with exit code 2", async (t) => {
  const old = "data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.11.0'})";
  const folder = installed(t, "console.log('ran')");
  const program = launch(t, { flags: ["--import", old], env: { PATH: fakeBun(t, "echo bun ran") }, folder });
  assert.equal((await program.ended()).code, 2);
  assert.equal(program.stdout(), "");
  assert.match(
    program.stderr(),
    /^millrace: Millrace needs Node 22\.22\.3 or 24\.15 or Bun 1\.4 or newer and found only node 20\.11\.0\. /,
  );
});

interface Launch {
  readonly flags?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly folder?: string;
}

function launch(t: TestContext, { flags = [], args = [], env = {}, folder = engineRoot }: Launch) {
  const command = [process.execPath, ...flags, join(folder, "bin/millrace.js"), ...args];
  return run(t, command, { env, cwd: temporaryFolder(t) });
}

/** A folder as npm would install it: launcher and dist, no src. */
function installed(t: TestContext, main: string): string {
  const folder = temporaryFolder(t);
  cpSync(join(engineRoot, "bin"), join(folder, "bin"), { recursive: true });
  mkdirSync(join(folder, "dist/cli"), { recursive: true });
  writeFileSync(join(folder, "dist/cli/main.js"), main);
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  return folder;
}

/** A PATH with nothing but a `bun` that tells this version and otherwise does as told. */
function fakeBun(t: TestContext, does: string, version = "1.4.4"): string {
  const folder = temporaryFolder(t);
  const answer = version === "" ? "exit 127" : `echo ${version}; exit 0`;
  writeFileSync(join(folder, "bun"), `#!/bin/sh\nif [ "$1" = --version ]; then ${answer}; fi\n${does}\n`);
  chmodSync(join(folder, "bun"), 0o755);
  return folder;
}
