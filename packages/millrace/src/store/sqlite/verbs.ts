// Every verb of the store as a function of the core: what the thread, and the inline store, can be asked for.

import type { Lease } from "../../job/lease.ts";
import type { KindPlan } from "../../job/plan.ts";
import type { ClaimRequest, Registration } from "../store.ts";
import { addAudit, audit, findKey, keys, putKey, revokeKey } from "./access.ts";
import { circumstances } from "./circumstances.ts";
import { claim, idleClaim, mayClaim } from "./claim.ts";
import { forget, release, revive, setPaused } from "./control.ts";
import type { Core } from "./core.ts";
import { deadLetterGroups, deadLetters } from "./dead-letters.ts";
import { deployments, unpin } from "./deployments.ts";
import { keyHolder, takeUnique } from "./join.ts";
import { blockLimiter, setLimiters } from "./limiter.ts";
import { count, list, matching } from "./lists.ts";
import * as reading from "./read.ts";
import { deleteRecord, findRecord, listRecords, putRecord } from "./records.ts";
import { beat, beatIsDue, buryDead, cancel } from "./revoke.ts";
import { fire, putSchedule, removeSchedule, schedules } from "./schedules.ts";
import { addSession, endSession, findSession } from "./sessions.ts";
import { confirm, heldRow, keepArtifact, note, saveStep, settle, storedSteps, take } from "./settle.ts";
import { knownLink, linked, linkTo, markRead, share, shared } from "./share.ts";
import { submit } from "./submit.ts";
import { tenants } from "./tenants.ts";
import { anotherLeads, backup, lead, prune } from "./upkeep.ts";
import { register } from "./workers.ts";

/** Writes: run in the group's transaction. */
export const WRITES = {
  submit,
  claim,
  settle,
  confirm,
  note,
  saveStep,
  take,
  keepArtifact,
  takeUnique,
  share,
  linkTo,
  markRead,
  cancel,
  release,
  revive,
  forget,
  setPaused,
  unpin: (core: Core, label: string) => {
    buryDead(core);
    return unpin(core, label);
  },
  setLimiters,
  putSchedule,
  removeSchedule,
  fire,
  beat,
  drain: (core: Core) => core.instances.drain(),
  lead,
  prune,
  putKey,
  revokeKey,
  addAudit,
  addSession,
  endSession,
  putRecord,
  deleteRecord,
  // The dead are buried first: none of them has a plan, a label or a pinned job that counts.
  register: (core: Core, plans: KindPlan[], registration?: Registration) => {
    buryDead(core);
    register(core, plans, registration);
  },
  blockLimiter: (core: Core, lease: Lease, name: string, forMs: number) => {
    if (!heldRow(core, lease)) return "lease-lost" as const;
    blockLimiter(core, name, forMs);
    return "written" as const;
  },
  renew: (core: Core, leases: Lease[]) => {
    core.instances.renew();
    return leases.filter((lease) => heldRow(core, lease));
  },
};

/** Reads that must see the writer's own state. */
export const LOOKS = { storedSteps, circumstances, instances: reading.instances };

/** Reads any connection can answer. */
export const READS = {
  find: reading.find,
  findMany: reading.findMany,
  list,
  count,
  matching,
  deadLetters,
  deadLetterGroups,
  tenants,
  attempts: reading.attempts,
  logs: reading.logs,
  steps: reading.steps,
  artifacts: reading.artifacts,
  artifact: reading.artifact,
  shared,
  linked,
  kinds: reading.kinds,
  deployments,
  schedules,
  size: reading.size,
  keys,
  findKey,
  findSession,
  audit,
  findRecord,
  listRecords,
};

/** Acts that cannot run inside a transaction. */
export const ALONE = { backup };

/** Calls that, as a look without a lock shows, have nothing to write: what to answer then. */
export const IDLE_ANSWERS: {
  [verb: string]: ((core: Core, args: unknown[]) => { answer: unknown } | undefined) | undefined;
} = {
  claim: (core, [request]) =>
    mayClaim(core, request as ClaimRequest) ? undefined : { answer: idleClaim(core, request as ClaimRequest) },
  takeUnique: (core, [lease, key]) => keyHolder(core, lease as Lease, key as string),
  confirm: (core, [lease]) => (core.instances.needsRenewal ? undefined : { answer: confirm(core, lease as Lease) }),
  linkTo: (core, [tenant, key]) => knownLink(core, tenant as string, key as string),
  lead: (core, [forMs]) => (anotherLeads(core, forMs as number) ? { answer: false } : undefined),
  beat: (core, [pools]) =>
    pools === undefined && !beatIsDue(core) ? { answer: { expired: [], overdue: [] } } : undefined,
};
