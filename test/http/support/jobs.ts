// Jobs brought to where a test wants them, over HTTP alone.

import assert from "node:assert/strict";
import { jobRoutes } from "../../../packages/millrace/src/api/job.ts";
import type { Job } from "../../../packages/millrace/src/api/job-shape.ts";
import { type Asked, good } from "./call.ts";
import type { Server } from "./server.ts";

type As = Pick<Asked, "key" | "tenant">;

export async function submitted(server: Server, body: Record<string, unknown>, as: As = {}): Promise<Job> {
  const job = await good(server, jobRoutes.submit, { ...as, body });
  assert.ok("jobId" in job);
  return job;
}

/** Submitted, and waited for until it has ended; the test's own limit of time is the bound. */
export async function ended(server: Server, body: Record<string, unknown>, as: As = {}): Promise<Job> {
  const { jobId } = await submitted(server, body, as);
  for (;;) {
    const job = await good(server, jobRoutes.get, { ...as, params: { jobId }, query: { wait: 20 } });
    if (["completed", "failed", "cancelled"].includes(job.state)) return job;
  }
}

export function deadLetter(server: Server, failure: Record<string, string> = {}, as: As = {}): Promise<Job> {
  return ended(server, { kind: "fails", payload: failure }, as);
}

/** Submitted and claimed: it runs until somebody cancels it. */
export async function running(server: Server, kind = "waits", as: As = {}): Promise<Job> {
  const { jobId } = await submitted(server, { kind, payload: {} }, as);
  return until(server, jobId, (job) => job.inProgress, as);
}

/** Asks again until it is so; the test's own limit of time is the bound. */
export async function until(server: Server, jobId: string, isSo: (job: Job) => boolean, as: As = {}): Promise<Job> {
  for (;;) {
    const job = await good(server, jobRoutes.get, { ...as, params: { jobId } });
    if (isSo(job)) return job;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
