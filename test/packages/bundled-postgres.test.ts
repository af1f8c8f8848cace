// runtimes: node
// time-limit: 300 s
// packages only
// A bundle starts the store thread of PostgreSQL from its own code, and finds `pg` in the working directory.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { freshDatabase, removeDatabasesAfterwards } from "../support/postgres.ts";
import { root, run, temporaryFolder } from "../support/program.ts";
import { installedProject } from "./support/installed.ts";
import { runtimePath } from "./support/new-project.ts";

removeDatabasesAfterwards();

const APPLICATION = `import { AppError, defineKind, Millrace, postgres } from "millrace";
import { z } from "zod";

const greet = defineKind({ name: "greet", payload: z.string(), run: (_ctx, name) => \`Hello \${name}\` });
try {
  const millrace = await Millrace.open({ store: postgres(process.env.DATABASE_URL ?? ""), kinds: [greet] });
  console.log(await (await millrace.submit(greet, "Ada")).wait());
  await millrace.stop();
} catch (error) {
  if (!(error instanceof AppError)) throw error;
  console.log(error.code, error.message);
}
`;

test("a bundle on PostgreSQL needs pg beside it, and says so", { timeout: 200_000 }, async (t) => {
  const project = await installedProject(t);
  writeFileSync(join(project, "app.ts"), APPLICATION);
  const rolldown = join(root, "node_modules/rolldown/bin/cli.mjs");
  const args = ["app.ts", "--dir", "out", "--entry-file-names", "app.mjs", "--format", "esm", "--platform", "node"];
  execFileSync(process.execPath, [rolldown, ...args, "--external", "pg"], { cwd: project, stdio: "pipe" });
  const env = { DATABASE_URL: await freshDatabase() };
  for (const runtime of ["node", "bun", "node22"]) {
    const elsewhere = temporaryFolder(t);
    cpSync(join(project, "out"), join(elsewhere, "out"), { recursive: true });
    const without = run(t, [runtimePath(runtime), "out/app.mjs"], { cwd: elsewhere, env });
    await without.ended();
    assert.equal(
      without.stdout(),
      'driver-missing PostgreSQL needs the package "pg". Install it with: npm install pg\n',
      without.stderr(),
    );
    mkdirSync(join(elsewhere, "node_modules"));
    symlinkSync(join(root, "node_modules/pg"), join(elsewhere, "node_modules/pg"));
    const beside = run(t, [runtimePath(runtime), "out/app.mjs"], { cwd: elsewhere, env });
    assert.deepEqual(await beside.ended(), { code: 0, signal: null }, beside.stdout() + beside.stderr());
    assert.equal(beside.stdout(), "Hello Ada\n");
  }
});
