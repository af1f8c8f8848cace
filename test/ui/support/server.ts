import assert from "node:assert/strict";
import { join } from "node:path";
import { after, type TestContext } from "node:test";
import { type Client, createClient } from "../../../src/client/index.ts";
import { NOTHING_WARM } from "../../support/cli.ts";
import { type Program, root, run, temporaryFolder } from "../../support/program.ts";

export interface Server {
  readonly url: string;
  readonly program: Program;
  readonly folder: string;
  /** What a test does behind the page's back. */
  readonly client: Client;
}

interface Wanted {
  readonly env?: Readonly<Record<string, string>>;
  readonly folder?: string;
}

/** `npm start` as people run it, on the shipped kinds and those of these tests. It builds the dashboard if need be. */
export async function startServer(t: Pick<TestContext, "after">, { env = {}, folder }: Wanted = {}): Promise<Server> {
  const context = t as TestContext;
  const cwd = folder ?? temporaryFolder(context);
  const kinds = join(root, "test/ui/support/kinds.ts");
  const program = run(context, [process.execPath, join(root, "bin/millrace.js"), "serve", "--load", kinds], {
    cwd,
    env: { PORT: "0", RETRY_BASE_MS: "20", RETRY_MAX_MS: "50", LOG_LEVEL: "warn", ...NOTHING_WARM, ...env },
  });
  const [, url = ""] = await program.said(/Dashboard\s+(http:\S+)\/ui\//);
  assert.doesNotMatch(program.stderr(), /without the dashboard/);
  const apiKey = env["API_KEY"];
  return { url, program, folder: cwd, client: createClient({ baseUrl: url, ...(apiKey && { apiKey }) }) };
}

/** One for all tests of a file. */
export function sharedServer(wanted: Wanted = {}): Promise<Server> {
  return startServer({ after: (end) => after(end as () => Promise<void>) }, wanted);
}
