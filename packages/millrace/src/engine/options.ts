import type { Kind } from "../job/kind/kind.ts";
import { MIDDLEWARE, type Middleware } from "../job/kind/middleware.ts";
import { limitProblems, type SharedLimit } from "../job/options/concurrency-options.ts";
import { isLimiterRule, type LimiterRule } from "../job/options/limiter.ts";
import { DEFAULTS, SETTINGS, type Settings, settingsProblems } from "../job/options/settings.ts";
import { AppError } from "../lib/app-error.ts";
import type { Clock } from "../lib/clock.ts";
import { problemsIn, sentences, unknownNames } from "../lib/options/check.ts";
import { callable, isObject, type Option, type OptionValues, onOff, other } from "../lib/options/option.ts";
import type { Outbox } from "../outbox/outbox.ts";
import type { StoreFactory, StoreLimits } from "../store/store.ts";
import { LOG } from "../telemetry/log/given-log.ts";

const LABEL = /^[\w.+:/-]{1,100}$/;

/** The options of `Millrace.open()` that are no settings. */
const OPEN_OPTIONS = {
  /** Where the jobs are kept: `sqlite("./data/jobs.db")` or `postgres("postgres://…")`. */
  store: other<StoreFactory>('a store such as sqlite("./data/jobs.db")', (value) => typeof value === "function"),
  /** The kinds that this process submits or works on. Default: none: the process only reads. */
  // biome-ignore lint/suspicious/noExplicitAny: kinds of any payload and result
  kinds: other<readonly Kind<any, any>[]>("an array of kinds", Array.isArray),
  /**
   * Middleware around the processors of all kinds, the first outermost. That of a kind and of a stage runs inside it.
   * Default: none.
   */
  use: MIDDLEWARE as Option<readonly Middleware[], undefined>,
  /**
   * Rate limits that `ctx.limit(name)` takes from, shared by all processes: `{ openai: { count: 60, perMs: 60_000 } }`.
   * `perDay` and `perTenantPerDay` bound what is taken on one day (UTC), by all tenants and by each. Default: none.
   */
  limiters: other<Record<string, LimiterRule>>("an object", isObject),
  /**
   * Limits on running jobs that kinds share, across all processes: `{ gpu: { total: 4 } }`. A kind names them in its
   * `concurrency`. What an operator sets later takes precedence. Default: none.
   */
  limits: other<Record<string, SharedLimit>>("an object", isObject),
  /**
   * Whether this process runs processors. `false`: it submits and reads, and other processes do the work. Default:
   * true.
   */
  work: onOff(),
  /**
   * Outboxes that this process relays: tables in databases of the application, whose rows become jobs. Each is made by
   * `outbox` of `millrace/outbox`. Processes with the same outbox take turns. Default: none.
   */
  outboxes: other<readonly Outbox[]>(
    "an array of outboxes, such as [outbox.sqlite(path)]",
    (value) => Array.isArray(value) && value.every((each) => isObject(each) && "database" in each && "label" in each),
  ),
  /**
   * The label of this version of the application, such as "2026-11-16.3": 1 to 100 letters, digits and `. _ - + : /`.
   * Default: a short hash of the stages of its kinds.
   */
  deployment: other<string>(
    "a label of 1 to 100 letters, digits and . _ - + : /",
    (value) => typeof value === "string" && LABEL.test(value),
  ),
  /**
   * Where the engine logs: `console`, `createLog()`, or any object with `debug`, `info`, `warn` and `error`. `false`
   * silences it. Default: warnings and errors go to standard error.
   */
  log: LOG,
  /** The clock of the engine. The test kit sets it. Default: the system's clock. */
  clock: other<Clock>("a clock", isObject),
  /** `false`: no timer runs; call `tick()` and `drain()`. The test kit sets it. Default: true. */
  timers: onOff(),
  /**
   * Called when the store can no longer be trusted, or when all processors of a pool hang. A server exits here.
   * Default: the error is logged, and every later call throws it.
   */
  onFatal: callable<(error: Error) => void>(),
} as const;

/**
 * Options of `Millrace.open()`. Every property of `Settings` is an option too. Unknown or invalid options are refused
 * with `options-invalid`, all problems at once.
 */
export interface MillraceOptions extends Partial<Settings>, OptionValues<typeof OPEN_OPTIONS> {
  /** Where the jobs are kept: `sqlite("./data/jobs.db")` or `postgres("postgres://…")`. */
  store: StoreFactory;
}

/** The settings in force. All mistakes in the options are reported here at once, before anything is opened. */
export function settingsOf(options: MillraceOptions): Settings {
  if (!isObject(options)) {
    throw new AppError("options-invalid", "Millrace.open() needs an object with a store.", {
      hint: 'Millrace.open({ store: sqlite("./data/jobs.db"), kinds: [...] })',
    });
  }
  const settings: Settings = { ...DEFAULTS, ...definedOnly(options) };
  const kinds = options.kinds ?? [];
  checkKinds(kinds);
  const problems = [
    ...settingsProblems(settings, kinds),
    ...limiterProblems(options.limiters ?? {}),
    ...(isObject(options.limits ?? {}) ? limitProblems(options.limits ?? {}, workedKinds(options)) : []),
    ...problemsIn(OPEN_OPTIONS, { ...options, store: options.store ?? null }),
    ...unknownNames("Millrace.open()", { ...SETTINGS, ...OPEN_OPTIONS }, options),
  ];
  if (problems.length > 0) throw new AppError("options-invalid", sentences(problems), { details: { problems } });
  return settings;
}

/** The kinds whose jobs this process claims. It must know the limits that they use. */
function workedKinds({ kinds = [], work }: MillraceOptions): readonly Kind[] {
  return work === false ? [] : kinds.filter(({ stages }) => stages.length > 0);
}

export function limitsOf(settings: Settings): Partial<StoreLimits> {
  const { queueMax, maxNewJobsPerMinute, maxConcurrentPerTenant, tenantOverflow } = settings;
  const { jobKeepMax, dlqKeepMax, sharedMaxBytes, sharedKeepMs, queryTimeoutMs, lockTimeoutMs } = settings;
  const { maxStreamBytesPerJob, maxStreamBytesPerTenant } = settings;
  const { maxChildDepth, maxChildren, maxTreeJobs, maxEventsPerTenant, maxOpenBatchesPerTenant } = settings;
  return {
    queueMax,
    maxNewJobsPerMinute,
    maxConcurrentPerTenant,
    tenantOverflow,
    jobKeepMax,
    dlqKeepMax,
    sharedMaxBytes,
    sharedKeepMs,
    maxStreamBytesPerJob,
    maxStreamBytesPerTenant,
    maxChildDepth,
    maxChildren,
    maxTreeJobs,
    maxEventsPerTenant,
    maxOpenBatchesPerTenant,
    queryMs: queryTimeoutMs,
    lockTimeoutMs,
  };
}

function checkKinds(kinds: readonly Kind[]): void {
  if (!Array.isArray(kinds) || kinds.some((kind) => !Array.isArray(kind?.stages)))
    throw new AppError("kind-invalid", "kinds must be an array of kinds made by defineKind().");
  const names = kinds.map((kind) => kind.name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new AppError("kind-invalid", `Two kinds have the name "${twice}".`);
  // A contract has no stages, and work on it needs some.
  const empty = kinds.find((kind) => kind.stages.length === 0 && (kind.result === undefined || "stage" in kind));
  if (empty) {
    throw new AppError("kind-invalid", `The kind "${empty.name}" has no stage.`, {
      hint: "Give it a `run` function, or add .stage(name, { run }).",
    });
  }
}

const LIMITER_MUST =
  "an object with count and perMs as whole numbers above 0, and with perDay and perTenantPerDay above 0 if any";

function limiterProblems(limiters: object): string[] {
  return Object.entries(limiters).flatMap(([name, limiter]) =>
    isLimiterRule(limiter) ? [] : [`limiter "${name}" must be ${LIMITER_MUST}`],
  );
}

function definedOnly<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}
