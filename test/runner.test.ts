// runtimes: node
// The runner of the tests: a run gives the same result whatever the machine has installed, and however busy it is.

import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { slowness } from "../scripts/testing/slowness.js";
import { root, run, temporaryFolder } from "./support/program.ts";
import { scaled } from "./support/slowness.ts";
import { until } from "./support/until.ts";

const SYSTEM = ["chromium", "redis-server", "pgbouncer", "psql", "postgres", "mariadbd"];

interface RunnerOptions {
  programs?: string[];
  env?: Record<string, string>;
  flags?: string[];
  file?: string;
}

/** Runs one test file with the runner, on a machine that has these programs in a folder of PATH. */
async function runTests(
  t: TestContext,
  content: string,
  { programs = [], env = {}, flags = [], file = "test/a.test.ts" }: RunnerOptions = {},
): Promise<string> {
  const [folder, bin] = [temporaryFolder(t), temporaryFolder(t)];
  for (const name of [...programs, "harmless"]) {
    writeFileSync(join(bin, name), "#!/bin/sh\n");
    chmodSync(join(bin, name), 0o755);
  }
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), `${content}\nimport { test } from "node:test";`);
  const PATH = `${bin}:${process.env["PATH"]}`;
  const command = [process.execPath, join(root, "scripts", "test.js"), "--root", folder, ...flags];
  const program = run(t, command, { env: { TEST_SLOWNESS: "5", ...env, PATH } });
  await program.ended();
  return program.stdout();
}

const LOOK = `import { execFileSync } from "node:child_process";
import { skipWithout } from ${JSON.stringify(join(root, "test/support/system.ts"))};
const found = (name) => { try { return execFileSync("sh", ["-c", "command -v " + name]).length > 0; } catch { return false; } };
for (const name of ${JSON.stringify(SYSTEM)})
  test("there is " + name, { skip: skipWithout(name) }, () => { if (!found(name)) throw new Error("none"); });
test("nothing is found by PATH or by variable", () => {
  const names = ${JSON.stringify(SYSTEM)}.filter(found);
  const variables = ["CHROMIUM_PATH", "DATABASE_URL", "TEST_DATABASE_URL", "PGHOST"].filter((name) => process.env[name]);
  if (names.length + variables.length > 0) throw new Error("seen: " + [...names, ...variables]);
});
test("all else is there", () => { if (!found("harmless")) throw new Error("gone"); });`;

const withoutTimes = (output: string) =>
  output
    .replace(/\d+ ms/g, "n ms")
    .split("\n")
    .sort()
    .join("\n");

/** A test file that starts programs in groups of their own, says their ids, and then goes on as \`rest\` says. */
const starts = (rest: string) => `import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { run } from ${JSON.stringify(join(root, "test/support/program.ts"))};
test("starts programs", async (t) => {
  const script = 'const { spawn } = require("node:child_process");' +
    'const grandchild = spawn("sleep", ["600"], { detached: true, stdio: "ignore" });' +
    'console.log("ids " + process.pid + " " + grandchild.pid + "."); setTimeout(() => {}, 600_000)';
  const program = run({ after() {} }, [process.execPath, "-e", script]);
  const [, ids] = await program.said(/ids (.*)\\./);
  writeFileSync(process.env.IDS, ids);
  ${rest}
});`;

/** Asserts that the processes whose ids the file holds have ended, or end soon. */
async function allEnded(file: string): Promise<void> {
  const ids = readFileSync(file, "utf8").split(" ").map(Number);
  assert.equal(ids.length, 2);
  for (const id of ids) await until(`process ${id} ended`, () => !isRunning(id));
}

function isRunning(pid: number): boolean {
  try {
    // A zombie has ended: it waits for its parent to notice.
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

const skip = !existsSync("/proc/self/environ") && "programs are found by /proc";

describe("a stopped run leaves no program behind", { skip }, () => {
  test("when a file runs into its limit", async (t) => {
    const IDS = join(temporaryFolder(t), "ids");
    const content = `// time-limit: 1 s\n${starts("await new Promise((resolve) => setTimeout(resolve, 600_000));")}`;
    const env = { TEST_SLOWNESS: String(scaled(3)), IDS };
    const output = await runTests(t, content, { flags: ["--runtime", "node"], env });
    assert.match(output, new RegExp(`Not done after ${scaled(3)} s`));
    await allEnded(IDS);
  });

  test("when a file ends before its programs do", async (t) => {
    const IDS = join(temporaryFolder(t), "ids");
    const rest =
      "program.child.unref(); program.child.stdout.destroy(); program.child.stderr.destroy(); process.exit(0);";
    await runTests(t, starts(rest), { flags: ["--runtime", "node"], env: { IDS } });
    await allEnded(IDS);
  });

  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    test(`when the runner gets ${signal}`, async (t) => {
      const folder = temporaryFolder(t);
      const IDS = join(folder, "ids");
      mkdirSync(join(folder, "test"));
      const content = starts("await new Promise((resolve) => setTimeout(resolve, 600_000));");
      writeFileSync(join(folder, "test/a.test.ts"), `import { test } from "node:test";\n${content}`);
      const command = [process.execPath, join(root, "scripts/test.js"), "--root", folder, "--runtime", "node"];
      const runner = run(t, command, { env: { TEST_SLOWNESS: "5", IDS } });
      await until("the programs run", () => existsSync(IDS) && readFileSync(IDS, "utf8").length > 0);
      runner.child.kill(signal);
      await runner.ended();
      await allEnded(IDS);
    });
});

describe("busy loops", { skip }, () => {
  const COUNT = `import { readdirSync, readFileSync } from "node:fs";
const parentOf = (id) => { try { return Number(/^PPid:\\t(\\d+)/m.exec(readFileSync("/proc/" + id + "/status", "utf8"))?.[1]); } catch { return 0; } };
const lineOf = (id) => { try { return readFileSync("/proc/" + id + "/cmdline", "utf8"); } catch { return ""; } };
let runner = process.pid;
while (runner > 0 && !lineOf(runner).includes("scripts/test.js")) runner = parentOf(runner);
const loops = readdirSync("/proc").filter((id) => /^\\d+$/.test(id) && lineOf(id).includes("const parent = process.ppid") && parentOf(id) === runner);
test(loops.length + " loops run beside it: " + loops.join(" "), () => {});`;

  test("run beside the tests as often as --busy says, and end with them", async (t) => {
    const folder = temporaryFolder(t);
    mkdirSync(join(folder, "test"));
    writeFileSync(
      join(folder, "test/a.test.ts"),
      `import { test } from "node:test";\n${COUNT.replace("=> {});", '=> { throw new Error("told"); });')}`,
    );
    const command = [
      process.execPath,
      join(root, "scripts/test.js"),
      "--root",
      folder,
      "--runtime",
      "node",
      "--busy",
      "2",
    ];
    const runner = run(t, command, { env: { TEST_SLOWNESS: "5" } });
    await runner.ended();
    const [, ids = ""] = /2 loops run beside it: ([\d ]+)/.exec(runner.stdout()) ?? [];
    assert.equal(ids.trim().split(" ").length, 2, runner.stdout());
    for (const id of ids.trim().split(" ")) await until("the loop has ended", () => !isRunning(Number(id)), 10_000);
  });
});

describe("the runner", () => {
  test("keeps files that say so for test:packages, which runs test/packages alone and tells its tests", async (t) => {
    const content = `// packages only
      test("a", () => { if (process.env["PACKAGES"] !== "1") throw new Error("not told"); });`;
    const [flags, file] = [["--packages"], "test/packages/a.test.ts"];
    assert.match(await runTests(t, content, { file }), /^No test file matches\.$/m);
    assert.match(await runTests(t, content, { file, flags }), /^2 passed, 0 failed$/m);
    assert.match(await runTests(t, content, { flags }), /^No test file matches\.$/m);
  });

  test("gives the same result with and without the system's databases and browsers, and lists what it skipped", async (t) => {
    const bare = await runTests(t, LOOK);
    const env = {
      CHROMIUM_PATH: "/bin/sh",
      DATABASE_URL: "postgres://x",
      TEST_DATABASE_URL: "postgres://x",
      PGHOST: "x",
    };
    const full = await runTests(t, LOOK, { programs: SYSTEM, env });
    assert.equal(withoutTimes(full), withoutTimes(bare));
    assert.match(full, /^4 passed, 0 failed$/m);
    for (const name of SYSTEM)
      for (const runtime of ["bun", "node"])
        assert.ok(full.includes(`skipped: test/a.test.ts on ${runtime}: ${name} is hidden without TEST_SYSTEM=1`));
  });

  test("shows the system's programs with TEST_SYSTEM=1, and says which are not installed", async (t) => {
    const programs = SYSTEM.filter((name) => name !== "psql");
    const output = await runTests(t, LOOK.replaceAll('"psql"', '"no-such-program"'), {
      programs,
      env: { TEST_SYSTEM: "1" },
    });
    assert.match(output, /\(pass\) there is redis-server|✔ there is redis-server|12 passed/);
    assert.match(output, /^skipped: test\/a\.test\.ts on bun: no-such-program is not installed$/m);
    assert.match(output, /nothing is found by PATH or by variable/, "it fails, since they are seen");
  });

  test("multiplies every limit by the slowness of the machine", async (t) => {
    const content = `import { scaled } from ${JSON.stringify(join(root, "test/support/slowness.ts"))};
      test("sleeps", { timeout: 200 }, () => new Promise((resolve) => setTimeout(resolve, 600)));
      test("has scaled limits", () => { if (scaled(10) !== 2000) throw new Error(String(scaled(10))); });`;
    assert.match(await runTests(t, content, { env: { TEST_SLOWNESS: "200" } }), /^4 passed, 0 failed$/m);
    assert.match(await runTests(t, content, { env: { TEST_SLOWNESS: "1" } }), /^0 passed, 4 failed$/m);
  });

  test("limits each test of a suite, and not the suite", async (t) => {
    const content = `import { describe } from "node:test";
      const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
      describe("a suite", () => {
        for (const name of ["a", "b", "c"]) test(name, () => sleep(800));
        test("too long", () => sleep(4_000));
        test("has a limit of its own", { timeout: 8_000 }, () => sleep(2_200));
      });`;
    const env = { TEST_SLOWNESS: "1", TEST_LIMIT_MS: "2000" };
    // Node counts the suite as well.
    const output = await runTests(t, content, { env });
    assert.match(output, /^8 passed, [23] failed$/m);
    assert.equal(output.match(/^ *(?:✖|\(fail\)).*too long/gm)?.length, 5, "on both runtimes, and again in the lists");
  });
});

describe("runtimes that take turns", () => {
  const content = `// runtimes: node or bun
    test("runs", () => {});`;
  const runtimesOf = (output: string) => [...output.matchAll(/^ok +(\w+)/gm)].map(([, runtime]) => runtime);

  test("each has its day", async (t) => {
    const days = ["20000", "20001", "20002"].map((TEST_ROTATION) => runTests(t, content, { env: { TEST_ROTATION } }));
    const [first = [], second = [], third = []] = (await Promise.all(days)).map(runtimesOf);
    assert.deepEqual([...first, ...second].sort(), ["bun", "node"]);
    assert.deepEqual(third, first);
  });

  test("a unit is such a file unless it says more", async (t) => {
    const file = "packages/some/src/a.test.ts";
    assert.equal(runtimesOf(await runTests(t, 'test("runs", () => {});', { file })).length, 1);
    assert.equal(runtimesOf(await runTests(t, '// runtimes: both\ntest("runs", () => {});', { file })).length, 2);
  });

  test("--every-runtime runs all of them, and --runtime the named one", async (t) => {
    const every = runTests(t, content, { flags: ["--every-runtime"] });
    assert.deepEqual(runtimesOf(await every).sort(), ["bun", "node"]);
    for (const runtime of ["bun", "node"])
      assert.deepEqual(runtimesOf(await runTests(t, content, { flags: ["--runtime", runtime] })), [runtime]);
  });
});

test("--without leaves out files by a part of their path", async (t) => {
  assert.match(
    await runTests(t, 'test("runs", () => {});', { flags: ["--without", "test/a"] }),
    /No test file matches/,
  );
});

test("the long run takes the files that have one, with their full counts", async (t) => {
  const { rounds } = await import("./support/torture.ts");
  assert.equal(rounds("NO_SUCH_COUNT", 2, 20), process.env["TORTURE"] === "1" ? 20 : 2);
  const support = JSON.stringify(join(root, "test/support/torture.ts"));
  const content = `import { rounds } from ${support};
    test("counts", () => { if (rounds("A", 2, 20) !== 20 || rounds("B", 2, 20) !== 7) throw new Error(); });`;
  const env = { B: "7" };
  assert.match(await runTests(t, content, { env, flags: ["--torture"] }), /^2 passed, 0 failed$/m);
  assert.match(await runTests(t, content, { env }), /^0 passed, 2 failed$/m);
  assert.match(await runTests(t, 'test("is short", () => {});', { flags: ["--torture"] }), /No test file matches/);
});

test("slowness is 1 on a quiet machine, grows with the time of the reference work, and is measured again after a while", () => {
  const measured = (at: number, tookMs: number, share = 1, load = 0) => {
    const times = [at, at, at + tookMs, at + tookMs];
    return slowness({ share, now: () => times.shift() ?? 0, load: () => load });
  };
  assert.equal(measured(0, 90), 1);
  assert.equal(measured(1_000, 900), 1, "not measured again yet");
  assert.equal(measured(20_000, 250), 5, "beside four busy loops on two processors");
  assert.equal(measured(40_000, 250, 2), 1, "that is our own files' doing");
  assert.equal(
    measured(60_000, 90, 3, 10),
    4,
    "the work met a quiet moment of a machine on which twenty programs wait",
  );
  assert.equal(measured(80_000, 90, 3, 8), 1, "our own files are eight programs at work");
  assert.equal(measured(100_000, 90, 1, 30), 4, "the load alone does not make limits longer than that");
});
