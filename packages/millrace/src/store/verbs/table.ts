// How each verb of the contract runs. This is the same for both stores; sqlite/verbs.ts and postgres/verbs.ts say which function
// runs it. The methods of a store, the dispatch in its thread and the types follow from these tables.

import type { StoreVerbs } from "../store.ts";

export type Verb = keyof StoreVerbs;
export type Args<V extends Verb> = Parameters<StoreVerbs[V]>;
export type VerbAnswer<V extends Verb> = Awaited<ReturnType<StoreVerbs[V]>>;

export interface VerbTraits {
  /**
   * "write": in a transaction, which all writes of the moment share. "read": outside of one. "alone": outside of one and on a
   * thread of its own, because it takes as long as copying the store. "within": in a transaction of the caller's, which is its
   * first argument.
   */
  readonly mode: "write" | "read" | "alone" | "within";
  /** True: answered once it is on disk. False: a power cut may undo it, because the processor it was for is gone as well. */
  readonly durable?: boolean;
  /** Where it runs in SQLite. "store": on the writing connection, which sees its own writes. "reader": on a reader thread. */
  readonly thread?: "store" | "reader";
  /** True: asking again does no harm if the first answer was lost on its way. */
  readonly repeatable?: boolean;
}

const WRITE = { mode: "write", durable: true, repeatable: false } as const;
const REPEATABLE = { mode: "write", durable: true, repeatable: true } as const;
const FLEETING = { mode: "write", durable: false, repeatable: false } as const;
const FLEETING_REPEATABLE = { mode: "write", durable: false, repeatable: true } as const;
// One row by its key, or a short table: another thread would cost more, and a process that only submits needs none.
const READ = { mode: "read", thread: "store", repeatable: true } as const;
const READ_ON_READER = { mode: "read", thread: "reader", repeatable: true } as const;
const ALONE = { mode: "alone", repeatable: false } as const;
const WITHIN = { mode: "within", thread: "store", repeatable: false } as const;

export const VERBS = {
  // jobs
  submit: WRITE,
  cancel: WRITE,
  release: WRITE,
  update: WRITE,
  revive: WRITE,
  forget: WRITE,
  find: READ,
  list: READ_ON_READER,
  count: READ_ON_READER,
  listIds: READ_ON_READER,
  deadLetters: READ_ON_READER,
  deadLetterGroups: READ_ON_READER,
  deadLetterCauses: READ_ON_READER,
  circumstances: READ,
  attempts: READ_ON_READER,
  logs: READ_ON_READER,
  steps: READ_ON_READER,
  artifacts: READ_ON_READER,
  artifact: READ_ON_READER,

  // in a transaction of the caller's
  submitWithin: WITHIN,
  signalWithin: WITHIN,
  announceWork: READ,
  saveStepWithin: WITHIN,
  endStepWithin: READ,

  // attempts
  claim: FLEETING,
  renew: FLEETING_REPEATABLE,
  settle: WRITE,
  confirm: FLEETING_REPEATABLE,
  note: FLEETING,
  storedSteps: READ,
  firstJob: READ,
  saveStep: REPEATABLE,
  beginUndoable: REPEATABLE,
  undosLeft: READ,
  keepArtifact: REPEATABLE,
  acquireUnique: REPEATABLE,

  // waits
  resume: REPEATABLE,
  wakeLate: REPEATABLE,
  setAside: WRITE,
  decideRace: REPEATABLE,
  signal: WRITE,
  publish: WRITE,
  decideApproval: WRITE,
  approvals: READ_ON_READER,
  findApproval: READ,
  signals: READ_ON_READER,
  waits: READ_ON_READER,
  longWaits: READ_ON_READER,

  // streams
  openStreams: READ,
  appendStreams: FLEETING_REPEATABLE,
  streams: READ_ON_READER,
  readStream: READ_ON_READER,
  savedSteps: READ_ON_READER,
  pulses: READ_ON_READER,

  // children
  startChildren: REPEATABLE,
  childEnds: READ,
  dependencies: READ,
  links: READ_ON_READER,

  // batches
  createBatch: WRITE,
  addToBatch: WRITE,
  sealBatch: REPEATABLE,
  cancelBatch: WRITE,
  findBatch: READ,
  batches: READ_ON_READER,
  failedMembers: READ_ON_READER,
  submitFlow: WRITE,

  // operations
  createOperation: WRITE,
  undoOperation: WRITE,
  addToOperation: WRITE,
  startOperation: REPEATABLE,
  nextOfOperation: READ,
  advanceOperation: WRITE,
  failOperation: REPEATABLE,
  controlOperation: REPEATABLE,
  findOperation: READ,
  operations: READ,

  // limiters
  setLimiters: REPEATABLE,
  take: REPEATABLE,
  blockLimiter: REPEATABLE,
  sharedLimits: READ,
  setSharedLimit: REPEATABLE,
  deadKeyHolders: READ,
  limiters: READ,
  putLimiter: REPEATABLE,
  resetLimiter: WRITE,
  unblockLimiter: REPEATABLE,

  // limits of tenants
  putTenantLimits: REPEATABLE,
  deleteTenantLimits: WRITE,
  findTenantLimits: READ,

  // schedules
  putSchedule: REPEATABLE,
  removeSchedule: WRITE,
  schedules: READ,
  fire: WRITE,

  // outboxes
  leaseOutbox: REPEATABLE,
  leaveOutbox: REPEATABLE,
  applyOutbox: REPEATABLE,
  outboxes: READ,

  // sharing
  share: REPEATABLE,
  linkTo: REPEATABLE,
  shared: READ_ON_READER,
  linked: READ_ON_READER,
  markRead: FLEETING_REPEATABLE,

  // records
  findRecord: READ,
  putRecord: WRITE,
  deleteRecord: WRITE,
  listRecords: READ_ON_READER,

  // access
  putKey: WRITE,
  keys: READ,
  revokeKey: WRITE,
  addSession: WRITE,
  findSession: READ,
  endSession: WRITE,
  addAudit: WRITE,
  audit: READ_ON_READER,

  // processes
  register: REPEATABLE,
  setPaused: REPEATABLE,
  unpin: REPEATABLE,
  kinds: READ,
  pending: READ_ON_READER,
  deployments: READ,
  instances: READ,
  tenants: READ_ON_READER,
  size: READ_ON_READER,
  beat: FLEETING_REPEATABLE,
  drain: REPEATABLE,
  lead: FLEETING_REPEATABLE,
  prune: REPEATABLE,
  markCauses: REPEATABLE,
  backup: ALONE,
} as const satisfies Record<Verb, VerbTraits>;

type VerbWith<Traits> = { [V in Verb]: (typeof VERBS)[V] extends Traits ? V : never }[Verb];
/** A verb that SQLite runs on a reader thread or on a thread of its own: it needs no more than a connection that reads. */
export type ReaderVerb = VerbWith<{ thread: "reader" } | { mode: "alone" }>;
/** A verb that may be asked for again when its answer was lost. */
export type RepeatableVerb = VerbWith<{ repeatable: true }>;

const NAMES = Object.keys(VERBS) as Verb[];

abstract class CallForwarder {
  constructor() {
    for (const verb of NAMES) Object.assign(this, { [verb]: (...args: unknown[]) => this.call(verb, args) });
  }

  /** Carries out one call. */
  protected abstract call(verb: Verb, args: unknown[]): Promise<unknown>;
}

/** The base of a store: one method for each verb, which hands its name and arguments to `call`. */
export const VerbMethods = CallForwarder as abstract new () => CallForwarder & StoreVerbs;
