// Which job stands for all submissions of a throttle key until a moment, even if it has ended by then.

import type { StoredJob } from "../../decide/join.ts";
import type { Core } from "../core.ts";

const FIND = "SELECT job FROM throttle WHERE kind = ? AND tenant = ? AND key = ? AND until > ?";
const PUT = "INSERT OR REPLACE INTO throttle (kind, tenant, key, job, until) VALUES (?, ?, ?, ?, ?)";

export function findThrottled(
  core: Core,
  { kind, tenant, key }: { kind: number; tenant: number; key: string },
  now: number,
): number | undefined {
  return (core.statement(FIND).get(kind, tenant, key, now) as { job: number } | undefined)?.job;
}

/** The job was stored as the first one of its key. */
export function putThrottle(
  core: Core,
  { job: { throttle }, stage }: StoredJob,
  { id, tenant, now }: { id: number; tenant: number; now: number },
): void {
  if (throttle) core.statement(PUT).run(stage.kind, tenant, throttle.key, id, now + throttle.perMs);
}
