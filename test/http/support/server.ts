import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, type TestContext } from "node:test";
import { type Program, RUNTIME, root, run, temporaryFolder } from "../../support/program.ts";
import type { ServerOptions } from "./serve.ts";

export interface Server {
  readonly url: string;
  readonly port: number;
  readonly folder: string;
  readonly apiKey: string | undefined;
  readonly program: Program;
  /** What the process has in memory, in bytes. */
  rss(): number;
  /** The same after it has collected its garbage. */
  kept(): Promise<{ rss: number; heap: number }>;
}

type Wanted = Partial<ServerOptions> & {
  /** How many files it may have open. */
  readonly descriptors?: number;
};

/** A real process on a file of its own, gone when the test ends. */
export async function startServer(t: Pick<TestContext, "after">, wanted: Wanted = {}): Promise<Server> {
  const context = t as TestContext;
  const folder = temporaryFolder(context);
  const { descriptors, ...more } = wanted;
  const options = { path: join(folder, "jobs.db"), ...more };
  const flags = process.versions["bun"] ? ["--no-env-file", "--no-install"] : ["--expose-gc"];
  const command = [...RUNTIME, ...flags, join(root, "test/http/support/serve.ts"), JSON.stringify(options)];
  const few = descriptors === undefined ? [] : ["sh", "-c", `ulimit -n ${descriptors}; exec "$@"`, "sh"];
  const program = run(context, [...few, ...command], { cwd: folder });
  let asked = 0;
  const [, port] = await program.said(/listens on (\d+)/);
  return {
    url: `http://127.0.0.1:${port}`,
    port: Number(port),
    folder,
    apiKey: options.apiKey,
    program,
    rss: () => rssOf(program.child.pid as number),
    kept: async () => {
      program.child.kill("SIGUSR2");
      const [, rss, heap] = await program.said(new RegExp(`^kept ${++asked} (\\d+) (\\d+)$`, "m"));
      return { rss: Number(rss), heap: Number(heap) };
    },
  };
}

/** One for all tests of a file, for those that leave each other alone. */
export function sharedServer(wanted: Wanted = {}): Promise<Server> {
  return startServer({ after: (end) => after(end as () => Promise<void>) }, wanted);
}

function rssOf(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) * 1024;
}
