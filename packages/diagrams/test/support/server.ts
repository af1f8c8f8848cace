import assert from "node:assert/strict";
import { after, before, type TestContext } from "node:test";
import { ALL_WORKLOADS, serving } from "../../../../test/support/cli.ts";
import { scaled } from "../../../../test/support/slowness.ts";
import { DRAWN_BY_ANOTHER } from "../../src/service/once.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly body: any;
}

export type Environment = Readonly<Record<string, string>>;

/** A server with what a test of diagrams asks of it. */
export class DiagramServer {
  readonly url: string;
  readonly folder: string;
  readonly program: Awaited<ReturnType<typeof serving>>["program"];
  readonly start: Awaited<ReturnType<typeof serving>>["start"];

  private constructor({ url, folder, program, start }: Awaited<ReturnType<typeof serving>>) {
    this.url = url;
    this.folder = folder;
    this.program = program;
    this.start = start;
  }

  static async open(t: TestContext, env: Environment = {}, folder?: string): Promise<DiagramServer> {
    // On a busy machine a diagram waits longer for its turn than a server would let it.
    const usual = {
      ...ALL_WORKLOADS,
      // Each loads the engines, which takes over a second of processor time.
      RENDER_SPARES: "1",
      RENDER_MAX_WAIT_MS: String(scaled(60_000)),
      RENDER_TIMEOUT_MS: String(scaled(10_000)),
      SYNC_WAIT_MS: String(scaled(25_000)),
    };
    return new DiagramServer(await serving(t, { ...usual, ...env }, [], folder));
  }

  async ask(path: string, init: RequestInit = {}): Promise<Answer> {
    const response = await fetch(`${this.url}${path}`, init);
    const isJson = response.headers.get("content-type")?.startsWith("application/json");
    return {
      status: response.status,
      headers: response.headers,
      body: isJson ? await response.json() : await response.bytes(),
    };
  }

  render(body: unknown, mode = "", init: RequestInit = {}): Promise<Answer> {
    return this.ask(`/render${mode === "" ? "" : `?mode=${mode}`}`, {
      method: "POST",
      body: JSON.stringify(body),
      ...init,
      headers: { "content-type": "application/json", ...init.headers },
    });
  }

  /** The job once it is finished. */
  async finished(jobId: string): Promise<Answer["body"]> {
    for (;;) {
      const { status, body } = await this.ask(`/jobs/${jobId}?wait=20`);
      assert.equal(status, 200, JSON.stringify(body));
      if (["completed", "failed", "cancelled"].includes(body.state)) return body;
    }
  }

  /** Waits until the job shows this status. */
  async until(jobId: string, status: string): Promise<void> {
    for (;;) {
      const { body } = await this.ask(`/jobs/${jobId}`);
      if (body.status === status) return;
      assert.ok(!["completed", "failed", "cancelled"].includes(body.state), `${jobId} is ${body.status}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

/** The jobs that have drawn a diagram, of those whose source has `text` in it. Others found theirs drawn. */
export async function drawnBy(server: DiagramServer, text: string, init: RequestInit = {}): Promise<string[]> {
  const { body } = await server.ask(`/jobs?kind=render&limit=500&q=${text}`, init);
  const drew: string[] = [];
  for (const { jobId, attempt } of body.jobs as { jobId: string; attempt: number }[]) {
    if (attempt === 0) continue;
    const { logs } = (await server.ask(`/jobs/${jobId}/logs`, init)).body as { logs: { message: string }[] };
    if (!logs.some(({ message }) => message === DRAWN_BY_ANOTHER)) drew.push(jobId);
  }
  return drew;
}

/** One server for the tests of a `describe`: its start costs more than most of them. */
export function sharedServer(env: Environment = {}): () => DiagramServer {
  const ends: (() => unknown)[] = [];
  const context = { after: (end: () => unknown) => ends.unshift(end) } as unknown as TestContext;
  let server: DiagramServer | undefined;
  before(async () => {
    server = await DiagramServer.open(context, env);
  });
  after(async () => {
    for (const end of ends) await end();
  });
  return () => server ?? assert.fail("the server is not up");
}

/** A diagram of its own for each number. */
export function flowchart(number: number | string): { source: string; format: "mermaid" } {
  return { source: `flowchart LR\n  a${number} --> b${number}`, format: "mermaid" };
}

/** Inside Mermaid's own limits, and half a minute's work for its layout. */
export function endless(seed: number): { source: string; format: "mermaid" } {
  return { source: edges(seed), format: "mermaid" };
}

/** Minutes of work for any layout on any machine: a chain of 250 nodes, and 249 edges that pass by all of them. */
export function minutesLong(): { source: string; format: "mermaid" } {
  const chain = Array.from({ length: 249 }, (_, i) => `  n${i} --> n${i + 1}`);
  const long = Array.from({ length: 249 }, (_, i) => `  n${i % 3} --> n${249 - (i % 5)}`);
  return { source: `flowchart TD\n${[...chain, ...long].join("\n")}`, format: "mermaid" };
}

/** 499 edges at random between 200 nodes. */
export function edges(seed: number): string {
  let state = seed;
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % 200;
  };
  return `flowchart TD\n${Array.from({ length: 499 }, () => `  n${next()} --> n${next()}`).join("\n")}`;
}
