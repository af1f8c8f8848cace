import { STANDINGS } from "../job/job.ts";
import { WAIT_TYPES } from "../job/wait.ts";
import { AppError } from "../lib/app-error.ts";
import { checkOptions } from "../lib/options/check.ts";
import type { Store } from "../store/store.ts";
import { JOB_FILTER, type JobFilter } from "../store/verbs/job-filter.ts";
import { parseWaitFilter } from "../store/waits/filter.ts";

/** Refuses filters that make no sense. They would match nothing, or everything: SQLite reads LIMIT -1 as no limit. */
export async function checkFilter(store: Store, filter: JobFilter): Promise<void> {
  checkOptions(JOB_FILTER, filter);
  checkStandings(filter.standings);
  checkWaitsFor(filter.waitsFor);
  await checkStatus(store, filter.status);
}

function checkWaitsFor(waitsFor: string | undefined): void {
  if (waitsFor === undefined || parseWaitFilter(waitsFor)) return;
  const hint = `Allowed: ${WAIT_TYPES.join(", ")}, alone or with a name, such as signal:paid.`;
  throw new AppError("invalid-request", `Unknown type of wait "${waitsFor}".`, {
    hint,
    details: { issues: [{ path: "waitsFor", message: hint }] },
  });
}

function checkStandings(standings: readonly string[] | undefined): void {
  const wrong = standings?.find((each) => !STANDINGS.some((word) => word === each));
  if (wrong === undefined) return;
  throw new AppError("invalid-request", `Unknown standing "${wrong}".`, { hint: `Allowed: ${STANDINGS.join(", ")}.` });
}

const ALWAYS = [
  ...["pending", "not-started", "running", "completed", "done", "failed", "dead-letter", "cancelled"],
  ...["scheduled", "retrying", "held"],
];

async function checkStatus(store: Store, status: string | undefined): Promise<void> {
  if (status === undefined || ALWAYS.includes(status)) return;
  const stages = (await store.kinds()).flatMap((kind) => kind.stages.map(({ stage }) => stage));
  if (stages.includes(status)) return;
  const allowed = [...new Set([...ALWAYS, ...stages])].join(", ");
  throw new AppError("invalid-request", `Unknown status "${status}".`, {
    hint: `Allowed: ${allowed}.`,
    details: { issues: [{ path: "status", message: `one of ${allowed}` }] },
  });
}
