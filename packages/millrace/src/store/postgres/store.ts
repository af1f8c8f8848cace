import { hostname } from "node:os";
import type { KindPlan } from "../../job/kind/plan.ts";
import type { Lease } from "../../job/lease.ts";
import type { Outcome } from "../../job/lifecycle.ts";
import { AppError } from "../../lib/app-error.ts";
import { type Clock, sharedOffsets, systemClock } from "../../lib/clock.ts";
import { ownFile } from "../../lib/runtime/own-file.ts";
import { NO_LIMITS } from "../no-limits.ts";
import type * as Contract from "../store.ts";
import type { Callee } from "../thread/calls.ts";
import { ThreadCallee } from "../thread/thread-callee.ts";
import type { ByHand, CoreOptions } from "./core.ts";

export interface PostgresStoreOptions {
  url: string;
  durability?: "full" | "normal";
  leaseMs?: number;
  instanceName?: string;
  limits?: Partial<Contract.StoreLimits>;
  /** Tests: no thread, time and chance by hand. */
  inline?: ByHand;
}

/** What ends in one turn is one statement: the thread only sends it on, so it need not begin before the turn is over. */
const FLUSH_AT = 1_000;

let opened = 0;

function openThread(options: CoreOptions, events: Contract.StoreEvents): Promise<Callee> {
  return ThreadCallee.open(ownFile("store/postgres/thread/thread.ts"), options, events, { flushAt: FLUSH_AT });
}

/** Loaded when asked for: with a thread, the main thread needs none of the core. */
async function openInline(options: CoreOptions, events: Contract.StoreEvents, byHand: ByHand): Promise<Callee> {
  const { InlineCallee } = await import("./thread/inline.ts");
  return InlineCallee.open(options, events, byHand);
}

/** The store on one PostgreSQL database, which any number of processes on any number of machines may share. */
export class PostgresStore implements Contract.Store {
  /** The database's, as last heard: machines whose clocks differ agree on it. */
  readonly clock: Clock;
  /** A look is a way to another machine, and work is announced: ten times as rare as on a file. */
  readonly pollMs = 1_000;
  /** Every statement has its price, whatever it takes. As many as a bundle's row has room for on one page. */
  readonly claimAtOnce = 1_000;
  readonly #options: CoreOptions;
  readonly #inline: PostgresStoreOptions["inline"];
  #callee: Callee | undefined;

  constructor(options: PostgresStoreOptions) {
    this.#inline = options.inline;
    const clockOffsets = sharedOffsets();
    this.clock = options.inline?.clock ?? systemClock(clockOffsets);
    this.#options = {
      url: options.url,
      durability: options.durability ?? "full",
      leaseMs: options.leaseMs ?? 15_000,
      instanceName: options.instanceName ?? `${hostname()}:${process.pid}${opened++ > 0 ? `.${opened}` : ""}`,
      limits: { ...NO_LIMITS, ...options.limits },
      clockOffsets,
    };
  }

  async open(events: Contract.StoreEvents): Promise<void> {
    this.#callee = this.#inline
      ? await openInline(this.#options, events, this.#inline)
      : await openThread(this.#options, events);
  }

  async close(): Promise<void> {
    const callee = this.#callee;
    this.#callee = undefined;
    await callee?.close();
  }

  submit = (submissions: Contract.Submission[]) => this.#ask().call("submit", submissions);
  claim = (request: Contract.ClaimRequest) => this.#ask().call("claim", request);
  renew = (leases: Lease[]) => this.#ask().call("renew", leases);
  settle = (lease: Lease, outcome: Outcome) => this.#ask().call("settle", lease, outcome);
  confirm = (lease: Lease) => this.#ask().call("confirm", lease);
  note = (lease: Lease, note: Contract.Note) => this.#ask().call("note", lease, note);
  storedSteps = (lease: Lease) => this.#ask().call("storedSteps", lease);
  saveStep = (lease: Lease, name: string, value: string) => this.#ask().call("saveStep", lease, name, value);
  take = (lease: Lease, limiter: string, cost: number) => this.#ask().call("take", lease, limiter, cost);
  blockLimiter = (lease: Lease, limiter: string, forMs: number) =>
    this.#ask().call("blockLimiter", lease, limiter, forMs);
  keepArtifact = (lease: Lease, artifact: Contract.Artifact) => this.#ask().call("keepArtifact", lease, artifact);
  takeUnique = (lease: Lease, key: string) => this.#ask().call("takeUnique", lease, key);

  share = (lease: Lease, artifact: Contract.SharedArtifact, options: { named: boolean }) =>
    this.#ask().call("share", lease, artifact, options);

  register = (plans: KindPlan[], registration?: Contract.Registration) =>
    this.#ask().call("register", plans, registration);
  setLimiters = (limiters: { name: string; count: number; perMs: number }[]) =>
    this.#ask().call("setLimiters", limiters);
  cancel = (jobIds: string[], reason: string, options?: { unlessJoined?: boolean }) =>
    this.#ask().call("cancel", jobIds, reason, options);
  release = (jobId: string, answer?: string) => this.#ask().call("release", jobId, answer);
  revive = (jobId: string, options: Contract.ReviveOptions) => this.#ask().call("revive", jobId, options);
  forget = (jobIds: string[]) => this.#ask().call("forget", jobIds);
  unpin = (label: string) => this.#ask().call("unpin", label);
  setPaused = (kind: string, paused: boolean) => this.#ask().call("setPaused", kind, paused);
  putSchedule = (schedule: Contract.Schedule, most: number) => this.#ask().call("putSchedule", schedule, most);
  removeSchedule = (name: Contract.ScheduleName) => this.#ask().call("removeSchedule", name);
  putKey = (key: Contract.ApiKey) => this.#ask().call("putKey", key);
  revokeKey = (id: string) => this.#ask().call("revokeKey", id);
  addSession = (session: Contract.Session) => this.#ask().call("addSession", session);
  endSession = (idHash: string) => this.#ask().call("endSession", idHash);
  addAudit = (entry: Contract.NewAuditEntry) => this.#ask().call("addAudit", entry);
  putRecord = (record: Contract.NewRecord) => this.#ask().call("putRecord", record);
  deleteRecord = (name: Contract.RecordName, ifVersion?: number) => this.#ask().call("deleteRecord", name, ifVersion);

  find = (jobId: string) => this.#ask().call("find", jobId);
  findMany = (jobIds: string[]) => this.#ask().call("findMany", jobIds);
  schedules = (filter?: Contract.ScheduleFilter) => this.#ask().call("schedules", filter);
  kinds = () => this.#ask().call("kinds");
  deployments = () => this.#ask().call("deployments");
  instances = () => this.#ask().call("instances");
  keys = () => this.#ask().call("keys");
  findKey = (id: string) => this.#ask().call("findKey", id);
  findSession = (idHash: string) => this.#ask().call("findSession", idHash);
  findRecord = (name: Contract.RecordName) => this.#ask().call("findRecord", name);
  list = (filter: Contract.JobFilter) => this.#ask().call("list", filter);
  count = (filter: Contract.JobFilter) => this.#ask().call("count", filter);
  matching = (filter: Contract.JobFilter, limit: number) => this.#ask().call("matching", filter, limit);
  deadLetters = (filter: Contract.JobFilter, page: { limit: number; offset: number }) =>
    this.#ask().call("deadLetters", filter, page);
  deadLetterGroups = (filter: Contract.JobFilter) => this.#ask().call("deadLetterGroups", filter);
  tenants = () => this.#ask().call("tenants");
  circumstances = (jobId: string) => this.#ask().call("circumstances", jobId);
  attempts = (jobId: string) => this.#ask().call("attempts", jobId);
  logs = (jobId: string, options: { afterId?: number; limit: number }) => this.#ask().call("logs", jobId, options);
  steps = (jobId: string) => this.#ask().call("steps", jobId);
  artifacts = (jobId: string) => this.#ask().call("artifacts", jobId);
  artifact = (jobId: string, name: string) => this.#ask().call("artifact", jobId, name);
  linkTo = (tenant: string, key: string) => this.#ask().call("linkTo", tenant, key);
  markRead = (keys: string[]) => this.#ask().call("markRead", keys);
  shared = (key: string) => this.#ask().call("shared", key);
  linked = (link: string) => this.#ask().call("linked", link);
  size = () => this.#ask().call("size");
  audit = (page: { limit: number; beforeId?: number }) => this.#ask().call("audit", page);
  listRecords = (filter: Contract.RecordFilter) => this.#ask().call("listRecords", filter);

  beat = (pools?: string) => this.#ask().call("beat", pools);
  drain = () => this.#ask().call("drain");
  lead = (forMs: number) => this.#ask().call("lead", forMs);
  prune = (options: { limit: number }) => this.#ask().call("prune", options);
  fire = (
    name: Contract.ScheduleName,
    expectedAt: number,
    nextAt: number,
    submission: Contract.Submission | undefined,
  ) => this.#ask().call("fire", name, expectedAt, nextAt, submission);
  backup = (path: string) => this.#ask().call("backup", path);

  #ask(): Callee {
    if (!this.#callee) throw new AppError("store-closed", "The store is closed.");
    return this.#callee;
  }
}
