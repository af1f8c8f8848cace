import type { Engine } from "../engine.ts";
import type { Caller } from "./caller.ts";
import { isFromBrowser } from "./same-site.ts";

interface Act {
  readonly caller: Caller;
  readonly traceId: string;
}

/**
 * Adds an entry to the audit list: who did what to which thing. Pass the tenant of the thing, so that its administrator
 * finds the entry.
 */
export function audited(
  engine: Engine,
  { caller, traceId }: Act,
  what: string,
  about: { target?: string; tenant?: string },
): Promise<void> {
  return engine.admin.audit(caller.name, what, { ...about, traceId });
}

/**
 * Adds an entry to the audit list if a person submitted these jobs in the dashboard. Submissions by programs are not
 * listed; their jobs carry the facts.
 */
export async function auditedSubmission(
  engine: Engine,
  { request, ...act }: Act & { readonly request: Request },
  tenant: string,
  jobs: readonly { readonly jobId: string }[],
): Promise<void> {
  const [first] = jobs;
  if (!first || !isFromBrowser(request)) return;
  if (jobs.length === 1) await audited(engine, act, "job submitted", { target: first.jobId, tenant });
  else await audited(engine, act, "jobs submitted", { target: `${jobs.length} jobs`, tenant });
}

const ONCE_IN_MS = 600_000;
const MOST_KNOWN = 1_000;

/**
 * Adds an entry to the audit list at most once in ten minutes for the same person and tenant. For acts that repeat,
 * such as drawing while typing.
 */
export class OccasionalAudit {
  readonly #writtenAt = new Map<string, number>();

  /** Adds the entry, unless the person had one in the last ten minutes. */
  async written(
    engine: Engine,
    { request, ...act }: Act & { readonly request: Request },
    what: string,
    tenant: string,
  ): Promise<void> {
    if (!isFromBrowser(request)) return;
    const who = `${act.caller.name} ${tenant}`;
    const now = performance.now();
    if (now - (this.#writtenAt.get(who) ?? Number.NEGATIVE_INFINITY) < ONCE_IN_MS) return;
    if (this.#writtenAt.size >= MOST_KNOWN) this.#writtenAt.clear();
    this.#writtenAt.set(who, now);
    await audited(engine, act, what, { tenant });
  }
}
