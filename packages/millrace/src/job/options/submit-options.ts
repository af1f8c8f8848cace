import type { OptionBag } from "../../lib/options/check.ts";
import {
  date,
  ms,
  type Option,
  type OptionValues,
  other,
  textOutside,
  texts,
  whole,
} from "../../lib/options/option.ts";
import { isTraceId, isTraceParent } from "../../lib/trace-parent.ts";

const YEAR_MS = 366 * 24 * 3_600_000;

/**
 * Every option of a submission. Those with a flag can also be set over HTTP and on the command line; those with a column in
 * `store/columns/job-columns.ts` are stored with the job.
 */
export const SUBMIT_OPTIONS = {
  /** The tenant that the job belongs to: 1 to 64 letters, digits and `. : - _`. Default: "default". */
  tenant: text("a string"),
  /** Lower values start first, -1,000,000 to 1,000,000. Default: 0. */
  priority: whole(-1_000_000, 1_000_000, {
    about: "Lower numbers run first.",
    flag: { name: "priority", doc: "lower numbers run first (default 0)" },
    field: { label: "Priority", hint: "Lower numbers run first.", placeholder: "0" },
  }),
  /** Do not start before this time. Pass `runAt` or `delayMs`, not both. Default: now. */
  runAt: date({
    about: "Do not start before this time.",
    flag: { name: "run-at", doc: "run at this time: 2026-11-15T10:00" },
  }),
  /** Do not start for this time, in milliseconds. Default: 0. */
  delayMs: ms(0, 10 * YEAR_MS, {
    about: "Do not start before this delay has passed. Instead of `runAt`.",
    flag: { name: "delay", doc: "run after this time: 90s, 10m, 2h, 7d" },
    field: { label: "Delay", hint: "10s, 5m, 2h or 1d", placeholder: "none" },
  }),
  /** Attempts per stage, including the first, 1 to 1,000. Default: that of the stage. */
  maxAttempts: whole(1, 1_000, {
    wire: "maxRetries",
    about: "Attempts per stage, including the first.",
    flag: { name: "max-retries", doc: "attempts per stage, including the first" },
    field: { label: "Attempts", hint: "Including the first.", placeholder: "default of the kind" },
  }),
  /** How long one attempt may take, in milliseconds. Default: that of the stage. */
  timeoutMs: ms(1, YEAR_MS, {
    about: "Time limit for one attempt.",
    flag: { name: "timeout", doc: "time limit for one attempt" },
  }),
  /**
   * Fail the job with `backpressure` if it has not started within this time, in milliseconds. Default: it waits without a
   * limit.
   */
  expiresInMs: ms(1, 10 * YEAR_MS, {
    about: "If the job has not started within this time, it fails with `backpressure`.",
    flag: { name: "expires", doc: "fail if not started within this time" },
  }),
  /**
   * Fail the job with `deadline` if it has not ended within this time, in milliseconds. It counts everything from the
   * submission on: waiting, retries and running attempts. Default: that of the kind, or no deadline.
   */
  deadlineMs: ms(1, 10 * YEAR_MS, {
    about: "If the job has not ended within this time, it fails with `deadline`, in any state.",
    flag: { name: "deadline", doc: "fail if not ended within this time" },
    field: { label: "Deadline", hint: "10s, 5m, 2h or 1d", placeholder: "default of the kind" },
  }),
  /**
   * The concurrency key of the job, 1 to 255 characters, in place of the one that the kind computes. The kind must have a
   * `concurrency.key`. Default: that of the kind.
   */
  concurrencyKey: textOutside(255, {
    about: "The concurrency key of the job. It replaces the key that the kind computes.",
    flag: { name: "concurrency-key", doc: "concurrency key, instead of the one that the kind computes" },
  }),
  /**
   * The unique key of the job, 1 to 255 characters, in place of the one that the kind computes. The kind's `ifUnique`
   * decides what happens if a live job of the kind and tenant has the same key. Default: that of the kind.
   */
  uniqueKey: textOutside(255, {
    about: "The unique key of the job. It replaces the key that the kind computes.",
    flag: { name: "unique-key", doc: "unique key, instead of the one that the kind computes" },
  }),
  /** Up to 20 strings of 1 to 64 characters, to find the job again. Default: none. */
  tags: texts(20, 64, {
    about: "Tags to find the job by.",
    flag: { name: "tag", doc: "add this tag; repeatable" },
    field: { label: "Tags", hint: "Separated by commas.", placeholder: "none" },
  }),
  /**
   * Goes into every log line about the job: 1 to 128 letters, digits and `. : / - _`. Default: the id in `traceParent`,
   * if given.
   */
  traceId: text("a string of 1 to 128 letters, digits or . : / - _", isTraceId),
  /**
   * A W3C `traceparent`: the job becomes part of this trace, and its processors continue it. Default: the active span,
   * if OpenTelemetry is in use.
   */
  traceParent: text("a W3C traceparent: 00-<trace id>-<span id>-<flags>", isTraceParent),
  /**
   * Makes a repeated submission safe: within 24 hours, the same tenant, key and content return the first job again. The
   * same key with other content throws `idempotency-conflict`. Default: none.
   */
  idempotencyKey: text("a string"),
} as const;

/** Options of `millrace.submit()` and `submitMany()`. */
export interface SubmitOptions extends OptionValues<typeof SUBMIT_OPTIONS> {}

export const SUBMISSION: OptionBag = {
  what: "a submission",
  options: SUBMIT_OPTIONS,
  exclusive: [["runAt", "delayMs"]],
};

/** What a job shows because of an option: a time, which a store has in milliseconds since 1970, or a text. */
interface ShownOption<Form extends "time" | "text"> {
  readonly form: Form;
  readonly label: string;
  readonly about: string;
}

function shown<Form extends "time" | "text">(form: Form, label: string, about: string): ShownOption<Form> {
  return { form, label, about };
}

/**
 * What a job shows because of its options. A column in `store/columns/job-columns.ts` names the field; the HTTP API, the
 * command line and the dashboard show it as it is described here.
 */
export const SHOWN_OPTIONS = {
  /** When the job fails with `deadline`, unless it has ended. Missing: it has no deadline. */
  deadlineAt: shown("time", "Deadline", "When the job fails with `deadline`, unless it has ended."),
} as const satisfies Record<string, ShownOption<"time" | "text">>;
type ShownOptions = typeof SHOWN_OPTIONS;

export const SHOWN_FIELDS = Object.entries<ShownOption<"time" | "text">>(SHOWN_OPTIONS).map(([field, shown]) => ({
  field: field as keyof ShownOptions,
  ...shown,
}));

/** Times in milliseconds since 1970, as a store has them. */
export type StoredFacts = {
  -readonly [Field in keyof ShownOptions]?: ShownOptions[Field] extends ShownOption<"time"> ? number : string;
};
/** Times as ISO 8601 strings, as programs see them. */
export type FactViews = { -readonly [Field in keyof ShownOptions]?: string };

/** What of the options is stored with each job. */
export interface StoredOptions extends Omit<SubmitOptions, "tenant" | "idempotencyKey" | "runAt"> {
  /** Milliseconds since 1970. Missing: now. */
  runAt?: number;
}

function text(must: string, holds: (value: string) => boolean = () => true): Option<string, undefined> {
  return other(must, (value) => typeof value === "string" && holds(value));
}
