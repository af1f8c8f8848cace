// runtimes: node
// time-limit: 300 s
// What npm would publish, installed into an empty project, must run the README's first example on both runtimes.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { findRuntime } from "../bin/runtimes.js";
import { root, run } from "./support/program.ts";

const execute = promisify(execFile);
const INSTALL_LIMIT_MS = 180_000;

describe("the published package", () => {
  const project = mkdtempSync(join(tmpdir(), "millrace-pack-"));
  const installed = join(project, "node_modules/millrace");

  before(
    async () => {
      await execute("npm", ["pack", "--silent", "--pack-destination", project], { cwd: root });
      const tarball = readdirSync(project).find((file) => file.endsWith(".tgz"));
      assert.ok(tarball, "npm pack made no tarball");
      writeFileSync(join(project, "package.json"), '{ "name": "empty", "private": true, "type": "module" }');
      const flags = ["--prefix", project, "--prefer-offline", "--no-audit", "--no-fund", "--silent"];
      await execute("npm", ["install", ...flags, join(project, tarball)], { cwd: project });
      writeFileSync(join(project, "example.ts"), readmeExample());
    },
    { timeout: INSTALL_LIMIT_MS },
  );
  after(() => rmSync(project, { recursive: true, force: true }));

  for (const name of ["bun", "node"]) {
    test(`runs the README's first example on ${name}`, async (t) => {
      const { path, flags } = runtime(name);
      const program = run(t, [path, ...flags, "example.ts"], { cwd: project });
      assert.deepEqual(await program.ended(), { code: 0, signal: null }, program.stdout() + program.stderr());
    });

    test(`starts the server on ${name} by its command`, async (t) => {
      const env = {
        MILLRACE_RUNTIME: name,
        PORT: "0",
        PATH: dirname(runtime(name).path) + delimiter + process.env["PATH"],
      };
      const program = run(t, [join(project, "node_modules/.bin/millrace"), "serve"], { cwd: project, env });
      await program.said(new RegExp(`"runtime":"${name} `));
      const [, url = ""] = await program.said(/Dashboard\s+(http:\S+)/);
      const page = await (await fetch(url)).text();
      const [, script = ""] = /src="([^"]+\.js)"/.exec(page) ?? [];
      assert.equal((await fetch(new URL(script, url))).status, 200, "the dashboard is served as it was built");
      program.child.kill("SIGTERM");
      assert.deepEqual(await program.ended(), { code: 0, signal: null }, program.stderr());
    });
  }

  test("has types that a strict project accepts", async () => {
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      target: "es2024",
      module: "nodenext",
      allowImportingTsExtensions: true,
      resolveJsonModule: true,
      skipLibCheck: false,
      types: ["node"],
      typeRoots: [join(root, "node_modules/@types")],
    };
    writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["example.ts"] }));
    const failure = await execute(join(root, "node_modules/.bin/tsc"), ["-p", project]).catch((error) => error);
    assert.equal(failure.code ?? 0, 0, failure.stdout);
  });

  test("has a client whose types need nothing of Node", async () => {
    writeFileSync(join(project, "client.ts"), CLIENT_EXAMPLE);
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: "es2024",
      module: "esnext",
      moduleResolution: "bundler",
      lib: ["es2024", "dom", "dom.iterable"],
      skipLibCheck: false,
      types: [],
    };
    const browser = join(project, "tsconfig.browser.json");
    writeFileSync(browser, JSON.stringify({ compilerOptions, files: ["client.ts"] }));
    const failure = await execute(join(root, "node_modules/.bin/tsc"), ["-p", browser]).catch((error) => error);
    assert.equal(failure.code ?? 0, 0, failure.stdout);
  });

  test("holds what is needed and nothing else", () => {
    const files = readdirSync(installed, { recursive: true, encoding: "utf8" });
    for (const needed of [
      "README.md",
      "LICENSE",
      "CHANGELOG.md",
      ".env.example",
      "bin/millrace.js",
      "dist/cli/main.js",
      "dist/client/index.js",
      "dashboard/dist/index.html",
    ]) {
      assert.ok(files.includes(needed), `${needed} is missing`);
    }
    const stray = files.filter((file) =>
      /\.test\.|contract-suite|^(src|test|scripts|tools|bench)\b|(?<!\.d)\.ts$/.test(file),
    );
    assert.deepEqual(stray, []);
  });

  test("depends on no runtime, and on nothing the dashboard was built with", () => {
    const { dependencies, optionalDependencies = {} } = JSON.parse(
      readFileSync(join(installed, "package.json"), "utf8"),
    );
    const runtimes = Object.keys({ ...dependencies, ...optionalDependencies }).filter((name) =>
      /bun|^node-|react|vite|uplot|playwright|chromium|fontsource/.test(name),
    );
    assert.deepEqual(runtimes, []);
  });
});

const CLIENT_EXAMPLE = `import { createClient, MillraceError } from "millrace/client";

const client = createClient({ baseUrl: "http://127.0.0.1:3000", fetch: (url, init) => fetch(url, init) });
export async function submit(): Promise<string> {
  try {
    const job = await client.submit("text", { text: "hello" }, { runAt: new Date() });
    return JSON.stringify(await client.result(job));
  } catch (error) {
    return error instanceof MillraceError ? error.code : "other";
  }
}
`;

function readmeExample(): string {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const example = /^```ts\n(?<code>[\s\S]*?)^```$/m.exec(readme)?.groups?.["code"];
  assert.ok(example, "README.md has no block that begins with ```ts");
  assert.match(example, /from "millrace/, "the first example of README.md does not import millrace");
  return example;
}

function runtime(name: string): { path: string; flags: string[] } {
  const found = findRuntime({ root, wanted: name });
  assert.ok(!("problem" in found), "problem" in found ? found.problem : "");
  return found;
}
