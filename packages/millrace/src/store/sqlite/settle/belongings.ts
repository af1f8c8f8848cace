// Leases that are presented, and what a processor writes beside its job: limiters, artifacts. A stale token changes nothing.

import type { Lease, WriteAnswer } from "../../../job/lease.ts";
import { HAS_ARTIFACTS, RUNNING } from "../../codes.ts";
import type { JobRow } from "../../rows/job-row.ts";
import type { NewArtifact } from "../../verbs/attempts.ts";
import type { LimiterAnswer } from "../../verbs/limiters.ts";
import type { Core } from "../core.ts";
import { findRow } from "../read/row.ts";
import { closeLimiter, takeFromLimiter } from "./limiter.ts";

const ADD_FLAG = "UPDATE job SET flags = flags | ? WHERE id = ?";
export const PUT_ARTIFACT = `INSERT OR REPLACE INTO artifacts.artifact (job, name, content_type, bytes) VALUES (?, ?, ?, ?)`;

const LOST = "lease-lost" as const;

export function renew(core: Core, leases: Lease[]): Lease[] {
  core.instances.renew();
  return leases.filter((lease) => heldRow(core, lease));
}

export function take(core: Core, lease: Lease, limiter: string, cost: number): LimiterAnswer {
  const row = heldRow(core, lease);
  return row ? takeFromLimiter(core, { name: limiter, cost, tenant: row.tenant }) : LOST;
}

export function blockLimiter(core: Core, lease: Lease, limiter: string, forMs: number): WriteAnswer {
  if (!heldRow(core, lease)) return LOST;
  closeLimiter(core, limiter, forMs);
  return "written";
}

export function keepArtifact(core: Core, lease: Lease, artifact: NewArtifact): WriteAnswer {
  const row = heldRow(core, lease);
  if (!row) return LOST;
  core.statement(PUT_ARTIFACT).run(row.id, artifact.name, artifact.contentType, artifact.bytes);
  addFlag(core, row, HAS_ARTIFACTS);
  return "written";
}

/** The row of the job, if the lease still holds it. */
export function heldRow(core: Core, lease: Lease): JobRow | undefined {
  const row = findRow(core, core.ids.decode(lease.jobId) ?? -1);
  return row && row.standing === RUNNING && row.token === lease.token ? row : undefined;
}

export function addFlag(core: Core, row: JobRow, flag: number): void {
  if (row.flags & flag) return;
  core.statement(ADD_FLAG).run(flag, row.id);
  const held = core.held.get(row.id);
  if (held)
    core.afterCommit(() => {
      held.flags |= flag;
    });
}
