import assert from "node:assert/strict";
import { join } from "node:path";
import { after, type TestContext } from "node:test";
import { type DiagramCalls, diagrams } from "../../../packages/diagrams/src/client.ts";
import { type Client, createClient } from "../../../packages/millrace/src/client/index.ts";
import { type SiteCalls, sites } from "../../../packages/sites/src/client.ts";
import { NOTHING_WARM } from "../../support/cli.ts";
import { engineRoot, type Program, root, run, temporaryFolder } from "../../support/program.ts";
import { scaled } from "../../support/slowness.ts";

export interface Server {
  readonly url: string;
  readonly program: Program;
  readonly folder: string;
  /** What a test does behind the page's back. */
  readonly client: Client & DiagramCalls & { readonly sites: SiteCalls };
}

/** On a busy machine the first diagram of a page waits longer for its renderer than a server would let it. */
const PATIENT = {
  RENDER_MAX_WAIT_MS: String(scaled(60_000)),
  RENDER_TIMEOUT_MS: String(scaled(10_000)),
  SYNC_WAIT_MS: String(scaled(30_000)),
};

interface Wanted {
  readonly env?: Readonly<Record<string, string>>;
  readonly folder?: string;
  /** Modules with workloads, from the root of the repository. */
  readonly load?: readonly string[];
}

/** `npm start` as people run it, on the shipped kinds and those of these tests. It builds the dashboard if need be. */
export async function startServer(
  t: Pick<TestContext, "after">,
  { env = {}, folder, load = [] }: Wanted = {},
): Promise<Server> {
  const context = t as TestContext;
  const cwd = folder ?? temporaryFolder(context);
  const modules = ["test/ui/support/kinds.ts", ...load].flatMap((module) => ["--load", join(root, module)]);
  const program = run(context, [process.execPath, join(engineRoot, "bin/millrace.js"), "serve", ...modules], {
    cwd,
    env: { PORT: "0", RETRY_BASE_MS: "20", RETRY_MAX_MS: "50", LOG_LEVEL: "warn", ...NOTHING_WARM, ...PATIENT, ...env },
  });
  const [, url = ""] = await program.said(/Dashboard\s+(http:\S+)\/ui\//);
  assert.doesNotMatch(program.stderr(), /without the dashboard/);
  const apiKey = env["API_KEY"];
  return {
    url,
    program,
    folder: cwd,
    client: createClient({ baseUrl: url, ...(apiKey && { apiKey }) })
      .with(diagrams)
      .with(sites),
  };
}

/** One for all tests of a file. */
export function sharedServer(wanted: Wanted = {}): Promise<Server> {
  return startServer({ after: (end) => after(end as () => Promise<void>) }, wanted);
}
