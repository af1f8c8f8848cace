import { existsSync } from "node:fs";
import { hostname } from "node:os";
import type { KindPlan } from "../../job/kind/plan.ts";
import type { Lease } from "../../job/lease.ts";
import type { Outcome } from "../../job/lifecycle.ts";
import { AppError } from "../../lib/app-error.ts";
import type { Clock, ClockOffsets } from "../../lib/clock.ts";
import { ownFile } from "../../lib/runtime/own-file.ts";
import { NO_LIMITS } from "../no-limits.ts";
import type * as Contract from "../store.ts";
import type { Callee } from "../thread/calls.ts";
import { ThreadCallee } from "../thread/thread-callee.ts";
import { replacedError } from "./connection/replaced-error.ts";
import { requireSqlite } from "./connection/require-sqlite.ts";
import type { CoreOptions } from "./core.ts";
import { Readers } from "./thread/readers.ts";
import type { ThreadData } from "./thread/thread.ts";

export interface SqliteStoreOptions {
  path: string;
  durability?: "full" | "normal";
  leaseMs?: number;
  instanceName?: string;
  limits?: Partial<Contract.StoreLimits>;
  /** Tests: shifts the clocks of this process and its store thread. */
  clockOffsets?: ClockOffsets;
  /** Tests: no thread, time and chance by hand. */
  inline?: { clock: Clock; random?: () => number };
}

let opened = 0;

function openThread(data: ThreadData, events?: Contract.StoreEvents): Promise<ThreadCallee> {
  return ThreadCallee.open(ownFile("store/sqlite/thread/thread.ts"), data, events);
}

/** The store on one SQLite file: writes go to the store thread, lists and searches to reader threads. */
export class SqliteStore implements Contract.Store {
  readonly #options: CoreOptions;
  readonly #inline: SqliteStoreOptions["inline"];
  #writer: Callee | undefined;
  #readers: Pick<Readers, "call" | "alone" | "close"> | undefined;

  constructor(options: SqliteStoreOptions) {
    this.#inline = options.inline;
    this.#options = {
      path: options.path,
      durability: options.durability ?? "full",
      leaseMs: options.leaseMs ?? 15_000,
      instanceName: options.instanceName ?? `${hostname()}:${process.pid}${opened++ > 0 ? `.${opened}` : ""}`,
      limits: { ...NO_LIMITS, ...options.limits },
      ...(options.clockOffsets && { clockOffsets: options.clockOffsets }),
    };
  }

  async open(events: Contract.StoreEvents): Promise<void> {
    requireSqlite();
    const inline = this.#inline !== undefined || this.#options.path === ":memory:";
    if (inline) {
      // Loaded when asked for: with threads, the main thread needs neither the core nor SQLite.
      const { InlineCallee } = await import("./thread/inline.ts");
      const callee = new InlineCallee(this.#options, events, this.#inline);
      this.#writer = callee;
      this.#readers = inlineReaders(callee);
      return;
    }
    let isReplaced = false;
    const { path, limits, clockOffsets } = this.#options;
    const reader: ThreadData = {
      role: "reader",
      path,
      queryMs: limits.queryMs,
      ...(clockOffsets && { clockOffsets }),
    };
    this.#writer = await openThread(
      { role: "writer", options: this.#options },
      {
        ...events,
        conditions: (conditions) => {
          isReplaced ||= conditions.some(({ code }) => code === "store-replaced");
          events.conditions?.(conditions);
        },
      },
    );
    this.#readers = new Readers(async () => {
      // A reader that is opened now would read whatever file has taken the name.
      if (isReplaced || !existsSync(path)) throw replacedError(path);
      return openThread(reader);
    });
  }

  async close(): Promise<void> {
    const writer = this.#writer;
    const readers = this.#readers;
    this.#writer = undefined;
    this.#readers = undefined;
    await readers?.close();
    await writer?.close();
  }

  submit = (submissions: Contract.Submission[]) => this.#write().call("submit", submissions);
  claim = (request: Contract.ClaimRequest) => this.#write().call("claim", request);
  renew = (leases: Lease[]) => this.#write().call("renew", leases);
  settle = (lease: Lease, outcome: Outcome) => this.#write().call("settle", lease, outcome);
  confirm = (lease: Lease) => this.#write().call("confirm", lease);
  note = (lease: Lease, note: Contract.Note) => this.#write().call("note", lease, note);
  storedSteps = (lease: Lease) => this.#write().call("storedSteps", lease);
  saveStep = (lease: Lease, name: string, value: string) => this.#write().call("saveStep", lease, name, value);
  take = (lease: Lease, limiter: string, cost: number) => this.#write().call("take", lease, limiter, cost);
  blockLimiter = (lease: Lease, limiter: string, forMs: number) =>
    this.#write().call("blockLimiter", lease, limiter, forMs);
  keepArtifact = (lease: Lease, artifact: Contract.Artifact) => this.#write().call("keepArtifact", lease, artifact);
  takeUnique = (lease: Lease, key: string) => this.#write().call("takeUnique", lease, key);

  share = (lease: Lease, artifact: Contract.SharedArtifact, options: { named: boolean }) =>
    this.#write().call("share", lease, artifact, options);

  register = (plans: KindPlan[], registration?: Contract.Registration) =>
    this.#write().call("register", plans, registration);
  setLimiters = (limiters: { name: string; count: number; perMs: number }[]) =>
    this.#write().call("setLimiters", limiters);
  cancel = (jobIds: string[], reason: string, options?: { unlessJoined?: boolean }) =>
    this.#write().call("cancel", jobIds, reason, options);
  release = (jobId: string, answer?: string) => this.#write().call("release", jobId, answer);
  revive = (jobId: string, options: Contract.ReviveOptions) => this.#write().call("revive", jobId, options);
  forget = (jobIds: string[]) => this.#write().call("forget", jobIds);
  setPaused = (kind: string, paused: boolean) => this.#write().call("setPaused", kind, paused);
  unpin = (label: string) => this.#write().call("unpin", label);
  putSchedule = (schedule: Contract.Schedule, most: number) => this.#write().call("putSchedule", schedule, most);
  removeSchedule = (name: Contract.ScheduleName) => this.#write().call("removeSchedule", name);
  putKey = (key: Contract.ApiKey) => this.#write().call("putKey", key);
  revokeKey = (id: string) => this.#write().call("revokeKey", id);
  addSession = (session: Contract.Session) => this.#write().call("addSession", session);
  endSession = (idHash: string) => this.#write().call("endSession", idHash);
  addAudit = (entry: Contract.NewAuditEntry) => this.#write().call("addAudit", entry);
  putRecord = (record: Contract.NewRecord) => this.#write().call("putRecord", record);
  deleteRecord = (name: Contract.RecordName, ifVersion?: number) => this.#write().call("deleteRecord", name, ifVersion);

  // One row by its key is found at once: on the writer it needs no second thread and sees what was just written.
  find = (jobId: string) => this.#write().call("find", jobId);
  findMany = (jobIds: string[]) => this.#write().call("findMany", jobIds);
  schedules = (filter?: Contract.ScheduleFilter) => this.#write().call("schedules", filter);
  kinds = () => this.#write().call("kinds");
  // Counters and short tables: a process that only submits needs no reader thread for it.
  deployments = () => this.#write().call("deployments");
  instances = () => this.#write().call("instances");
  keys = () => this.#write().call("keys");
  findKey = (id: string) => this.#write().call("findKey", id);
  findSession = (idHash: string) => this.#write().call("findSession", idHash);
  findRecord = (name: Contract.RecordName) => this.#write().call("findRecord", name);
  list = (filter: Contract.JobFilter) => this.#read().call("list", filter);
  count = (filter: Contract.JobFilter) => this.#read().call("count", filter);
  matching = (filter: Contract.JobFilter, limit: number) => this.#read().call("matching", filter, limit);
  deadLetters = (filter: Contract.JobFilter, page: { limit: number; offset: number }) =>
    this.#read().call("deadLetters", filter, page);
  deadLetterGroups = (filter: Contract.JobFilter) => this.#read().call("deadLetterGroups", filter);
  tenants = () => this.#read().call("tenants");
  circumstances = (jobId: string) => this.#write().call("circumstances", jobId);
  attempts = (jobId: string) => this.#read().call("attempts", jobId);
  logs = (jobId: string, options: { afterId?: number; limit: number }) => this.#read().call("logs", jobId, options);
  steps = (jobId: string) => this.#read().call("steps", jobId);
  artifacts = (jobId: string) => this.#read().call("artifacts", jobId);
  artifact = (jobId: string, name: string) => this.#read().call("artifact", jobId, name);
  linkTo = (tenant: string, key: string) => this.#write().call("linkTo", tenant, key);
  markRead = (keys: string[]) => this.#write().call("markRead", keys);
  shared = (key: string) => this.#read().call("shared", key);
  linked = (link: string) => this.#read().call("linked", link);
  size = () => this.#read().call("size");
  audit = (page: { limit: number; beforeId?: number }) => this.#read().call("audit", page);
  listRecords = (filter: Contract.RecordFilter) => this.#read().call("listRecords", filter);

  beat = (pools?: string) => this.#write().call("beat", pools);
  drain = () => this.#write().call("drain");
  lead = (forMs: number) => this.#write().call("lead", forMs);
  prune = (options: { limit: number }) => this.#write().call("prune", options);
  fire = (
    name: Contract.ScheduleName,
    expectedAt: number,
    nextAt: number,
    submission: Contract.Submission | undefined,
  ) => this.#write().call("fire", name, expectedAt, nextAt, submission);
  backup = (path: string) => this.#read().alone("backup", path);

  #write(): Callee {
    if (!this.#writer) throw new AppError("store-closed", "The store is closed.");
    return this.#writer;
  }

  #read(): Pick<Readers, "call" | "alone"> {
    if (!this.#readers) throw new AppError("store-closed", "The store is closed.");
    return this.#readers;
  }
}

/** Without threads all reads happen where the writes do. */
function inlineReaders(callee: Callee): Pick<Readers, "call" | "alone" | "close"> {
  const call: Readers["call"] = (verb, ...args) => callee.call(verb, ...args);
  return { call, alone: call, close: async () => {} };
}
