import { settingsProblems } from "../job/check-settings.ts";
import type { Kind } from "../job/kind.ts";
import { DEFAULTS, type Settings } from "../job/settings.ts";
import { AppError } from "../lib/app-error.ts";
import { SYNONYMS } from "../lib/check.ts";
import type { Clock } from "../lib/clock.ts";
import { unknownOption } from "../lib/did-you-mean.ts";
import type { StoreFactory, StoreLimits } from "../store/store.ts";
import { type GivenLog, logProblem } from "../telemetry/given-log.ts";

export interface MillraceOptions extends Partial<Settings> {
  store: StoreFactory;
  // biome-ignore lint/suspicious/noExplicitAny: kinds of any payload and result
  kinds?: readonly Kind<any, any>[];
  /** Shared by all processes: `{ openai: { count: 60, perMs: 60_000 } }`. */
  limiters?: Record<string, { count: number; perMs: number }>;
  /** false: this process submits and looks, others do the work. */
  work?: boolean;
  /** The label of this version of the application, such as "2026-11-16.3". Default: a short hash of the plans. */
  deployment?: string;
  /**
   * Where the engine logs: `console`, or any object with `debug`, `info`, `warn` and `error`. Default: warnings and errors
   * go to standard error. `false` silences it.
   */
  log?: GivenLog;
  clock?: Clock;
  /** false: nothing happens by itself; the test kit calls `tick` and `drain`. */
  timers?: boolean;
  /** The store can no longer be trusted, or all processors of a pool hang: a server exits here. */
  onFatal?: (error: Error) => void;
}

const NO_SETTINGS = ["store", "kinds", "limiters", "work", "deployment", "log", "clock", "timers", "onFatal"];

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
  if (typeof store !== "function") problems.push('store must be a store, such as sqlite("./data/jobs.db")');
  for (const [name, value] of Object.entries({ work, timers }))
    if (value !== undefined && typeof value !== "boolean") problems.push(`${name} must be true or false`);
  if (deployment !== undefined && !(typeof deployment === "string" && LABEL.test(deployment)))
    problems.push("deployment must be a label of 1 to 100 letters, digits and . _ - + : /");
  if (onFatal !== undefined && typeof onFatal !== "function") problems.push("onFatal must be a function");
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
    throw new AppError("kind-invalid", "kinds must be an array of kinds, as defineKind returns them.");
  const names = kinds.map((kind) => kind.name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new AppError("kind-invalid", `Two kinds are called "${twice}".`);
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
