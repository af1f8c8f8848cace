import type { Caller } from "./caller.ts";
import type { Engine } from "./engine.ts";
import { isFromBrowser } from "./same-site.ts";

interface Act {
  readonly caller: Caller;
  readonly traceId: string;
}

/** Who did what to whose things: the tenant is that of the thing, so that its own administrator finds the entry. */
export function audited(
  engine: Engine,
  { caller, traceId }: Act,
  what: string,
  about: { target?: string; tenant?: string },
): Promise<void> {
  return engine.admin.audit(caller.name, what, { ...about, traceId });
}

/**
 * A person in the dashboard submitted these. What programs submit is not written down a second time: the jobs themselves say
 * when and for whom, and a list of thousands a second would bury what people did.
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

/** What a person does with every pause in typing is written down once in ten minutes: that they did, not each time. */
export class OccasionalAudit {
  readonly #writtenAt = new Map<string, number>();

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
