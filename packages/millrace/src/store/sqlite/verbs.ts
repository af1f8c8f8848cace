// Which function runs each verb on SQLite. How it runs (in the transaction of its group, outside of it, on a reader thread) stands
// in ../verbs/table.ts.

import type { Answer, Args, ReaderVerb, Verb } from "../verbs/table.ts";
import { addAudit, audit, keys, putKey, revokeKey } from "./access/access.ts";
import { addSession, endSession, findSession } from "./access/sessions.ts";
import { claim, idleClaim } from "./claim/claim.ts";
import { forget, release, revive, setPaused } from "./control/control.ts";
import { beat, cancel, idleBeat } from "./control/revoke.ts";
import { fire, putSchedule, removeSchedule, schedules } from "./control/schedules.ts";
import type { Core, View } from "./core.ts";
import { circumstances } from "./read/circumstances.ts";
import { deadLetterGroups, deadLetters } from "./read/dead-letters.ts";
import { count, list, listIds } from "./read/lists.ts";
import { artifact, artifacts, attempts, find, instances, kinds, logs, size, steps } from "./read/read.ts";
import type { Sliced } from "./read/slices.ts";
import { tenants } from "./read/tenants.ts";
import { deployments, unpin } from "./register/deployments.ts";
import { drain, register } from "./register/register.ts";
import {
  blockLimiter,
  confirm,
  idleConfirm,
  keepArtifact,
  note,
  renew,
  saveStep,
  storedSteps,
  take,
} from "./settle/belongings.ts";
import { setLimiters } from "./settle/limiter.ts";
import { settle } from "./settle/settle.ts";
import { deleteRecord, findRecord, listRecords, putRecord } from "./sharing/records.ts";
import { idleLinkTo, linked, linkTo, markRead, share, shared } from "./sharing/share.ts";
import { submit } from "./submit/submit.ts";
import { acquireUnique, idleAcquireUnique } from "./submit/unique-key.ts";
import { backup, idleLead, lead, prune } from "./upkeep/upkeep.ts";
import { approvals, decideApproval, findApproval } from "./waits/approvals.ts";
import { publish } from "./waits/events.ts";
import { waits } from "./waits/read.ts";
import { signal, signals } from "./waits/signals.ts";
import { decideRace, resume, setAside } from "./waits/waits.ts";

/** A verb of a reader thread gets no more than a connection that reads. A long read answers in slices. */
type SqliteVerbs = {
  readonly [V in Verb]: (
    core: V extends ReaderVerb ? View : Core,
    ...args: Args<V>
  ) => Answer<V> | (V extends ReaderVerb ? Sliced<Answer<V>> : never);
};

export const SQLITE_VERBS: SqliteVerbs = {
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

type IdleAnswers = {
  readonly [V in Verb]?: (core: Core, ...args: Args<V>) => { answer: Answer<V> } | undefined;
};

/** The answer to a write that has nothing to write, as a look without the write lock shows. Undefined: it has. */
export const IDLE_ANSWERS: IdleAnswers = {
  claim: idleClaim,
  confirm: idleConfirm,
  acquireUnique: idleAcquireUnique,
  linkTo: idleLinkTo,
  beat: idleBeat,
  lead: idleLead,
};
