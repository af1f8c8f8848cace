import assert from "node:assert/strict";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { engineRoot, type Program, RUNTIME, run, temporaryFolder } from "./program.ts";

type Environment = Readonly<Record<string, string>>;

/** `millrace` as a process of its own, on the runtime that runs the test. */
export function cli(t: TestContext, args: readonly string[], env: Environment = {}, cwd?: string): Program {
  const flags = process.versions["bun"] ? ["--no-env-file", "--no-install"] : [];
  const command = [...RUNTIME, ...flags, join(engineRoot, "src/cli/main.ts"), ...args];
  return run(t, command, { env, cwd: cwd ?? temporaryFolder(t) });
}

/** What it says on standard output, when all goes well. */
export async function output(t: TestContext, args: readonly string[], env?: Environment, cwd?: string) {
  const program = cli(t, args, env, cwd);
  assert.equal((await program.ended()).code, 0, program.stderr());
  return program.stdout();
}

/** Most tests draw nothing: a renderer that warms up for each of their servers was a tenth of all their work. */
export const NOTHING_WARM = { RENDER_SPARES: "0" };

/** Loading the workloads of the repository takes a fifth of the start of a server. Tests that draw or analyse name them. */
const NO_WORKLOADS = { MILLRACE_LOAD: "millrace/text" };
/** What `npm start` serves, for the environment of a server. */
export const ALL_WORKLOADS = { MILLRACE_LOAD: "millrace/text,@millrace/diagrams/workload,@millrace/sites/workload" };

/** A running server, and the command line in its folder. */
export async function serving(t: TestContext, env: Environment = {}, args: readonly string[] = [], folder?: string) {
  const cwd = folder ?? temporaryFolder(t);
  const program = cli(t, ["serve", ...args], { PORT: "0", ...NOTHING_WARM, ...NO_WORKLOADS, ...env }, cwd);
  const [, url = ""] = await program.said(/listens on (http:\S+)/);
  await program.said(/"server started"/);
  const here = { MILLRACE_URL: url, ...env };
  return {
    program,
    url,
    folder: cwd,
    /** Its exit code and what it said. */
    call: async (...command: string[]) => {
      const called = cli(t, command, here, cwd);
      const { code } = await called.ended();
      return { code, stdout: called.stdout(), stderr: called.stderr() };
    },
    json: async (...command: string[]) => JSON.parse(await output(t, [...command, "--json"], here, cwd)),
    start: (...command: string[]) => cli(t, command, here, cwd),
  };
}

/** A module with kinds that a test can use: quick, slow, failing, and one of two stages. */
export function kindsFile(folder: string): string {
  const file = join(folder, "kinds.ts");
  writeFileSync(
    file,
    `import { defineKind } from ${JSON.stringify(join(engineRoot, "src/index.ts"))};
const payload = { "~standard": { version: 1 as const, vendor: "test", validate: (value: unknown) => ({ value }) } };
export const quick = defineKind({ name: "quick", payload, run: async (ctx, value) => {
  ctx.log.info("at work", { value });
  await ctx.artifact("note.txt", new TextEncoder().encode("kept\\n"), "text/plain");
  return { got: await ctx.step("copy", () => value) };
} });
export const failing = defineKind({ name: "failing", payload, run: async () => { throw new Error("It broke \\u001b[31mbadly."); } });
export default [
  defineKind({ name: "slow", payload, run: (ctx) => new Promise((_, reject) => {
    ctx.progress(0.5, "half way");
    ctx.signal.addEventListener("abort", () => reject(ctx.signal.reason));
  }) }),
  defineKind({ name: "pipeline", payload }).stage("first", { run: async () => 1 }).stage("second", { run: async (_ctx, n) => n + 1 }),
];
`,
  );
  return file;
}

/** One that nobody listens on just now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}
