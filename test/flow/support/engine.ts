// A real engine on a real file, with its store thread and pools, in a folder of its own that goes with the test.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type JobView, Millrace, type MillraceOptions, sqlite } from "../../../packages/millrace/src/index.ts";
import { until } from "../../support/until.ts";

export interface Engine {
  millrace: Millrace;
  folder: string;
  path: string;
  /** One more engine on the same file; it stops with the test. */
  another(options?: Partial<MillraceOptions>): Promise<Millrace>;
}

export type WithEngine = (options: Partial<MillraceOptions>, body: (engine: Engine) => Promise<void>) => Promise<void>;

export const withEngine: WithEngine = (options, body) => withEngineOn(sqlite, options, body);

/** `openStore` is called once for each engine. */
export async function withEngineOn(
  openStore: (path: string) => MillraceOptions["store"],
  options: Partial<MillraceOptions>,
  body: (engine: Engine) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "millrace-"));
  const path = join(folder, "jobs.db");
  const opened: Millrace[] = [];
  const another = async (more: Partial<MillraceOptions> = {}) => {
    const settings = {
      durability: "normal",
      leaseMs: 3_000,
      retryBaseMs: 1,
      retryMaxMs: 1,
      shutdownGraceMs: 0,
    } as const;
    const millrace = await Millrace.open({ store: openStore(path), ...settings, ...options, ...more });
    opened.push(millrace);
    return millrace;
  };
  try {
    await body({ millrace: await another(), folder, path, another });
  } finally {
    for (const millrace of opened) await millrace.stop({ hurry: true });
    rmSync(folder, { recursive: true, force: true });
  }
}

export function untilState(millrace: Millrace, jobId: string, state: JobView["state"]): Promise<JobView> {
  return until(`${jobId} is ${state}`, async () => {
    const view = await millrace.find(jobId);
    return view?.state === state && view;
  });
}

/** A promise that a processor waits for until the test opens it. */
export function gate(): { opened: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

/** `stage#attempt outcome`, in order. */
export async function history(millrace: Millrace, jobId: string): Promise<string[]> {
  return (await millrace.attempts(jobId)).map(({ stage, attempt, outcome }) => `${stage}#${attempt} ${outcome}`);
}
