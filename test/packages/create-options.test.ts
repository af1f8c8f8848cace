// runtimes: bun or node
// What the command line of create-millrace accepts, asks and refuses, without installing anything.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { complete, detectPackageManager } from "../../packages/create-millrace/lib/choices.js";
import { runtimeWarning } from "../../packages/create-millrace/lib/next-steps.js";
import { DATABASES, PACKAGE_MANAGERS, parseOptions } from "../../packages/create-millrace/lib/options.js";
import { targetFolder } from "../../packages/create-millrace/lib/target.js";
import { root, run, temporaryFolder } from "../support/program.ts";

const BIN = join(root, "packages/create-millrace/bin/create-millrace.js");

async function create(t: TestContext, ...args: string[]) {
  const cwd = temporaryFolder(t);
  // Offline, an installation fails at once. With a registry out of reach npm would try for more than a minute.
  const program = run(t, [process.execPath, BIN, ...args], { cwd, env: { npm_config_offline: "true" } });
  program.child.stdin?.end();
  const { code } = await program.ended();
  return { code, cwd, stdout: program.stdout(), stderr: program.stderr() };
}

test("without a terminal it asks nothing and writes a SQLite project", async (t) => {
  const { code, cwd, stdout, stderr } = await create(t, "--no-install", "--package-manager", "npm");
  assert.equal(code, 0, stderr);
  assert.match(stdout, /cd millrace-app\n {2}npm install\n {2}npm run dev/);
  const { dependencies } = manifest(join(cwd, "millrace-app"));
  assert.deepEqual(Object.keys(dependencies), ["millrace", "zod"]);
});

for (const db of DATABASES) {
  for (const packageManager of PACKAGE_MANAGERS) {
    test(`writes a whole project for ${db} and ${packageManager}`, async (t) => {
      const flags = ["--no-install", "--db", db, "--package-manager", packageManager];
      const { code, cwd, stderr } = await create(t, "Shop App", ...flags);
      assert.equal(code, 0, stderr);
      const folder = join(cwd, "Shop App");
      const files = filesIn(folder);
      for (const file of [".gitignore", ".dockerignore", ".env", ".env.example", "Dockerfile", "compose.yaml"])
        assert.ok(files.includes(file), `${file} is missing`);
      const texts = files.map((file) => readFileSync(join(folder, file), "utf8"));
      assert.deepEqual(
        files.filter((_, at) => texts[at]?.includes("{{")),
        [],
        "every placeholder is filled",
      );
      const { name, scripts } = manifest(folder);
      assert.equal(name, "shop-app");
      assert.deepEqual(Object.keys(scripts), ["dev", "start", "worker", "test", "typecheck"]);
      assert.equal(scripts.worker.startsWith("bun "), packageManager === "bun");
      assert.doesNotMatch(readFileSync(join(folder, ".env"), "utf8"), /change-me/);
    });
  }
}

test("a folder with files is refused with a sentence, and stays as it is", async (t) => {
  const cwd = temporaryFolder(t);
  mkdirSync(join(cwd, "full"));
  writeFileSync(join(cwd, "full", "kept.txt"), "mine");
  writeFileSync(join(cwd, "file"), "mine");
  for (const [folder, problem] of [
    ["full", 'The folder "full" is not empty. Choose another name, or empty it first.'],
    ["file", '"file" is a file. Choose another name.'],
  ] as const) {
    const program = run(t, [process.execPath, BIN, folder, "--no-install"], { cwd });
    assert.equal((await program.ended()).code, 1);
    assert.equal(program.stderr(), `create-millrace: ${problem}\n`);
  }
  assert.deepEqual(readdirSync(join(cwd, "full")), ["kept.txt"]);
});

test("a new repository counts as an empty folder", async (t) => {
  const cwd = temporaryFolder(t);
  mkdirSync(join(cwd, ".git"));
  const program = run(t, [process.execPath, BIN, ".", "--no-install"], { cwd });
  assert.equal((await program.ended()).code, 0, program.stderr());
  assert.ok(existsSync(join(cwd, "package.json")));
  assert.doesNotMatch(program.stdout(), /^ {2}cd/m, "the user is there already");
});

test("mistakes on the command line get a sentence and exit code 2", async (t) => {
  for (const [args, sentence] of [
    [["--db", "mysql"], 'Invalid value "mysql" for --db. Allowed: sqlite, postgres.'],
    [["--package-manager", "yarn"], 'Invalid value "yarn" for --package-manager. Allowed: npm, bun, pnpm.'],
    [["--database", "sqlite"], 'Unknown option "--database". Use --help to see all options.'],
    [["--millrace", " "], "--millrace needs a version or a path."],
    [["a", "postgres"], 'Unexpected argument "postgres".'],
  ] as const) {
    const { code, stderr, cwd } = await create(t, ...args);
    assert.equal(code, 2);
    assert.ok(stderr.startsWith(`create-millrace: ${sentence}`), stderr);
    assert.deepEqual(readdirSync(cwd), []);
  }
});

test("--help shows every option and --version the version of the package", async (t) => {
  const { stdout } = await create(t, "--help");
  for (const option of ["--db", "--package-manager", "--no-install", "--millrace", "--yes", "--help"])
    assert.ok(stdout.includes(option), option);
  const { version } = manifest(join(root, "packages/create-millrace"));
  assert.equal((await create(t, "--version")).stdout, `${version}\n`);
});

test("a failed installation keeps the files and says what to do", async (t) => {
  const { code, cwd, stderr } = await create(t, "app", "--package-manager", "npm", "--millrace", "./missing.tgz");
  assert.equal(code, 1);
  assert.match(stderr, /The files are written, but "npm install" failed\. Run it in .*app\.\n$/);
  assert.ok(existsSync(join(cwd, "app/src/web.ts")));
});

test("on a terminal it asks for what is missing, and again after an answer that cannot be used", async (t) => {
  const answers = [join(root, "docs"), join(temporaryFolder(t), "app"), "mysql", "postgres"];
  const asked: string[] = [];
  let isClosed = false;
  const questions = {
    ask: async (question: string) => {
      asked.push(question);
      return answers.shift() ?? "";
    },
    close: () => {
      isClosed = true;
    },
  };
  const choices = await complete(parseOptions([]), questions);
  assert.equal(choices.db, "postgres");
  assert.match(choices.folder, /app$/);
  assert.equal(asked.length, 4);
  assert.ok(isClosed, "the terminal is given back");
});

test("the package manager that runs the command is used", () => {
  const isBun = process.versions["bun"] !== undefined;
  assert.equal(detectPackageManager("pnpm/12.18.0 npm/? node/v24.15.0 linux x64"), isBun ? "bun" : "pnpm");
  assert.equal(detectPackageManager("bun/1.4.0 npm/? node/v24.15.0 linux x64"), "bun");
  assert.equal(detectPackageManager("npm/11.0.0 node/v24.15.0 linux x64"), isBun ? "bun" : "npm");
});

test("a Node that cannot run the project gets a warning", () => {
  const warning = (node: string) => runtimeWarning({ packageManager: "npm" }, { node } as NodeJS.ProcessVersions);
  assert.equal(warning("20.20.2"), "This is Node 20.20.2. The project needs Node 22.22.3 or 24.15, or newer.\n");
  for (const version of ["22.22.2", "23.11.0", "24.14.9"]) assert.notEqual(warning(version), "", version);
  for (const version of ["22.22.3", "24.15.0", "26.0.0"]) assert.equal(warning(version), "", version);
});

test("a folder becomes a name that npm accepts", () => {
  for (const [folder, name] of [
    ["My Shop", "my-shop"],
    ["_hidden.", "hidden."],
    ["Büro", "b-ro"],
    ["millrace", "millrace-app"],
    ["---", "millrace-app"],
  ] as const)
    assert.equal(targetFolder(join("/nowhere", folder)).name, name);
});

test("the versions of a new project admit those that this repository tests with", async (t) => {
  const { cwd } = await create(t, "app", "--no-install", "--db", "postgres");
  const { dependencies, devDependencies } = manifest(join(cwd, "app"));
  const tested = manifest(root).devDependencies;
  for (const [name, range] of Object.entries<string>({ ...dependencies, ...devDependencies })) {
    if (name === "millrace") continue;
    const major = (version: string) => version.replace(/^\^/, "").split(".")[0];
    assert.equal(major(range), major(tested[name]), name);
  }
});

// biome-ignore lint/suspicious/noExplicitAny: a package.json of many shapes
function manifest(folder: string): any {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}
