// runtimes: node
// time-limit: 300 s
// A bundle of an application finds the store thread: in the installed package, or in the bundle itself. What only the installed
// package has, the dashboard and isolated stages, says so.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { root, run, temporaryFolder } from "../support/program.ts";
import { installedProject, installedTool } from "./support/installed.ts";
import { runtimePath } from "./support/new-project.ts";

const APPLICATION = `import { AppError, defineKind, Millrace, sqlite } from "millrace";
import { createHandler } from "millrace/http";
import { z } from "zod";

const greet = defineKind({ name: "greet", payload: z.string(), run: (_ctx, name) => \`Hello \${name}\` });
try {
  const millrace = await Millrace.open({ store: sqlite("./jobs.db"), kinds: [greet] });
  const handler = createHandler(millrace, { auth: () => ({ name: "ada", tenant: "*", scopes: ["admin"] }) });
  console.log(await (await millrace.submit(greet, "Ada")).wait());
  console.log((await millrace.list({ limit: 1 })).length);
  const page = await (await handler(new Request("http://localhost/ui/"))).text();
  console.log(/<h1>(.*?)<\\/h1>/.exec(page)?.[1] ?? "the dashboard");
  await millrace.stop();
} catch (error) {
  if (!(error instanceof AppError)) throw error;
  console.log(error.code, error.message, error.hint);
  process.exitCode = 3;
}
`;

const ISOLATED = `import { AppError, defineKind, Millrace, sqlite } from "millrace";
import { z } from "zod";

const module = new URL("./work.js", import.meta.url);
const draw = defineKind({ name: "draw", payload: z.string() }).stage("draw", { isolation: "process", module });
try {
  await Millrace.open({ store: sqlite("./jobs.db"), kinds: [draw] });
} catch (error) {
  if (!(error instanceof AppError)) throw error;
  console.log(error.code, error.message, error.hint);
  process.exitCode = 3;
}
`;

const ALONE = "Hello Ada\n1\nThe dashboard is not in this bundle\n";

async function bundleRuns(t: TestContext, bundle: (project: string) => void): Promise<void> {
  const project = await installedProject(t);
  writeFileSync(join(project, "app.ts"), APPLICATION);
  bundle(project);
  for (const runtime of ["node", "bun", "node22"]) {
    const program = run(t, [runtimePath(runtime), "out/app.mjs"], { cwd: project });
    assert.deepEqual(await program.ended(), { code: 0, signal: null }, program.stdout() + program.stderr());
    assert.equal(program.stdout(), "Hello Ada\n1\nthe dashboard\n");
  }
  await runsAlone(t, join(project, "out"));
}

/** Without node_modules: the thread comes out of the bundle. */
async function runsAlone(t: TestContext, bundle: string): Promise<void> {
  for (const runtime of ["node", "bun", "node22"]) {
    const elsewhere = temporaryFolder(t);
    cpSync(bundle, join(elsewhere, "out"), { recursive: true });
    const alone = run(t, [runtimePath(runtime), "out/app.mjs"], { cwd: elsewhere });
    assert.deepEqual(await alone.ended(), { code: 0, signal: null }, alone.stdout() + alone.stderr());
    assert.equal(alone.stdout(), ALONE);
    assert.equal(alone.stderr(), "");
  }
}

test("rolldown", { timeout: 200_000 }, async (t) => {
  await bundleRuns(t, bundleWithRolldown);
});

function bundleWithRolldown(project: string): void {
  const rolldown = join(root, "node_modules/rolldown/bin/cli.mjs");
  const args = ["app.ts", "--dir", "out", "--entry-file-names", "app.mjs", "--format", "esm", "--platform", "node"];
  execFileSync(process.execPath, [rolldown, ...args], { cwd: project, stdio: "pipe" });
}

const inPackages = process.env["PACKAGES"] === "1";

test("esbuild", { timeout: 200_000, skip: !inPackages && "it runs in npm run test:packages" }, async (t) => {
  const esbuild = join(await installedTool(t, "esbuild@0.28.2"), ".bin/esbuild");
  await bundleRuns(t, (project) => {
    const args = ["app.ts", "--bundle", "--outfile=out/app.mjs", "--format=esm", "--platform=node"];
    execFileSync(esbuild, [...args, "--external:pg", "--external:@opentelemetry/api"], { cwd: project, stdio: "pipe" });
  });
});

test("an isolated stage in a bundle without the package is refused when the store opens", {
  timeout: 200_000,
}, async (t) => {
  const project = await installedProject(t);
  writeFileSync(join(project, "app.ts"), ISOLATED);
  bundleWithRolldown(project);
  const elsewhere = temporaryFolder(t);
  cpSync(join(project, "out"), join(elsewhere, "out"), { recursive: true });
  const alone = run(t, [runtimePath("node"), "out/app.mjs"], { cwd: elsewhere });
  assert.equal((await alone.ended()).code, 3, alone.stdout() + alone.stderr());
  assert.match(alone.stdout(), /^bundled Millrace was bundled without .*Keep the package out of the bundle/);
});

test("an executable of bun build --compile runs on a file", { timeout: 200_000 }, async (t) => {
  const project = await installedProject(t);
  writeFileSync(join(project, "app.ts"), APPLICATION);
  const args = ["build", "--compile", "app.ts", "--outfile", "app"];
  execFileSync(runtimePath("bun"), args, { cwd: project, stdio: "pipe" });
  const elsewhere = temporaryFolder(t);
  cpSync(join(project, "app"), join(elsewhere, "app"));
  const alone = run(t, [join(elsewhere, "app")], { cwd: elsewhere });
  assert.deepEqual(await alone.ended(), { code: 0, signal: null }, alone.stdout() + alone.stderr());
  assert.equal(alone.stdout(), ALONE);
});
