// Takes back the jobs of dead processes.

import { deathOf } from "../../../job/crash.ts";
import { afterDeath } from "../../../job/lifecycle.ts";
import { type JobRow, standpoint } from "../../rows/job-row.ts";
import type { BeatAnswer } from "../../verbs/processes.ts";
import type { Core } from "../core.ts";
import type { DeadProcess } from "../register/instances.ts";
import { apply } from "../settle/apply.ts";
import { pastOf } from "../settle/deaths.ts";
import { HELD_BY } from "./job-rows.ts";

/** Call this before anything that depends on which processes live. */
export function buryDead(core: Core): void {
  const expired = expireDead(core);
  if (expired.length > 0) core.afterCommit(() => core.events.expired(expired));
}

export function expireDead(core: Core): BeatAnswer["expired"] {
  return core.instances.dead().flatMap((dead) => bury(core, dead));
}

function bury(core: Core, { id, draining }: DeadProcess): BeatAnswer["expired"] {
  const now = core.clock.now();
  const all = core.statement(HELD_BY).all(id) as unknown as JobRow[];
  const rows = all.filter((row) => !core.names.isTooNew(core.names.stage(row.stage)));
  const held = rows.map((row) => ({ row, id: core.ids.encode(row.id), crashes: row.crashes }));
  const death = deathOf(held, { draining });
  let counts = false;
  const expired = held.map(({ row, id: jobId }) => {
    const plan = core.names.stageRules(core.names.stage(row.stage));
    const change = afterDeath({ ...standpoint(row), id: jobId }, plan, death, pastOf(core, row));
    apply(core, row, change, now);
    counts ||= change.crashes > row.crashes;
    return { jobId, standing: change.standing };
  });
  // The jobs of plans that need a newer engine stay with it until a newer process takes them back.
  if (rows.length === all.length) core.instances.bury(id, counts ? now : undefined);
  return expired;
}
