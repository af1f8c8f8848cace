import type { Lease } from "../../../job/lease.ts";
import type { Core } from "../core.ts";
import { heldRow } from "../settle/belongings.ts";

const FIRST_JOB = "SELECT first_job AS first FROM workflow WHERE job = ?";

export function firstJob(core: Core, lease: Lease): string | "lease-lost" {
  const row = heldRow(core, lease);
  if (!row) return "lease-lost";
  const found = core.statement(FIRST_JOB).get(row.id) as { first: number | null } | undefined;
  return core.ids.encode(found?.first ?? row.id);
}
