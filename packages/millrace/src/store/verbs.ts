// How each verb of the contract runs. This is the same for both stores; sqlite/verbs.ts and postgres/verbs.ts say which function
// runs it. The methods of a store, the dispatch in its thread and the types follow from these tables.

import type { Store } from "./store.ts";

/** Every member of the contract that is asked for and answered. */
export type Verb = Exclude<keyof Store, "open" | "close" | "clock" | "pollMs" | "claimAtOnce">;

export type StoreVerbs = Pick<Store, Verb>;
export type Args<V extends Verb> = Parameters<Store[V]>;
export type Answer<V extends Verb> = Awaited<ReturnType<Store[V]>>;

export interface VerbTraits {
  /**
   * "write": in a transaction, which all writes of the moment share. "read": outside of one. "alone": outside of one and on a
   * thread of its own, because it takes as long as copying the store.
   */
  readonly mode: "write" | "read" | "alone";
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

export const VERBS = {
  submit: WRITE,

  claim: FLEETING,
  renew: FLEETING_REPEATABLE,
  settle: WRITE,
  confirm: FLEETING_REPEATABLE,
  note: FLEETING,
  storedSteps: READ,
  saveStep: REPEATABLE,
  take: REPEATABLE,
  blockLimiter: REPEATABLE,
  keepArtifact: REPEATABLE,
  takeUnique: REPEATABLE,
  share: REPEATABLE,

  register: REPEATABLE,
  setLimiters: REPEATABLE,
  cancel: WRITE,
  release: WRITE,
  revive: WRITE,
  forget: WRITE,
  setPaused: REPEATABLE,
  unpin: REPEATABLE,
  putSchedule: REPEATABLE,
  removeSchedule: WRITE,

  find: READ,
  findMany: READ,
  list: READ_ON_READER,
  count: READ_ON_READER,
  matching: READ_ON_READER,
  deadLetters: READ_ON_READER,
  deadLetterGroups: READ_ON_READER,
  tenants: READ_ON_READER,
  attempts: READ_ON_READER,
  circumstances: READ,
  logs: READ_ON_READER,
  steps: READ_ON_READER,
  artifacts: READ_ON_READER,
  artifact: READ_ON_READER,
  kinds: READ,
  deployments: READ,
  instances: READ,
  schedules: READ,
  size: READ_ON_READER,

  linkTo: REPEATABLE,
  shared: READ_ON_READER,
  linked: READ_ON_READER,
  markRead: FLEETING_REPEATABLE,

  putKey: WRITE,
  keys: READ,
  findKey: READ,
  revokeKey: WRITE,
  addSession: WRITE,
  findSession: READ,
  endSession: WRITE,
  addAudit: WRITE,
  audit: READ_ON_READER,

  findRecord: READ,
  putRecord: WRITE,
  deleteRecord: WRITE,
  listRecords: READ_ON_READER,

  beat: FLEETING_REPEATABLE,
  drain: REPEATABLE,
  lead: FLEETING_REPEATABLE,
  prune: REPEATABLE,
  fire: WRITE,
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
