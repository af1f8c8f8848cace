// Flags that several commands share, and how their values are read.

import { defined } from "../../lib/defined.ts";
import { parseDuration } from "../output/format.ts";
import { UsageError } from "./command.ts";

/** The flags of commands that talk to a server: `--url`, `--api-key`, `--tenant`, `--db` and `--json`. */
export const REMOTE = {
  url: {
    type: "string",
    value: "<url>",
    doc: "server address, also --server (default: MILLRACE_URL, or HOST and PORT)",
  },
  "api-key": {
    type: "string",
    value: "<key>",
    doc: "API key; safer in API_KEY, because other users of the machine can see flags",
  },
  tenant: { type: "string", value: "<name>", doc: "act for this tenant; * reads all tenants (administrators only)" },
  db: {
    type: "string",
    value: "<file|url>",
    doc: "use this SQLite file or PostgreSQL database directly, without a server",
  },
  json: { type: "boolean", doc: "print the response of the API as JSON" },
} as const;

/** The flags that say where a server listens and keeps its data. */
export const PLACE = {
  port: { type: "string", value: "<n>", doc: "port to listen on (default: PORT, or 3000); 0 takes any free port" },
  host: { type: "string", value: "<address>", doc: "address to listen on (default: HOST, or 127.0.0.1)" },
  db: {
    type: "string",
    value: "<file|url>",
    doc: "SQLite file, or postgres:// URL (default: JOB_DB_PATH or DATABASE_URL)",
  },
} as const;

export const LOAD = {
  load: {
    type: "string",
    multiple: true,
    value: "<module>",
    doc: "file or package with kinds or a workload; repeatable",
  },
} as const;

export const ONLY = {
  only: { type: "string", multiple: true, value: "<a,b>", doc: "only these kinds or workloads (default: all)" },
} as const;

/** The flag `--watch` of commands that `show()` data. */
export const WATCH = { watch: { type: "boolean", short: "w", doc: "keep running and show changes" } } as const;

export const FILTER = {
  kind: { type: "string", value: "<kind>", doc: "only jobs of this kind" },
  stage: { type: "string", value: "<stage>", doc: "only jobs in this stage" },
  tag: { type: "string", value: "<tag>", doc: "only jobs with this tag" },
  parent: { type: "string", value: "<id>", doc: "only jobs that this job started or depends on" },
  batch: { type: "string", value: "<id>", doc: "only members of this batch" },
  since: { type: "string", value: "<time>", doc: "created at or after this time, or 2h for two hours ago" },
  until: { type: "string", value: "<time>", doc: "created before this time" },
  search: { type: "string", value: "<text>", doc: "only jobs with this text in payload, result or error" },
} as const;

export const STATUS = {
  status: {
    type: "string",
    value: "<status>",
    choices: ["pending", "running", "done", "failed", "dead-letter", "cancelled", "scheduled", "retrying", "held"],
    doc: "pending, running, done, failed, dead-letter, cancelled, scheduled, retrying, held or a stage",
  },
  "waits-for": {
    type: "string",
    value: "<type>",
    choices: ["sleep", "signal", "event", "approval", "children", "hold", "after", "key"],
    doc: "only jobs that wait for this: sleep, signal, event, approval, hold …, or signal:NAME",
  },
} as const;

export const DLQ_FILTER = {
  ...FILTER,
  code: { type: "string", value: "<code>", doc: "only failures with this code" },
  error: { type: "string", value: "<text>", doc: "only failures with exactly this message" },
  fingerprint: { type: "string", value: "<id>", doc: "only failures with this cause, see dlq causes" },
} as const;

export const DRY_RUN = { "dry-run": { type: "boolean", doc: "count the jobs and change nothing" } } as const;

type FilterFlags = {
  readonly [Name in keyof typeof FILTER | keyof typeof STATUS | "code" | "error" | "fingerprint"]?: string;
};

/** The filter of these flags, as the API takes it. */
export function filterOf(flags: FilterFlags, now = Date.now()) {
  const { search, since, until, ...rest } = flags;
  const pick = ["status", "kind", "stage", "tag", "parent", "batch", "code", "error", "fingerprint"] as const;
  const given: Partial<Record<(typeof pick)[number] | "since" | "until" | "q" | "waitsFor", string>> = {};
  for (const name of pick) if (rest[name] !== undefined) given[name] = rest[name];
  if (since !== undefined) given.since = moment("since", since, now, -1);
  if (until !== undefined) given.until = moment("until", until, now, -1);
  if (search !== undefined) given.q = search;
  if (rest["waits-for"] !== undefined) given.waitsFor = rest["waits-for"];
  return given;
}

/** Parses a time (`2026-11-15T10:00`, in this machine's zone unless it names one), or a distance from now. */
export function moment(flag: string, text: string, now: number, direction: 1 | -1): string {
  const distance = parseDuration(text);
  if (distance !== undefined) return new Date(now + direction * distance).toISOString();
  const at = /^\d{4}-\d\d-\d\d/.test(text) ? new Date(text) : undefined;
  if (at === undefined || Number.isNaN(at.getTime())) {
    throw new UsageError(
      `--${flag} is "${text}". Allowed: a time like 2026-11-15T10:00, or a time span like 90s, 10m, 2h, 7d.`,
    );
  }
  return at.toISOString();
}

export function duration(flag: string, text: string): number {
  const ms = parseDuration(text);
  if (ms === undefined)
    throw new UsageError(`--${flag} is "${text}". Allowed: a time span like 500ms, 90s, 10m, 2h, 7d.`);
  return ms;
}

/** Parses the value of a flag as a whole number within a range. Throws a `UsageError` otherwise. */
export function whole(flag: string, text: string, range: { readonly min: number; readonly max: number }): number {
  const value = Number(text);
  if (!/^-?\d+$/.test(text) || value < range.min || value > range.max) {
    throw new UsageError(`--${flag} is "${text}". Allowed: a whole number from ${range.min} to ${range.max}.`);
  }
  return value;
}

export function oneOf<const T extends string>(flag: string, text: string, words: readonly T[]): T {
  const found = words.find((word) => word === text);
  if (found === undefined) throw new UsageError(`--${flag} is "${text}". Allowed: ${words.join(" or ")}.`);
  return found;
}

/** The object without properties that are undefined. */
export function given<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return defined(values) as never;
}
