// Every verb of the store as a function of the core: what the thread, and the inline store, can be asked for.

import type { KindPlan } from "../../job/kind/plan.ts";
import type { Lease } from "../../job/lease.ts";
import type { ClaimRequest, Registration } from "../store.ts";
import { addAudit, audit, findKey, keys, putKey, revokeKey } from "./access/access.ts";
import { addSession, endSession, findSession } from "./access/sessions.ts";
import { claim, idleClaim, mayClaim } from "./claim/claim.ts";
import { forget, release, revive, setPaused } from "./control/control.ts";
import { beat, beatIsDue, buryDead, cancel } from "./control/revoke.ts";
import { fire, putSchedule, removeSchedule, schedules } from "./control/schedules.ts";
import type { Core } from "./core.ts";
import { circumstances } from "./read/circumstances.ts";
import { deadLetterGroups, deadLetters } from "./read/dead-letters.ts";
import { count, list, matching } from "./read/lists.ts";
import * as reading from "./read/read.ts";
import { tenants } from "./read/tenants.ts";
import { deployments, unpin } from "./register/deployments.ts";
import { register } from "./register/workers.ts";
import { blockLimiter, setLimiters } from "./settle/limiter.ts";
import { confirm, heldRow, keepArtifact, note, saveStep, settle, storedSteps, take } from "./settle/settle.ts";
import { deleteRecord, findRecord, listRecords, putRecord } from "./sharing/records.ts";
import { knownLink, linked, linkTo, markRead, share, shared } from "./sharing/share.ts";
import { submit } from "./submit/submit.ts";
import { keyHolder, takeUnique } from "./submit/unique-key.ts";
import { anotherLeads, backup, lead, prune } from "./upkeep/upkeep.ts";

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
