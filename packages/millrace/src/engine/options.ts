import { settingsProblems } from "../job/kind/check-settings.ts";
import type { Kind } from "../job/kind/kind.ts";
import { isMiddlewareList, type Middleware } from "../job/kind/middleware.ts";
import { DEFAULTS, type Settings } from "../job/kind/settings.ts";
import { AppError } from "../lib/app-error.ts";
import { SYNONYMS } from "../lib/check.ts";
import type { Clock } from "../lib/clock.ts";
import { unknownOption } from "../lib/did-you-mean.ts";
import type { StoreFactory, StoreLimits } from "../store/store.ts";
import { type GivenLog, logProblem } from "../telemetry/log/given-log.ts";

/**
 * Options of `Millrace.open()`. Every property of `Settings` is an option too. Unknown or invalid options are refused
 * with `options-invalid`, all problems at once.
 */
export interface MillraceOptions extends Partial<Settings> {
  /** Where the jobs are kept: `sqlite("./data/jobs.db")` or `postgres("postgres://…")`. */
  store: StoreFactory;
  /** The kinds that this process submits or works on. Default: none, for a process that only looks. */
  // biome-ignore lint/suspicious/noExplicitAny: kinds of any payload and result
  kinds?: readonly Kind<any, any>[];
  /**
   * Middleware around the processors of all kinds, the first outermost. That of a kind and of a stage runs inside it.
   * Default: none.
   */
  use?: readonly Middleware[];
  /**
   * Rate limits that `ctx.limit(name)` takes from, shared by all processes: `{ openai: { count: 60, perMs: 60_000 } }`.
   * Default: none.
   */
  limiters?: Record<
    string,
    {
      /** How much may be taken in one period. */
      count: number;
      /** The period, in milliseconds. */
      perMs: number;
    }
  >;
  /**
   * Whether this process runs processors. `false`: it submits and reads, and other processes do the work. Default:
   * true.
   */
  work?: boolean;
  /**
   * The label of this version of the application, such as "2026-11-16.3": 1 to 100 letters, digits and `. _ - + : /`.
   * Default: a short hash of the stages of its kinds.
   */
  deployment?: string;
  /**
   * Where the engine logs: `console`, `createLog()`, or any object with `debug`, `info`, `warn` and `error`. `false`
   * silences it. Default: warnings and errors go to standard error.
   */
  log?: GivenLog;
  /** The clock of the engine. The test kit sets it. Default: the system's clock. */
  clock?: Clock;
  /** `false`: nothing happens by itself; call `tick()` and `drain()`. The test kit sets it. Default: true. */
  timers?: boolean;
  /**
   * Called when the store can no longer be trusted, or when all processors of a pool hang. A server exits here.
   * Default: the error is logged, and every later call throws it.
   */
  onFatal?: (error: Error) => void;
}

const NO_SETTINGS = ["store", "kinds", "limiters", "work", "deployment", "log", "clock", "timers", "onFatal", "use"];

/** The settings in force. Whatever is wrong with the options shows here, all at once, before anything is opened. */
export function settingsOf(options: MillraceOptions): Settings {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
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
    ...otherProblems(options),
  ];
  if (problems.length > 0) {
    const sentences = problems.map((each) => (each.endsWith("?") ? each : `${each}.`));
    throw new AppError("options-invalid", sentences.join(" "), { details: { problems } });
  }
  return settings;
}

function otherProblems(options: MillraceOptions): string[] {
  const { store, work, timers, onFatal, log, deployment } = options;
  const problems: string[] = [];
  if (typeof store !== "function") problems.push('store must be a store such as sqlite("./data/jobs.db")');
  for (const [name, value] of Object.entries({ work, timers }))
    if (value !== undefined && typeof value !== "boolean") problems.push(`${name} must be true or false`);
  if (deployment !== undefined && !(typeof deployment === "string" && LABEL.test(deployment)))
    problems.push("deployment must be a label of 1 to 100 letters, digits and . _ - + : /");
  if (onFatal !== undefined && typeof onFatal !== "function") problems.push("onFatal must be a function");
  if (!isMiddlewareList(options.use)) problems.push("use must be an array of functions");
  const wrongLog = logProblem(log);
  if (wrongLog) problems.push(wrongLog);
  const names = [...Object.keys(DEFAULTS), ...NO_SETTINGS];
  for (const name of Object.keys(options))
    if (!names.includes(name))
      problems.push(unknownOption(name, "Millrace.open()", names, SYNONYMS).replace(/\.$/, ""));
  return problems;
}

const LABEL = /^[\w.+:/-]{1,100}$/;

export function limitsOf(settings: Settings): Partial<StoreLimits> {
  const { queueMax, maxNewJobsPerMinute, maxConcurrentPerTenant, tenantOverflow } = settings;
  const { jobKeepMax, dlqKeepMax, sharedMaxBytes, sharedKeepMs, queryTimeoutMs } = settings;
  return {
    queueMax,
    maxNewJobsPerMinute,
    maxConcurrentPerTenant,
    tenantOverflow,
    jobKeepMax,
    dlqKeepMax,
    sharedMaxBytes,
    sharedKeepMs,
    queryMs: queryTimeoutMs,
  };
}

function checkKinds(kinds: readonly Kind[]): void {
  if (!Array.isArray(kinds) || kinds.some((kind) => !Array.isArray(kind?.stages)))
    throw new AppError("kind-invalid", "kinds must be an array of kinds made by defineKind().");
  const names = kinds.map((kind) => kind.name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new AppError("kind-invalid", `Two kinds have the name "${twice}".`);
  // A contract has none; the work on one must have.
  const empty = kinds.find((kind) => kind.stages.length === 0 && (kind.result === undefined || "stage" in kind));
  if (empty) {
    throw new AppError("kind-invalid", `The kind "${empty.name}" has no stage.`, {
      hint: "Give it a `run` function, or add .stage(name, { run }).",
    });
  }
}

function limiterProblems(limiters: Record<string, { count: number; perMs: number }>): string[] {
  const wrong = Object.entries(limiters).filter(([, limiter]) => {
    const { count, perMs } = limiter ?? {};
    return !(Number.isInteger(count) && Number.isInteger(perMs) && count > 0 && perMs > 0);
  });
  return wrong.map(([name]) => `limiter "${name}" needs count and perMs as whole numbers above 0`);
}

function definedOnly<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}
