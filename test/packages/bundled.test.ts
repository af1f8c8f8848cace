// runtimes: node
// time-limit: 300 s
// A bundle of an application finds the store thread in the installed package, or says what to do.

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
  console.log((await handler(new Request("http://localhost/ui/"))).status);
  await millrace.stop();
} catch (error) {
  if (!(error instanceof AppError)) throw error;
  console.log(error.code, error.message, error.hint);
  process.exitCode = 3;
}
`;

async function bundleRuns(t: TestContext, bundle: (project: string) => void): Promise<void> {
  const project = await installedProject(t);
  writeFileSync(join(project, "app.ts"), APPLICATION);
  bundle(project);
  for (const runtime of ["node", "bun", "node22"]) {
    const program = run(t, [runtimePath(runtime), "out/app.mjs"], { cwd: project });
    assert.deepEqual(await program.ended(), { code: 0, signal: null }, program.stdout() + program.stderr());
    assert.equal(program.stdout(), "Hello Ada\n200\n");
  }
  // Alone, without node_modules, it cannot work: the thread is a file of its own.
  const elsewhere = temporaryFolder(t);
  cpSync(join(project, "out"), join(elsewhere, "out"), { recursive: true });
  const alone = run(t, [runtimePath("node"), "out/app.mjs"], { cwd: elsewhere });
  assert.equal((await alone.ended()).code, 3, alone.stdout() + alone.stderr());
  assert.match(alone.stdout(), /^bundled Millrace was bundled.*Keep the package out of the bundle/);
}

test("rolldown", { timeout: 200_000 }, async (t) => {
  await bundleRuns(t, (project) => {
    const rolldown = join(root, "node_modules/rolldown/bin/cli.mjs");
    const args = ["app.ts", "--dir", "out", "--entry-file-names", "app.mjs", "--format", "esm", "--platform", "node"];
    execFileSync(process.execPath, [rolldown, ...args], { cwd: project, stdio: "pipe" });
  });
});

const inPackages = process.env["PACKAGES"] === "1";

test("esbuild", { timeout: 200_000, skip: !inPackages && "it runs in npm run test:packages" }, async (t) => {
  const esbuild = join(await installedTool(t, "esbuild@0.28.2"), ".bin/esbuild");
  await bundleRuns(t, (project) => {
    const args = ["app.ts", "--bundle", "--outfile=out/app.mjs", "--format=esm", "--platform=node"];
    execFileSync(esbuild, [...args, "--external:pg", "--external:@opentelemetry/api"], { cwd: project, stdio: "pipe" });
  });
});
