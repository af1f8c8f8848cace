// Flags that several commands share, and what becomes of their values.

import { UsageError } from "./command.ts";
import { parseDuration } from "./output/format.ts";

export const REMOTE = {
  url: { type: "string", value: "<url>", doc: "the server (or --server); else MILLRACE_URL, else HOST and PORT" },
  "api-key": { type: "string", value: "<key>", doc: "better in API_KEY: others on the machine see what a flag says" },
  tenant: { type: "string", value: "<name>", doc: "act for this tenant; * looks across all (administrators)" },
  db: { type: "string", value: "<file>", doc: "the file itself, without a server" },
  json: { type: "boolean", doc: "the API's own answer, for programs" },
} as const;

/** The options that every submission has. */
export const SUBMISSION = {
  priority: { type: "string", value: "<n>", doc: "lower goes first" },
  delay: { type: "string", value: "<span>", doc: "run after this: 90s, 10m, 2h, 7d" },
  "run-at": { type: "string", value: "<time>", doc: "run then" },
  "max-retries": { type: "string", value: "<n>", doc: "attempts per stage, the first included" },
  timeout: { type: "string", value: "<span>", doc: "time for one attempt" },
  expires: { type: "string", value: "<span>", doc: "fail if not started within this time" },
  tag: { type: "string", multiple: true, value: "<tag>", doc: "may be given several times" },
} as const;

type SubmissionFlags = {
  readonly [Name in Exclude<keyof typeof SUBMISSION, "tag">]?: string | undefined;
} & { readonly tag?: string[] | undefined };

/** As the API takes them. */
export function submissionOf(flags: SubmissionFlags, now = Date.now()) {
  const ms = (name: "delay" | "timeout" | "expires") =>
    flags[name] === undefined ? undefined : duration(name, flags[name]);
  const number = (name: "priority" | "max-retries", min: number, max: number) =>
    flags[name] === undefined ? undefined : whole(name, flags[name], { min, max });
  return given({
    priority: number("priority", -1_000_000, 1_000_000),
    maxRetries: number("max-retries", 1, 1_000),
    delayMs: ms("delay"),
    timeoutMs: ms("timeout"),
    expiresInMs: ms("expires"),
    runAt: flags["run-at"] === undefined ? undefined : moment("run-at", flags["run-at"], now, 1),
    tags: flags.tag,
  });
}

export const WATCH = { watch: { type: "boolean", short: "w", doc: "go on, and show what changes" } } as const;

export const FILTER = {
  kind: { type: "string", value: "<kind>", doc: "of this kind" },
  stage: { type: "string", value: "<stage>", doc: "in this stage" },
  tag: { type: "string", value: "<tag>", doc: "with this tag" },
  since: { type: "string", value: "<time>", doc: "created at or after: a time, or 2h for two hours ago" },
  until: { type: "string", value: "<time>", doc: "created before" },
  search: { type: "string", value: "<text>", doc: "text in payload, result or error" },
} as const;

export const STATUS = {
  status: {
    type: "string",
    value: "<word>",
    doc: "pending, running, done, failed, cancelled, scheduled, retrying, held, or a stage",
  },
} as const;

export const DLQ_FILTER = {
  ...FILTER,
  code: { type: "string", value: "<code>", doc: "with this failure code" },
  error: { type: "string", value: "<text>", doc: "with exactly this error" },
} as const;

export const DRY_RUN = { "dry-run": { type: "boolean", doc: "only count" } } as const;

type FilterFlags = { readonly [Name in keyof typeof FILTER | keyof typeof STATUS | "code" | "error"]?: string };

/** As the API takes it. */
export function filterOf(flags: FilterFlags, now = Date.now()) {
  const { search, since, until, ...rest } = flags;
  const pick = ["status", "kind", "stage", "tag", "code", "error"] as const;
  const given: Partial<Record<(typeof pick)[number] | "since" | "until" | "q", string>> = {};
  for (const name of pick) if (rest[name] !== undefined) given[name] = rest[name];
  if (since !== undefined) given.since = moment("since", since, now, -1);
  if (until !== undefined) given.until = moment("until", until, now, -1);
  if (search !== undefined) given.q = search;
  return given;
}

/** A time as it is written (`2026-11-15T10:00`, in this machine's zone unless it says), or a distance from now. */
export function moment(flag: string, text: string, now: number, direction: 1 | -1): string {
  const distance = parseDuration(text);
  if (distance !== undefined) return new Date(now + direction * distance).toISOString();
  const at = /^\d{4}-\d\d-\d\d/.test(text) ? new Date(text) : undefined;
  if (at === undefined || Number.isNaN(at.getTime())) {
    throw new UsageError(
      `--${flag} is "${text}". Allowed: a time like 2026-11-15T10:00, or a distance like 90s, 10m, 2h, 7d.`,
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

/** The properties that have a value. */
export function given<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}
