import { STANDINGS } from "../job/job.ts";
import { AppError } from "../lib/app-error.ts";
import { checkInteger, checkNames, checkSwitch, checkText, checkTexts } from "../lib/check.ts";
import type { Store } from "../store/store.ts";
import type { JobFilter } from "../store/verbs/job-filter.ts";

/** What one call may bring into memory. */
export const MOST_LISTED = 10_000;
const LAST_MOMENT = 8_640_000_000_000_000;
const MOST_OFFSET = Number.MAX_SAFE_INTEGER;

const KNOWN = [
  ...["status", "standings", "kind", "stage", "tenant", "tag", "sinceAt", "untilAt", "retrying", "revivable"],
  ...["inProgress", "search", "ids", "failureCode", "failureMessage", "beforeId", "offset", "limit"],
];

/** A filter that says nothing sensible would match nothing, or everything: SQLite takes LIMIT -1 for no limit. */
export async function checkFilter(store: Store, filter: JobFilter): Promise<void> {
  checkNames("a job filter", filter, KNOWN);
  for (const name of ["kind", "stage", "tenant", "tag", "failureCode", "beforeId"] as const)
    checkText(name, filter[name], 255);
  for (const name of ["search", "failureMessage"] as const) checkText(name, filter[name], 10_000);
  for (const name of ["retrying", "revivable", "inProgress"] as const) checkSwitch(name, filter[name]);
  for (const name of ["sinceAt", "untilAt"] as const) checkInteger(name, filter[name], 0, LAST_MOMENT);
  checkTexts("ids", filter.ids, 255);
  checkStandings(filter.standings);
  checkPage(filter);
  await checkStatus(store, filter.status);
}

export function checkPage({ limit, offset }: { limit?: number; offset?: number }): void {
  checkInteger("limit", limit, 1, MOST_LISTED);
  checkInteger("offset", offset, 0, MOST_OFFSET);
}

function checkStandings(standings: unknown): void {
  checkTexts("standings", standings, 64);
  const wrong = (standings as string[] | undefined)?.find((each) => !STANDINGS.some((word) => word === each));
  if (wrong === undefined) return;
  throw new AppError("invalid-request", `Unknown standing "${wrong}".`, { hint: `Allowed: ${STANDINGS.join(", ")}.` });
}

const ALWAYS = [
  ...["pending", "not-started", "running", "completed", "done", "failed", "cancelled"],
  ...["scheduled", "retrying", "held"],
];

async function checkStatus(store: Store, status: string | undefined): Promise<void> {
  if (status === undefined || ALWAYS.includes(status)) return;
  checkText("status", status, 64);
  const stages = (await store.kinds()).flatMap((kind) => kind.stages.map(({ stage }) => stage));
  if (stages.includes(status)) return;
  const allowed = [...new Set([...ALWAYS, ...stages])].join(", ");
  throw new AppError("invalid-request", `Unknown status "${status}".`, {
    hint: `Allowed: ${allowed}.`,
    details: { issues: [{ path: "status", message: `one of ${allowed}` }] },
  });
}
