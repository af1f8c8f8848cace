// What is simulated: the load, the stages with their run times, and the limits.

import { z } from "zod";
import type { Pace } from "../job/kind/pace.ts";
import type { Concurrency, SharedLimit } from "../job/options/concurrency-options.ts";
import { LIMIT_NAME } from "../job/options/concurrency-options.ts";
import { checkTenantLimits, type TenantLimits } from "../job/options/tenant-limits.ts";
import type { DurationParts } from "../job/waiting.ts";
import { AppError } from "../lib/app-error.ts";
import { schemaError } from "../lib/schema-error.ts";
import type { RunTime } from "./chance.ts";

/** What `simulate()` plays through. It is plain JSON, so it can stand in a file. */
export interface SimulationPlan {
  /** The time to simulate, such as `{ hours: 1 }`. */
  duration: DurationParts;
  /** The seed of chance: the same plan and seed give the same report. Default: 1. */
  seed?: number;
  /** The number of processes that run the pools of every kind. Default: 1. */
  processes?: number;
  /** The kinds, by name. */
  kinds: Record<string, SimulatedKind>;
  /** The jobs that come in. */
  load: SimulatedLoad[];
  /** Limits that hold for all jobs, as `Millrace.open()` takes them. Default: none. */
  limits?: SimulatedLimits;
  /** Limits on running jobs that kinds share, by name: `{ gpu: { total: 4 } }`. Default: none. */
  sharedLimits?: Record<string, SharedLimit>;
  /** Limits of single tenants, by name. Default: none. */
  tenants?: Record<string, TenantLimits>;
}

/** A kind whose jobs are simulated. */
export interface SimulatedKind {
  /** The stages in their order, by name. */
  stages: Record<string, SimulatedStage>;
  /** How many jobs of the kind run at the same time. A load of such a kind says how many `keys` it has. Default: no limit. */
  concurrency?: Pick<Concurrency<never>, "total" | "perKey" | "limits" | "ordered" | "ifFails">;
}

/** A stage with its pool. A value that is left out comes from the kind's code where that is given, else from the defaults. */
export interface SimulatedStage {
  /**
   * How long an attempt runs, in milliseconds: a number, `{ min, max }`, or `{ median, p95 }` as the dashboard and
   * `millrace metrics` show them.
   */
  runMs: RunTime;
  /** Processors in each process. Default: 10. */
  processors?: number;
  /** The share of attempts that fail, from 0 to 1. Default: 0. */
  failureRate?: number;
  /** Attempts before a job fails. Default: 3. */
  maxAttempts?: number;
  /** The pause before the first retry, in milliseconds. Default: 1,000. */
  retryBaseMs?: number;
  /** The longest pause before a retry, in milliseconds. Default: 300,000. */
  retryMaxMs?: number;
  /** How long an attempt may take, in milliseconds. A longer one fails with `timed-out`. Default: 300,000. */
  timeoutMs?: number;
  /** The most starts in a period, across all processes. Default: no limit. */
  pace?: Pace;
}

/** Jobs that come in: at a rate, with `perSecond`, or at once, with `jobs`. */
export interface SimulatedLoad {
  /** The kind of the jobs. */
  kind: string;
  /** The tenant that submits them. Default: "default". */
  tenant?: string;
  /** That many tenants submit them, by turns of chance. They are called `tenant-1`, `tenant-2` and so on. Default: one. */
  tenants?: number;
  /** Submissions a second. */
  perSecond?: number;
  /** How the submissions of a rate come in: independent of each other, or evenly. Default: "random". */
  arrivals?: "random" | "steady";
  /** Jobs that come in at once. */
  jobs?: number;
  /** When the load begins. Default: at the start. */
  from?: DurationParts;
  /** When a rate ends. Default: at the end. */
  until?: DurationParts;
  /** The priority of the jobs; lower ones go first. Default: 0. */
  priority?: number;
  /** The number of concurrency keys, of which each job has one by chance. Default: none. */
  keys?: number;
}

/** Limits for all jobs. 0 means no limit. */
export interface SimulatedLimits {
  /** Due jobs of a stage before submissions are refused. Default: 0. */
  queueMax?: number;
  /** Submissions of one tenant in any minute. Default: 0. */
  maxNewJobsPerMinute?: number;
  /** Running jobs of one tenant. Default: 0. */
  maxConcurrentPerTenant?: number;
  /** Submissions of a tenant that has reached this limit. Default: "reject". */
  tenantOverflow?: "reject" | "queue";
}

const MOST_JOBS = 5_000_000;
const MOST_TENANTS = 10_000;
const NAME = /^[a-z][a-z0-9-]{0,63}$/;

const Ms = z.number().min(0).max(1e12);
const Whole = (least: number, most = 1e9) => z.int().min(least).max(most);
const Parts = z
  .strictObject({
    ms: z.number().min(0).optional(),
    seconds: z.number().min(0).optional(),
    minutes: z.number().min(0).optional(),
    hours: z.number().min(0).optional(),
    days: z.number().min(0).optional(),
  })
  .refine((parts) => Object.keys(parts).length > 0, "Expected a duration such as { minutes: 10 }");
const Runs = z.union(
  [
    Ms,
    z.strictObject({ min: Ms, max: Ms }).refine(({ min, max }) => min <= max, "min must not exceed max"),
    z
      .strictObject({ median: Ms.gt(0), p95: Ms })
      .refine(({ median, p95 }) => median <= p95, "median must not exceed p95"),
  ],
  "Expected milliseconds: a number, { min, max } or { median, p95 }",
);
const Stage = z.strictObject({
  runMs: Runs,
  processors: Whole(1, 10_000).optional(),
  failureRate: z.number().min(0).max(1).optional(),
  maxAttempts: Whole(1, 1_000).optional(),
  retryBaseMs: Ms.optional(),
  retryMaxMs: Ms.optional(),
  timeoutMs: Ms.gt(0).optional(),
  pace: z.strictObject({ count: Whole(1), perMs: Whole(1, 1e12) }).optional(),
});
const Kind = z.strictObject({
  stages: z
    .record(z.string().regex(NAME), Stage)
    .refine((stages) => Object.keys(stages).length > 0, "A kind needs a stage"),
  concurrency: z
    .strictObject({
      total: Whole(1).optional(),
      perKey: Whole(1).optional(),
      limits: z.array(z.string().regex(LIMIT_NAME)).optional(),
      ordered: z.boolean().optional(),
      ifFails: z.enum(["hold", "skip"]).optional(),
    })
    .optional(),
});
const Load = z
  .strictObject({
    kind: z.string(),
    tenant: z.string().min(1).max(64).optional(),
    tenants: Whole(1, MOST_TENANTS).optional(),
    perSecond: z.number().gt(0).max(100_000).optional(),
    arrivals: z.enum(["random", "steady"]).optional(),
    jobs: Whole(1, MOST_JOBS).optional(),
    from: Parts.optional(),
    until: Parts.optional(),
    priority: z.int().min(-1_000_000).max(1_000_000).optional(),
    keys: Whole(1).optional(),
  })
  .refine(({ perSecond, jobs }) => (perSecond === undefined) !== (jobs === undefined), "A load has perSecond or jobs")
  .refine(({ tenant, tenants }) => tenant === undefined || tenants === undefined, "A load has tenant or tenants");
const Plan = z.strictObject({
  duration: Parts,
  seed: z.int().optional(),
  processes: Whole(1, 1_000).optional(),
  kinds: z.record(z.string().regex(NAME), Kind),
  load: z.array(Load).min(1),
  limits: z
    .strictObject({
      queueMax: Whole(0).optional(),
      maxNewJobsPerMinute: Whole(0).optional(),
      maxConcurrentPerTenant: Whole(0).optional(),
      tenantOverflow: z.enum(["reject", "queue"]).optional(),
    })
    .optional(),
  sharedLimits: z.record(z.string().regex(LIMIT_NAME), z.strictObject({ total: Whole(1) })).optional(),
  tenants: z.record(z.string().min(1).max(64), z.record(z.string(), z.unknown())).optional(),
});

/** Throws `simulation-invalid` where the plan does not hold what its type promises. */
export function checkPlan(plan: unknown): SimulationPlan {
  const checked = Plan.safeParse(plan);
  if (!checked.success) throw schemaError("simulation-invalid", "The plan is invalid", checked.error.issues);
  const parsed = checked.data as SimulationPlan;
  for (const { kind, keys } of parsed.load) {
    const found = Object.hasOwn(parsed.kinds, kind) ? parsed.kinds[kind] : undefined;
    if (!found) throw invalid(`The load names the kind "${kind}", which kinds does not have.`);
    const { perKey, ordered, limits = [] } = found.concurrency ?? {};
    if (keys === undefined && (perKey !== undefined || ordered)) {
      throw invalid(`The kind "${kind}" limits its jobs by key, so its load needs keys: the number of keys.`);
    }
    const unknown = limits.find((name) => !Object.hasOwn(parsed.sharedLimits ?? {}, name));
    if (unknown !== undefined)
      throw invalid(`The kind "${kind}" uses the limit "${unknown}", which sharedLimits does not have.`);
  }
  for (const limits of Object.values(parsed.tenants ?? {})) checkTenantLimits(limits);
  return parsed;
}

function invalid(message: string): AppError {
  return new AppError("simulation-invalid", message);
}
