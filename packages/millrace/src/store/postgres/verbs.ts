// Which function runs each verb on PostgreSQL. Each of them runs its own transaction. What ../verbs/table.ts says of threads is about
// SQLite: here one thread talks with the server, over several connections.

import type { Lease } from "../../job/lease.ts";
import type { Outcome } from "../../job/lifecycle.ts";
import type { ClaimAnswer, ClaimRequest, SettleAnswer } from "../verbs/attempts.ts";
import type { Answer, Args, Verb } from "../verbs/table.ts";
import { addAudit, audit, keys, putKey, revokeKey } from "./access/access.ts";
import { addSession, endSession, findSession } from "./access/sessions.ts";
import { ClaimQueue } from "./claim/claim-queue.ts";
import { forget, release, revive, setPaused } from "./control/control.ts";
import { beat, cancel } from "./control/revoke.ts";
import { fire, putSchedule, removeSchedule, schedules } from "./control/schedules.ts";
import type { Core } from "./core.ts";
import { circumstances } from "./read/circumstances.ts";
import { deadLetterGroups, deadLetters } from "./read/dead-letters.ts";
import {
  artifact,
  artifacts,
  attempts,
  count,
  find,
  instances,
  kinds,
  list,
  listIds,
  logs,
  size,
  steps,
} from "./read/read.ts";
import { tenants } from "./read/tenants.ts";
import { deployments, unpin } from "./register/deployments.ts";
import { drain, register } from "./register/register.ts";
import { blockLimiter, confirm, keepArtifact, note, renew, saveStep, storedSteps, take } from "./settle/belongings.ts";
import { setLimiters } from "./settle/limiter.ts";
import { Settles } from "./settle/settles.ts";
import { deleteRecord, findRecord, listRecords, putRecord } from "./sharing/records.ts";
import { linked, linkTo, markRead, share, shared } from "./sharing/share.ts";
import { submit } from "./submit/submit.ts";
import { acquireUnique } from "./submit/unique-key.ts";
import { onePerCore } from "./thread/group.ts";
import { lead, prune } from "./upkeep/upkeep.ts";
import { approvals, decideApproval, findApproval } from "./waits/approvals.ts";
import { publish } from "./waits/events.ts";
import { waits } from "./waits/read.ts";
import { signal, signals } from "./waits/signals.ts";
import { decideRace, resume, setAside } from "./waits/waits.ts";

type PostgresVerbs = {
  readonly [V in Verb]: (core: Core, ...args: Args<V>) => Promise<Answer<V>>;
};

export const settlesOf = onePerCore((core) => new Settles(core));
const claimsOf = onePerCore((core) => new ClaimQueue(core));

function claim(core: Core, request: ClaimRequest): Promise<ClaimAnswer> {
  return claimsOf(core).ask(request);
}

function settle(core: Core, lease: Lease, outcome: Outcome): Promise<SettleAnswer> {
  return settlesOf(core).askOne({ lease, outcome });
}

/** Loaded when asked for: it writes a SQLite file, and this store also works on a runtime without SQLite. */
async function backup(core: Core, path: string): Promise<void> {
  return (await import("./upkeep/backup.ts")).backup(core, path);
}

export const POSTGRES_VERBS: PostgresVerbs = {
  // jobs
  submit,
  cancel,
  release,
  revive,
  forget,
  find,
  list,
  count,
  listIds,
  deadLetters,
  deadLetterGroups,
  circumstances,
  attempts,
  logs,
  steps,
  artifacts,
  artifact,

  // attempts
  claim,
  renew,
  settle,
  confirm,
  note,
  storedSteps,
  saveStep,
  keepArtifact,
  acquireUnique,

  // waits
  resume,
  setAside,
  decideRace,
  signal,
  publish,
  decideApproval,
  approvals,
  findApproval,
  signals,
  waits,

  // limiters
  setLimiters,
  take,
  blockLimiter,

  // schedules
  putSchedule,
  removeSchedule,
  schedules,
  fire,

  // sharing
  share,
  linkTo,
  shared,
  linked,
  markRead,

  // records
  findRecord,
  putRecord,
  deleteRecord,
  listRecords,

  // access
  putKey,
  keys,
  revokeKey,
  addSession,
  findSession,
  endSession,
  addAudit,
  audit,

  // processes
  register,
  setPaused,
  unpin,
  kinds,
  deployments,
  instances,
  tenants,
  size,
  beat,
  drain,
  lead,
  prune,
  backup,
};
