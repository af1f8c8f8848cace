// Which function runs each verb on PostgreSQL. Each of them runs its own transaction. The threads in ../verbs/table.ts are those of
// SQLite: here one thread talks with the server, over several connections.

import type { StoreVerbs } from "../store.ts";
import type { ClaimAnswer, ClaimRequest, SettleAnswer } from "../verbs/attempts.ts";
import type { BeatAnswer } from "../verbs/processes.ts";
import type { Args, VerbAnswer } from "../verbs/table.ts";
import { addAudit, audit, keys, putKey, revokeKey } from "./access/access.ts";
import { addSession, endSession, findSession } from "./access/sessions.ts";
import {
  addToBatch,
  batches,
  cancelBatch,
  createBatch,
  failedMembers,
  findBatch,
  sealBatch,
} from "./batches/batches.ts";
import { submitFlow } from "./batches/flow.ts";
import { childEnds, dependencies } from "./children/ends.ts";
import { doWorkLeftBehind } from "./children/left-work.ts";
import { links } from "./children/links.ts";
import { startChildren } from "./children/start.ts";
import { ClaimQueue } from "./claim/claim-queue.ts";
import { cancel } from "./control/cancel.ts";
import { forget, release, revive, setPaused } from "./control/control.ts";
import { beat } from "./control/revoke.ts";
import { fire, putSchedule, removeSchedule, schedules } from "./control/schedules.ts";
import { deleteTenantLimits, findTenantLimits, putTenantLimits } from "./control/tenant-limits.ts";
import type { Core } from "./core.ts";
import { update } from "./followers/update.ts";
import { deadKeyHolders, setSharedLimit, sharedLimits } from "./keys/limits.ts";
import { advanceOperation } from "./operations/advance.ts";
import { addToOperation, createOperation, startOperation, undoOperation } from "./operations/create.ts";
import {
  controlOperation,
  failOperation,
  findOperation,
  nextOfOperation,
  operations,
} from "./operations/operations.ts";
import { deadLetterCauses } from "./read/causes.ts";
import { circumstances } from "./read/circumstances.ts";
import { deadLetterGroups, deadLetters } from "./read/dead-letters.ts";
import { count, list, listIds } from "./read/lists.ts";
import { pending } from "./read/pending.ts";
import { artifact, artifacts, attempts, find, instances, kinds, logs, size, steps } from "./read/read.ts";
import { tenants } from "./read/tenants.ts";
import { deployments } from "./register/deployments.ts";
import { drain, register } from "./register/register.ts";
import { unpin } from "./register/unpin.ts";
import { blockLimiter, keepArtifact, renew, take } from "./settle/belongings.ts";
import { confirm } from "./settle/confirm.ts";
import { limiters, putLimiter, resetLimiter, setLimiters, unblockLimiter } from "./settle/limiter.ts";
import { note } from "./settle/note.ts";
import { SettleQueue } from "./settle/settle-queue.ts";
import { endStepWithin, saveStepWithin } from "./settle/step-within.ts";
import { saveStep, storedSteps } from "./settle/steps.ts";
import { deleteRecord, findRecord, listRecords, putRecord } from "./sharing/records.ts";
import { linked, linkTo, markRead, share, shared } from "./sharing/share.ts";
import { appendStreams, openStreams } from "./streams/append.ts";
import { pulses, readStream, savedSteps, streams } from "./streams/read.ts";
import { applyOutbox, leaseOutbox, leaveOutbox, outboxes } from "./submit/outbox.ts";
import { submit } from "./submit/submit.ts";
import { announceWork, submitWithin } from "./submit/submit-within.ts";
import { acquireUnique } from "./submit/unique-key.ts";
import { onePerCore } from "./thread/group.ts";
import { markCauses } from "./upkeep/causes.ts";
import { lead, prune } from "./upkeep/upkeep.ts";
import { approvals, decideApproval, findApproval } from "./waits/approvals.ts";
import { publish } from "./waits/events.ts";
import { wakeLate } from "./waits/late-call.ts";
import { longWaits } from "./waits/long-waits.ts";
import { waits } from "./waits/read.ts";
import { signalWithin } from "./waits/signal-within.ts";
import { signal, signals } from "./waits/signals.ts";
import { beginUndoable, undosLeft } from "./waits/undo.ts";
import { decideRace, resume, setAside } from "./waits/waits.ts";
import { firstJob } from "./waits/workflow.ts";

type PostgresVerbs = {
  readonly [V in keyof StoreVerbs]: (core: Core, ...args: Args<V>) => Promise<VerbAnswer<V>>;
};

export const settlesOf = onePerCore((core) => new SettleQueue(core));
const claimsOf = onePerCore((core) => new ClaimQueue(core));

async function beatAndDoLeftWork(core: Core, pools?: string): Promise<BeatAnswer> {
  const answer = await beat(core, pools);
  await doWorkLeftBehind(core);
  return answer;
}

function claim(core: Core, request: ClaimRequest): Promise<ClaimAnswer> {
  return claimsOf(core).ask(request);
}

function settle(core: Core, ...args: Args<"settle">): Promise<SettleAnswer> {
  return settlesOf(core).settle(...args);
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
  update,
  revive,
  forget,
  find,
  list,
  count,
  listIds,
  deadLetters,
  deadLetterGroups,
  deadLetterCauses,
  circumstances,
  attempts,
  logs,
  steps,
  artifacts,
  artifact,

  // in a transaction of the caller's
  submitWithin,
  signalWithin,
  announceWork,
  saveStepWithin,
  endStepWithin,

  // attempts
  claim,
  renew,
  settle,
  confirm,
  note,
  storedSteps,
  firstJob,
  saveStep,
  beginUndoable,
  undosLeft,
  keepArtifact,
  acquireUnique,

  // waits
  resume,
  wakeLate,
  setAside,
  decideRace,
  signal,
  publish,
  decideApproval,
  approvals,
  findApproval,
  signals,
  waits,
  longWaits,

  // streams
  openStreams,
  appendStreams,
  streams,
  readStream,
  savedSteps,
  pulses,

  // children
  startChildren,
  childEnds,
  dependencies,
  links,

  // batches
  createBatch,
  addToBatch,
  sealBatch,
  cancelBatch,
  findBatch,
  batches,
  failedMembers,
  submitFlow,

  // operations
  createOperation,
  undoOperation,
  addToOperation,
  startOperation,
  nextOfOperation,
  advanceOperation,
  failOperation,
  controlOperation,
  findOperation,
  operations,

  // limiters
  setLimiters,
  take,
  blockLimiter,
  sharedLimits,
  setSharedLimit,
  deadKeyHolders,
  limiters,
  putLimiter,
  resetLimiter,
  unblockLimiter,

  // limits of tenants
  putTenantLimits,
  deleteTenantLimits,
  findTenantLimits,

  // schedules
  putSchedule,
  removeSchedule,
  schedules,
  fire,

  // outboxes
  leaseOutbox,
  leaveOutbox,
  applyOutbox,
  outboxes,

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
  pending,
  deployments,
  instances,
  tenants,
  size,
  beat: beatAndDoLeftWork,
  drain,
  lead,
  prune,
  markCauses,
  backup,
};
