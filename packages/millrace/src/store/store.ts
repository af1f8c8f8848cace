// THE CONTRACT every store keeps; contract-suite.ts holds each to it. Moments are milliseconds since 1970, JSON is text.

import type { Attempt, Job, Standing } from "../job/job.ts";
import type { KindPlan, Pace } from "../job/kind/plan.ts";
import type { ClaimedJob, Lease, LossReason, Written } from "../job/lease.ts";
import type { Outcome } from "../job/lifecycle.ts";
import type { StoredOptions } from "../job/options/submit-options.ts";
import type { Clock } from "../lib/clock.ts";

export interface Store extends Intake, Claims, Control, Reading, Sharing, Access, RecordTable, Upkeep {
  /** Opens the store, brings its schema up to date and registers this process. */
  open(events: StoreEvents): Promise<void>;
  /** Gives up the registration and closes; safe to call twice. */
  close(): Promise<void>;
  /** What time it is where the data is. Missing: this machine's clock rules. */
  readonly clock?: Clock;
  /** How often to look for work that no signal announced, unless somebody says. Missing: the engine's own. */
  readonly pollMs?: number;
  /** How many jobs a large pool does best to claim at once. Missing: the engine's own. */
  readonly claimAtOnce?: number;
}

/**
 * A store that `Millrace.open()` has yet to open. `sqlite()` and `postgres()` return one. The engine calls it; the contract of
 * a store is not public.
 */
export interface StoreFactory {
  /** @internal */
  // biome-ignore lint/style/useShorthandFunctionType: an interface keeps its name in the declarations of other packages
  (options: { leaseMs: number; durability: "full" | "normal"; limits: Partial<StoreLimits> }): Store;
}

/** What a store tells its process without being asked. Hints: the truth is in the store. */
export interface StoreEvents {
  /** Something changed from outside this process: there may be work. */
  wake(): void;
  /** Leases this process held and no longer holds. */
  lost(leases: { jobId: string; token: number; reason: LossReason }[]): void;
  /** The store can no longer be trusted (an I/O error): stop accepting, exit, recover at the next start. */
  fatal(error: Error): void;
  /** Its own care failed for the moment (a busy or full disk) and will be tried again. */
  trouble(message: string): void;
  /** All conditions that hold now, told whenever one begins or ends. A store that tells none is well. */
  conditions?(conditions: StoreCondition[]): void;
  /** Leases of dead processes were taken back, or jobs not started in time failed. */
  expired(jobs: { jobId: string; standing: Standing }[]): void;
}

/** Something about the store that an operator should know of. */
export interface StoreCondition {
  code: "store-replaced" | "disk-full" | "wal-large" | "files-readable";
  /** `error`: nothing can be stored. `degraded`: some work is refused or at risk. `note`: for the log only. */
  level: "error" | "degraded" | "note";
  /** What is wrong and what to do. */
  message: string;
}

/** Bounds the store keeps in the same transaction as what they bound. 0 is "off". */
export interface StoreLimits {
  queueMax: number;
  maxNewJobsPerMinute: number;
  maxConcurrentPerTenant: number;
  tenantOverflow: "reject" | "queue";
  jobKeepMax: number;
  dlqKeepMax: number;
  idempotencyMs: number;
  /** Room for shared artifacts: beyond it those go that were read longest ago and that no kept job names. */
  sharedMaxBytes: number;
  /** How long one that no kept job names is kept after it was last read. */
  sharedKeepMs: number;
  /** How long a list or a search may take, its wait for a turn included; beyond it fails with `query-timeout`. */
  queryMs: number;
}

// ── submit ────────────────────────────────────────────────────────────────────────────────────────────────────────

export interface Intake {
  /** One transaction. A refused submission takes none of its neighbours along; its own jobs are stored all or none. */
  submit(submissions: Submission[]): Promise<SubmitAnswer[]>;
}

export interface Submission {
  tenant: string;
  jobs: NewJob[];
  idempotency?: { key: string; fingerprint: string };
}

/** A job to store: its kind, its payload and the options that were passed for it. */
export interface NewJob extends StoredOptions {
  kind: string;
  payload: string;
  uniqueKey?: string;
  /**
   * "join": where a job with the unique key lives (also one earlier in the same submission), its id is the answer and nothing
   * is stored; that job then counts as joined. It takes nothing from any limit.
   * "follow": where such a job lives, this one is stored without the key, to run a quarter of a second later: the work is likely done
   * by then. Its processor asks for the key (`takeUnique`).
   * Missing: the submission is refused.
   */
  ifUnique?: "join" | "follow";
  /**
   * The result is known, since `share` holds it: the job is stored as completed, takes no room in the queue and no unique
   * key, and names the shared artifact. Where that is gone by now, the job is stored as if this were missing.
   */
  completed?: { output: string; share: string };
}

export type SubmitAnswer =
  /**
   * `joined`: the places of those jobs that were there before. `completed`: of those stored as completed. `plans`: the stages of
   * kinds whose jobs got another plan than this process registered.
   */
  | {
      type: "accepted";
      jobIds: string[];
      at: number;
      joined?: number[];
      completed?: number[];
      plans?: Record<string, string[]>;
    }
  /** The same key and body came before: the first answer's jobs, when they were accepted and under which trace. */
  | { type: "replayed"; jobIds: string[]; at: number; traceId?: string }
  | { type: "refused"; code: RefusalCode; message: string; jobId?: string; retryAfterMs?: number };

export type RefusalCode =
  | "idempotency-conflict"
  | "already-queued"
  | "already-processing"
  | "in-other-stage"
  | "rate-limited"
  | "tenant-busy"
  | "backpressure"
  | "kind-unknown"
  | "disk-full";

// ── claim, process, settle ────────────────────────────────────────────────────────────────────────────────────────

export interface Claims {
  claim(request: ClaimRequest): Promise<Claimed>;
  /** Extends this process's leases; gives back those of `leases` it still holds. */
  renew(leases: Lease[]): Promise<Lease[]>;
  /** Records the outcome and ends the lease, with all that follows from it, in one transaction. */
  settle(lease: Lease, outcome: Outcome): Promise<Settled>;
  /** To be asked before anything that cannot be undone. Renews the lease where little of it is left. */
  confirm(lease: Lease): Promise<Confirmed>;
  note(lease: Lease, note: Note): Promise<Written>;
  storedSteps(lease: Lease): Promise<Step[] | "lease-lost">;
  /** The same once more is the same step; another value under its name is refused (`step-name-reused`). */
  saveStep(lease: Lease, name: string, value: string): Promise<Written>;
  take(lease: Lease, limiter: string, cost: number): Promise<Taken>;
  blockLimiter(lease: Lease, limiter: string, forMs: number): Promise<Written>;
  keepArtifact(lease: Lease, artifact: Artifact): Promise<Written>;
  /** Gives the job a unique key until it ends, unless another live job of its kind and tenant has it. */
  takeUnique(lease: Lease, key: string): Promise<UniqueKeyTaken>;
  /**
   * Keeps bytes beyond the job's own life, under a key that says all they were made from. What is kept already stays as it
   * is: bytes under a key never change. With `named`, the job names them (nothing evicts them while it is kept) and its
   * tenant gets a link; without, they are there for whoever asks by the key.
   */
  share(lease: Lease, artifact: SharedArtifact, options: { named: boolean }): Promise<Shared>;
}

export interface ClaimRequest {
  kind: string;
  stage: string;
  /** Earlier names of the stage: jobs that stand there are taken too. */
  renamedFrom?: string[];
  /** The free processors; no more jobs than these are claimed. */
  slots: number[];
  /** How many suspects (jobs with two or more crashes) may be among them. */
  suspects: number;
  /** The group of suspects that they join; missing: any number may run together, as in children of their own. */
  group?: SuspectGroupState;
  /** Who has the odd processor where both suspects and others wait. Missing: true. */
  suspectsFirst?: boolean;
  pace?: Pace;
  /** The deadline the store enforces where the job sets none: its clock runs even while the process's main loop is blocked. */
  timeoutMs?: number;
  retryTimeouts?: boolean;
}

export interface Claimed {
  jobs: ClaimedJob[];
  /** When a claim may find more: the next scheduled job, or the pace's next start. */
  nextAt?: number;
  /** Suspects wait, more than the request allowed for. */
  suspectsWait?: true;
  /** With `suspectsWait`: when a process was last found dead with jobs in hand; 0: never. */
  lastDeathAt?: number;
}

/** The suspects that run in the process that claims. */
export interface SuspectGroupState {
  running: number;
  /** The last death that this process knows of. After a later one it gets no suspects, since it must start small again. */
  lastDeathAt?: number;
}

export type Settled =
  | { written: "lease-lost" }
  /** `forgotten`: the kind keeps nothing, and the job was deleted as it settled. */
  | { written: "written"; standing: Standing; nextStage?: string; runAt?: number; forgotten?: true };

/** Nobody else gets the job for so long, counted from the moment of asking. */
export type Confirmed = "lease-lost" | { forMs: number };

export interface Note {
  progress?: { value: number; message?: string };
  logs?: LogLine[];
}

/** One line that a processor wrote with `ctx.log`. */
export interface LogLine {
  /** When it was written, in milliseconds since 1970. */
  at: number;
  /** The level of the line. */
  level: "debug" | "info" | "warn" | "error";
  /** What was logged. */
  message: string;
  /** The data of the line, as JSON text. */
  data?: string;
}

/** The stored result of `ctx.step()`. */
export interface Step {
  /** The stage that the step belongs to. */
  stage: string;
  /** The name of the step. */
  name: string;
  /** The result, as JSON text. */
  value: string;
  /** When it was stored, in milliseconds since 1970. */
  savedAt: number;
}

export type Taken = "taken" | "lease-lost" | { retryAt: number };

/** "held": the job has had the key since it was submitted, or took it before. An object: the job that has it. */
export type UniqueKeyTaken = "held" | "taken" | "lease-lost" | UniqueKeyHolder;

export interface UniqueKeyHolder {
  jobId: string;
  /** How long ago the job that asks was submitted. */
  waitedMs: number;
}

/** Bytes that a job produced, stored with it under a name. */
export interface Artifact {
  /** The name that the processor gave it. */
  name: string;
  /** The media type that the processor gave it. */
  contentType: string;
  /** The bytes themselves. */
  bytes: Uint8Array;
}

/** An artifact without its bytes. */
export interface ArtifactInfo {
  /** The name that the processor gave it. */
  name: string;
  /** The media type that the processor gave it. */
  contentType: string;
  /** The size in bytes. */
  size: number;
}

/** `info` is JSON: what whoever made them wants to know of them later. */
export interface SharedArtifact {
  /** 1 to 255 characters. */
  key: string;
  contentType: string;
  bytes: Uint8Array;
  info: string;
}

export type Shared = "lease-lost" | { link?: string };

// ── control ───────────────────────────────────────────────────────────────────────────────────────────────────────

export interface Control {
  /** Makes the kinds of this process known. A plan is added once and never changed; a job keeps the one it got. */
  register(plans: KindPlan[], registration?: Registration): Promise<void>;
  setLimiters(limiters: { name: string; count: number; perMs: number }[]): Promise<void>;
  /**
   * Cancels pending and running jobs in one commit: state, token and limit slot together. `unlessJoined` leaves those be
   * that a second submission has joined, with a conflict as the answer.
   */
  cancel(jobIds: string[], reason: string, options?: { unlessJoined?: boolean }): Promise<CancelAnswer[]>;
  /** With an answer (JSON), it is kept in the same commit as a step of the held stage: `released:1`, `released:2` ... */
  release(jobId: string, answer?: string): Promise<ControlAnswer>;
  revive(jobId: string, options: ReviveOptions): Promise<ReviveAnswer>;
  /** Deletes a finished job and all that belongs to it. */
  forget(jobIds: string[]): Promise<ControlAnswer[]>;
  setPaused(kind: string, paused: boolean): Promise<ControlAnswer>;
  /** Hands the pinned jobs of a deployment that no process runs any more to the newest one. */
  unpin(label: string): Promise<ControlAnswer>;
  /** Adds it, or puts it in place of the tenant's own of that name. False: the tenant has `most` others; 0 = no bound. */
  putSchedule(schedule: Schedule, most: number): Promise<boolean>;
  removeSchedule(name: ScheduleName): Promise<boolean>;
}

export interface Registration {
  /** The version of the application. Missing: a hash of the plans. */
  deployment?: string;
  /** false: this process submits and looks only. It announces no deployment, and none of its policies hold. */
  work?: boolean;
}

export type ControlAnswer = "done" | "not-found" | { conflict: string };
/** `running` is the lease that was ended, so that its processor can be told at once. */
export type CancelAnswer = ControlAnswer | { running: { jobId: string; token: number } };
/** `accepted` is the new job as it was committed, before any processor could claim it. */
export type ReviveAnswer =
  | { revived: string; accepted: Job }
  | { conflict: string; code: "conflict" | RefusalCode; jobId?: string }
  | "not-found";

export interface ReviveOptions {
  /** Edited; missing: the old one. */
  payload?: string;
  from: "failed-stage" | "start";
  uniqueKey?: string;
  /** Spreads the work of many revived at once: the new job may run then. Missing: now. */
  delayMs?: number;
}

/** A schedule's name is unique within its tenant. */
export interface ScheduleName {
  tenant: string;
  name: string;
}

/** With `dueAt`: all whose next tick has come by then, paused ones too; the rest of the filter is ignored. */
export interface ScheduleFilter {
  tenant?: string;
  name?: string;
  dueAt?: number;
}

/** A schedule as the store keeps it. */
export interface Schedule {
  /** The name of the schedule, unique within its tenant. */
  name: string;
  /** The cron expression. */
  cron: string;
  /** The IANA time zone. */
  timeZone: string;
  /** The kind of its jobs. */
  kind: string;
  /** The tenant that its jobs belong to. */
  tenant: string;
  payload: string;
  /** The unique key of its jobs. */
  uniqueKey?: string;
  /** The priority of its jobs. */
  priority?: number;
  /** The tags of its jobs. */
  tags?: string[];
  /** While the previous job of the schedule has not ended: "skip" submits none, "allow" submits one. */
  overlap: "skip" | "allow";
  /** After times at which no process ran: "once" submits one job for all of them, "skip" none. */
  missed: "once" | "skip";
  /** True: it does not fire. */
  paused: boolean;
  nextAt: number;
  lastAt?: number;
  /** The id of the job that it submitted last. */
  lastJobId?: string;
}

// ── read ──────────────────────────────────────────────────────────────────────────────────────────────────────────

export interface Reading {
  find(jobId: string): Promise<Job | undefined>;
  findMany(jobIds: string[]): Promise<Job[]>;
  list(filter: JobFilter): Promise<Job[]>;
  count(filter: JobFilter): Promise<number>;
  /** Ids for an act on many, oldest first (dead letters by their failure), without reading what is in the jobs. */
  matching(filter: JobFilter, limit: number): Promise<string[]>;
  /** Newest failure first. `standings` says nothing here: they have all failed for good. */
  deadLetters(filter: JobFilter, page: { limit: number; offset: number }): Promise<{ jobs: Job[]; total: number }>;
  /** Dead letters with the same kind, stage and failure, the most frequent first, 100 groups at most. */
  deadLetterGroups(filter: JobFilter): Promise<DeadLetterGroup[]>;
  /** The busiest first, 1,000 at most. */
  tenants(): Promise<TenantCounts[]>;
  attempts(jobId: string): Promise<Attempt[]>;
  /** All that decides whether the job may run, read at one moment. */
  circumstances(jobId: string): Promise<Circumstances | undefined>;
  logs(jobId: string, options: { afterId?: number; limit: number }): Promise<(LogLine & { id: number })[]>;
  steps(jobId: string): Promise<Step[]>;
  /** By name. */
  artifacts(jobId: string): Promise<ArtifactInfo[]>;
  artifact(jobId: string, name: string): Promise<Artifact | undefined>;
  kinds(): Promise<KindCounts[]>;
  deployments(): Promise<DeploymentFacts>;
  instances(): Promise<Instance[]>;
  schedules(filter?: ScheduleFilter): Promise<Schedule[]>;
  size(): Promise<{ databaseBytes: number; walBytes: number }>;
}

/** Which jobs to list, count or act on. All conditions must hold. Lists are newest first. */
export interface JobFilter {
  /**
   * A state, the name of a stage, or one of `scheduled`, `retrying`, `held`, `not-started` and `done`. Default: any.
   */
  status?: string;
  /** Any of these standings. Default: any. */
  standings?: Standing[];
  /** The name of the kind. Default: any. */
  kind?: string;
  /** The name of the current stage. Default: any. */
  stage?: string;
  /** The tenant. Default: all tenants. */
  tenant?: string;
  /** A tag that the job has. Default: any. */
  tag?: string;
  /** Submitted at or after this time, in milliseconds since 1970. Default: no limit. */
  sinceAt?: number;
  /** Submitted before this time, in milliseconds since 1970. Default: no limit. */
  untilAt?: number;
  /** True: only jobs that wait for a retry. Default: false. */
  retrying?: boolean;
  /** True: only failed or cancelled jobs that were not revived yet. Default: false. */
  revivable?: boolean;
  /** True: only jobs that a processor holds now. Default: false. */
  inProgress?: boolean;
  /** A string in the payload, the result or the failure, or a job id. Default: any. */
  search?: string;
  /** Only these jobs. Default: any. */
  ids?: string[];
  /** The code of the failure. Default: any. */
  failureCode?: string;
  /** The whole message of the failure. Default: any. */
  failureMessage?: string;
  /** Only jobs submitted before this one: the last id of the previous page. Default: start with the newest. */
  beforeId?: string;
  /** Skip this many jobs. Default: 0. */
  offset?: number;
  /** The number of jobs, 1 to 10,000. Default: 50. */
  limit?: number;
}

/** Dead letters of the same stage that failed for the same reason. */
export interface DeadLetterGroup {
  /** The kind. */
  kind: string;
  /** The stage that failed. */
  stage: string;
  /** The code of the failure. */
  code: string;
  /** The message of the failure. */
  message: string;
  /** The number of dead letters. */
  count: number;
  /** When the first one failed, in milliseconds since 1970. */
  firstAt: number;
  /** When the latest one failed, in milliseconds since 1970. */
  lastAt: number;
  /** The id of the newest one. */
  sample: string;
}

/** The jobs of one tenant. */
export interface TenantCounts {
  /** The name of the tenant. */
  tenant: string;
  /** Jobs that run. */
  running: number;
  /** Jobs that wait. */
  pending: number;
}

/** A kind with the number of its jobs. */
export interface KindCounts {
  /** The name of the kind. */
  kind: string;
  /** True: no jobs of it are claimed until it is resumed. */
  paused: boolean;
  /** Each stage with its position and the number of jobs by standing. */
  stages: {
    /** The name of the stage. */
    stage: string;
    /** Its place among the stages, counted from 0. */
    position: number;
    /** How many jobs are where. */
    counts: Record<Standing, number>;
  }[];
}

/** What is known of deployments, of the processes that work, and of the jobs that wait for them. */
export interface DeploymentFacts {
  /** `number` is missing where no worker was ever announced: a process that only submits named it. */
  deployments: { id: number; label: string; number?: number; plans: { kind: string; stages: string[] }[] }[];
  /** One for each living process and kind. `serves`: the names of stages whose jobs it takes. */
  workers: {
    process: string;
    deployment: number;
    kind: string;
    serves: string[];
    level: number;
    running: number;
    draining: boolean;
  }[];
  /**
   * Unfinished jobs by stage. `stage` is "" before the kind has a plan; `later` names the stages after it in the jobs' plan;
   * `pin` is a deployment's id, or 0.
   */
  stages: {
    kind: string;
    stage: string;
    later: string[];
    pin: number;
    needs: number;
    pending: number;
    running: number;
  }[];
}

/** A job, and all that decides whether it may run. Counts stop at 10,000. */
export interface Circumstances {
  at: number;
  job: Job;
  isPaused: boolean;
  /** The engine level that the job's plan needs. */
  needs: number;
  /** The label of the only deployment whose workers may take the job. */
  pinnedTo?: string;
  /** A process that has claimed the job together with others and has not written its row yet. */
  claimedBy?: string;
  /** The process that holds the job has not renewed its lease in time. */
  isHolderLate: boolean;
  /** The living workers of the job's kind. */
  workers: KindWorker[];
  /** Running jobs of the job's tenant, in all kinds. */
  tenantRunning: number;
  /** Jobs that are claimed before it: of its tenant, or of all tenants if it is a suspect. */
  ahead: number;
  /** The stage after the job's own, with the jobs that are ready there. */
  nextStage?: { stage: string; ready: number };
  /** The pace of the job's stage, and when it lets the next job start. */
  pace?: Pace & { freeAt: number };
}

/** A living process that works on a kind. The figures are those of one of its stages. */
export interface KindWorker {
  process: string;
  deployment: string;
  /** The names of stages whose jobs it takes. */
  serves: string[];
  level: number;
  isDraining: boolean;
  running: number;
  /** Missing: the process runs an older version, which does not tell. */
  processors?: number;
  limits: { queueMax: number; maxConcurrentPerTenant: number };
}

/** One operating-system process of ours. */
export interface Instance {
  id: number;
  name: string;
  startedAt: number;
  beatAt: number;
  expiresAt: number;
  /** The process that asks. */
  own: boolean;
  /** What it last said of its pools, as JSON. */
  pools?: string;
}

// ── shared artifacts ──────────────────────────────────────────────────────────────────────────────────────────────

export interface Sharing {
  /**
   * The tenant's link to what is kept under the key, made when first asked for; undefined when nothing is kept. 12 random
   * letters and digits, one for a tenant and a key for as long as the bytes are kept, and never another's afterwards.
   */
  linkTo(tenant: string, key: string): Promise<Link | undefined>;
  shared(key: string): Promise<SharedArtifact | undefined>;
  /** What a link leads to, and whose link it is. */
  linked(link: string): Promise<LinkedArtifact | undefined>;
  /** These were read just now: a mark for `prune`, which drops what was read longest ago. Keys not kept are passed over. */
  markRead(keys: string[]): Promise<void>;
}

export interface Link {
  link: string;
  info: string;
}

export interface LinkedArtifact extends SharedArtifact {
  tenant: string;
  createdAt: number;
}

// ── access ────────────────────────────────────────────────────────────────────────────────────────────────────────

export interface Access {
  /** A key is added and later revoked, never changed: an id that was there before is refused. */
  putKey(key: ApiKey): Promise<void>;
  /** Newest first. */
  keys(): Promise<ApiKey[]>;
  findKey(id: string): Promise<ApiKey | undefined>;
  /** False: there is no such key, or it was revoked before. */
  revokeKey(id: string): Promise<boolean>;
  /** Also drops expired sessions, and the oldest where one key has too many. */
  addSession(session: Session): Promise<void>;
  findSession(idHash: string): Promise<Session | undefined>;
  /** False: it was ended before. */
  endSession(idHash: string): Promise<boolean>;
  addAudit(entry: NewAuditEntry): Promise<void>;
  /** Newest first. `beforeId` is the entry the page before ended with. */
  audit(page: AuditPage): Promise<AuditEntry[]>;
}

/** The right of one tenant's program to do some things. Only a hash of its secret is kept. */
export interface ApiKey {
  id: string;
  name: string;
  tenant: string;
  scopes: Scope[];
  secretHash: string;
  createdAt: number;
  expiresAt?: number;
  revokedAt?: number;
}

/** The last form is of the scopes that workloads bring: `greetings:write`. */
export type Scope = "submit" | "read" | "admin" | `${string}:${string}`;

/** A sign-in of the dashboard. The cookie holds the id; the store has its hash. */
export interface Session {
  idHash: string;
  /** Missing: the administrator's key signed in. */
  keyId?: string;
  /** A hash of the id and of the key that signed in: with another administrator's key the session is over. */
  proof: string;
  createdAt: number;
  expiresAt: number;
}

/** Who did what. */
export interface NewAuditEntry {
  who: string;
  what: string;
  target?: string;
  tenant?: string;
  traceId?: string;
}

export interface AuditPage {
  limit: number;
  beforeId?: number;
  /** Missing: of all. */
  tenant?: string;
}

export interface AuditEntry extends NewAuditEntry {
  id: number;
  at: number;
}

// ── records ───────────────────────────────────────────────────────────────────────────────────────────────────────

/** A key-value table for workloads. An expired record counts as deleted in every verb. */
export interface RecordTable {
  findRecord(name: RecordName): Promise<KeptRecord | undefined>;
  /** Adds or replaces the record in one transaction, and gives it a version that no record of the store had before. */
  putRecord(record: NewRecord): Promise<RecordWritten | RecordConflict>;
  /** With `ifVersion`: only the record with this version. */
  deleteRecord(name: RecordName, ifVersion?: number): Promise<RecordDeleted>;
  /** By key, in the order of code points. */
  listRecords(filter: RecordFilter): Promise<KeptRecord[]>;
}

/** A key is unique within its space and tenant. */
export interface RecordName {
  space: string;
  tenant: string;
  key: string;
}

export interface KeptRecord {
  key: string;
  /** JSON. */
  value: string;
  version: number;
  updatedAt: number;
  expiresAt?: number;
}

export interface NewRecord extends RecordName {
  value: string;
  /** Write only while the record has this version; 0: only while there is no record. Missing: write in any case. */
  ifVersion?: number;
  /** Counted from the write. Without it and `expiresAt` the record does not expire. */
  expiresInMs?: number;
  /** Goes before `expiresInMs`. */
  expiresAt?: number;
}

export type RecordWritten = Pick<KeptRecord, "version" | "updatedAt" | "expiresAt">;

/** Nothing was written, because the record has this version; 0: there is no record. */
export interface RecordConflict {
  conflict: number;
}

/** False: there is no record. */
export type RecordDeleted = boolean | RecordConflict;

/** `after` is the key that the page before ended with. */
export interface RecordFilter {
  space: string;
  tenant: string;
  prefix?: string;
  after?: string;
  limit: number;
}

// ── upkeep ────────────────────────────────────────────────────────────────────────────────────────────────────────

export interface Upkeep {
  /** Sign of life: renews the leases, takes back those of the dead, fails what was not started in time. */
  beat(pools?: string): Promise<Beat>;
  /** This process is about to stop: if it dies from now on, that adds no crash to any job. */
  drain(): Promise<void>;
  /** True while this process is the one that does upkeep. */
  lead(forMs: number): Promise<boolean>;
  /**
   * Deletes what has served its time: finished jobs, then shared artifacts (with their links) that no kept job names and that
   * are unread for too long, or too many, then expired records. Each counts as one.
   */
  prune(options: { limit: number }): Promise<Pruned>;
  /** Submits the schedule's job and moves it on, once per tick over all processes: false if another did it. */
  fire(name: ScheduleName, expectedAt: number, nextAt: number, submission: Submission | undefined): Promise<Fired>;
  /** Copies the live store consistently to a new file. */
  backup(path: string): Promise<void>;
}

export interface Beat {
  expired: { jobId: string; standing: Standing }[];
  overdue: string[];
}

export interface Pruned {
  deleted: number;
  /** The batch was full: there is more. */
  more: boolean;
}

export type Fired = { fired: false } | { fired: true; jobId?: string; refused?: string };
