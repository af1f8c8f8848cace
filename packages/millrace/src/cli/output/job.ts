// A job as people see it: one line in a list, one page on its own, one line while it is waited for.

import type { Attempt, Job, LogLine, Step } from "../../client/index.ts";
import { SHOWN_FIELDS } from "../../job/options/submit-options.ts";
import { bar, duration, manyLines, oneLine, relative } from "./format.ts";
import { paint, type Style, styleOf } from "./paint.ts";
import { list, table } from "./table.ts";

export function jobTable(jobs: readonly Job[], now: number): string {
  if (jobs.length === 0) return "No jobs.";
  const tenants = new Set(jobs.map(({ tenant }) => tenant)).size > 1;
  return table<Job>(
    [
      { title: "JOB", value: ({ jobId }) => jobId },
      { title: "KIND", value: ({ kind }) => kind, most: 24 },
      { title: "TENANT", value: ({ tenant }) => (tenants ? tenant : ""), most: 20 },
      { title: "STATUS", value: statusText, style: ({ state }) => styleOf(state), most: 30 },
      { title: "TRIES", value: tries, align: "right" },
      { title: "CREATED", value: ({ createdAt }) => relative(createdAt, now), align: "right" },
      { title: "TOOK", value: (job) => took(job, now), align: "right" },
      { title: "ABOUT", value: (job) => about(job, now), stretch: true, most: 100 },
    ],
    jobs,
    process.stdout.columns,
  );
}

export function jobPage(
  { job, attempts, steps }: { job: Job; attempts: readonly Attempt[]; steps: readonly Step[] },
  now: number,
): string {
  const at = (moment: string | undefined) => moment && `${moment}  ${paint("dim", `(${relative(moment, now)})`)}`;
  const head = list([
    ["job", paint("bold", job.jobId)],
    ["kind", oneLine(job.kind)],
    ["tenant", oneLine(job.tenant)],
    [
      "status",
      paint(styleOf(job.state), statusText(job)) +
        (job.stage === null || job.status === job.stage ? "" : `, stage ${oneLine(job.stage)}`),
    ],
    ["waits for", job.heldFor === undefined ? waitsText(job, now).join("; ") : undefined],
    ["held for", job.heldFor && oneLine(job.heldFor)],
    ["held until", at(job.heldUntil)],
    ["progress", job.progress && progressText(job.progress)],
    ["tries", `${job.attempt} of ${job.maxAttempts}${job.crashes > 0 ? `, ${job.crashes} crashed` : ""}`],
    ["priority", job.priority === 0 ? undefined : job.priority],
    ["tags", oneLine(job.tags.join(", "))],
    ["created", at(job.createdAt)],
    ["runs at", job.state === "pending" && !job.waitsFor && Date.parse(job.runAt) > now ? at(job.runAt) : undefined],
    ["started", at(job.startedAt)],
    ["ended", at(job.completedAt)],
    ...SHOWN_FIELDS.map(({ field, form, label }): [string, string | undefined] => [
      label.toLowerCase(),
      form === "time" ? at(job[field]) : job[field] && oneLine(job[field]),
    ]),
    ["took", took(job, now)],
    ["processor", job.processor && oneLine(job.processor)],
    ["trace", job.traceId && oneLine(job.traceId)],
    [
      "key",
      job.concurrencyKey && `${oneLine(job.concurrencyKey)}${job.holdsKey ? " (held: the jobs behind it wait)" : ""}`,
    ],
    ["retry of", job.retryOf],
    ["retried as", job.retriedAs],
    ["continuation of", job.continuationOf],
    ["continued as", job.continuedAs],
    ["error", job.lastError && paint(job.state === "failed" ? "red" : "yellow", oneLine(job.lastError))],
    ["code", job.failure && `${oneLine(job.failure.code)}${job.failure.permanent ? " (permanent)" : ""}`],
  ]);
  const parts = [head, section("payload", json(job.payload))];
  if (job.result !== undefined) parts.push(section("result", json(job.result)));
  if (steps.length > 0) parts.push(section("steps", stepTable(steps, now)));
  if (attempts.length > 0) parts.push(section("attempts", attemptTable(attempts, now)));
  const causes = causeLines(attempts.findLast(({ failure }) => failure)?.failure ?? {});
  if (causes.length > 0) parts.push(section("caused by", causes.join("\n")));
  return parts.join("\n\n");
}

/** A line such as `rendering ██████░░░░ 60%  page 6 of 10`. */
export function progressLine(job: Job): string {
  const progress = job.progress ? `  ${progressText(job.progress)}` : "";
  return `${job.jobId}  ${statusText(job)}${progress}`;
}

export function logText({ at, level, message, data }: LogLine): string {
  const styles: Readonly<Record<string, Style>> = { debug: "dim", warn: "yellow", error: "red" };
  const more = data === undefined ? "" : ` ${paint("dim", oneLine(JSON.stringify(data)))}`;
  return `${paint("dim", at.slice(11, 23))} ${paint(styles[level], level.padEnd(5))} ${oneLine(message)}${more}`;
}

function statusText({ status, state, runAt, createdAt, attempt, heldFor, retries, waitsFor }: Job): string {
  if (heldFor !== undefined && state === "pending") return "held";
  if (waitsFor) return `${oneLine(status)} (waiting)`;
  if (state === "pending" && retries > 0) return `${oneLine(status)} (retrying)`;
  const scheduled =
    state === "pending" && attempt === 0 && Date.parse(runAt) > Math.max(Date.parse(createdAt), Date.now());
  return scheduled ? `${oneLine(status)} (scheduled)` : oneLine(status);
}

/** Words such as `signal paid, began 3 min ago, ends in 2 d`. */
function waitsText({ waitsFor = [] }: Job, now: number): string[] {
  return waitsFor.map(({ type, name, since, until }) => {
    const end = until === undefined ? "" : `, ends ${relative(until, now)}`;
    return `${type}${name === undefined ? "" : ` ${oneLine(name)}`}, began ${relative(since, now)}${end}`;
  });
}

function tries({ attempt, maxAttempts }: Job): string {
  return attempt === 0 ? "" : `${attempt}/${maxAttempts}`;
}

/** How long the latest attempt took, or has taken so far. */
function took({ startedAt, completedAt, state }: Job, now: number): string {
  if (startedAt === undefined) return "";
  if (state === "running") return duration(Math.max(0, now - Date.parse(startedAt)));
  return completedAt === undefined ? "" : duration(Math.max(0, Date.parse(completedAt) - Date.parse(startedAt)));
}

function about(job: Job, now: number): string {
  if (job.progress && job.state === "running") return progressText(job.progress, 10);
  if (job.heldFor !== undefined && job.state === "pending") return job.heldFor;
  if (job.waitsFor) return `waits for ${waitsText(job, now).join(", ")}`;
  if (job.lastError !== undefined) return job.lastError;
  if (job.state === "pending" && Date.parse(job.runAt) > now) return `runs ${relative(job.runAt, now)}`;
  return JSON.stringify(job.payload) ?? "";
}

function progressText({ value, message }: NonNullable<Job["progress"]>, width?: number): string {
  return `${bar(value, width)}${message === undefined ? "" : `  ${oneLine(message)}`}`;
}

function stepTable(steps: readonly Step[], now: number): string {
  return table<Step>(
    [
      { title: "STAGE", value: ({ stage }) => stage },
      { title: "STEP", value: ({ name }) => name, most: 40 },
      { title: "SAVED", value: ({ savedAt }) => relative(savedAt, now), align: "right" },
      { title: "VALUE", value: ({ value }) => JSON.stringify(value), stretch: true, most: 100 },
    ],
    steps,
    process.stdout.columns,
  );
}

function attemptTable(attempts: readonly Attempt[], now: number): string {
  return table<Attempt>(
    [
      { title: "STAGE", value: ({ stage }) => stage },
      { title: "TRY", value: ({ attempt }) => attempt, align: "right" },
      {
        title: "OUTCOME",
        value: ({ outcome }) => outcome ?? "running",
        style: ({ outcome }) => styleOf(outcome ?? "running"),
      },
      { title: "STARTED", value: ({ startedAt }) => relative(startedAt, now), align: "right" },
      {
        title: "TOOK",
        value: ({ startedAt, endedAt }) => (endedAt ? duration(Date.parse(endedAt) - Date.parse(startedAt)) : ""),
        align: "right",
      },
      { title: "PROCESSOR", value: ({ processor }) => processor, most: 30 },
      {
        title: "ERROR",
        value: ({ failure }) => failure && errorText({ ...failure, code: failure.errorCode }),
        stretch: true,
        most: 100,
      },
    ],
    attempts,
    process.stdout.columns,
  );
}

/** Words such as `TypeError (ERR_INVALID_ARG_TYPE): message`. */
function errorText({ name, message, code }: { name?: string | undefined; message: string; code?: string | undefined }) {
  const own = [name, code && `(${code})`].filter(Boolean).join(" ");
  return own === "" ? message : `${own}: ${message}`;
}

type FailureCauses = Pick<NonNullable<Attempt["failure"]>, "cause" | "errors">;

/** The errors behind one, each below the one it caused. */
function causeLines({ cause, errors = [] }: FailureCauses, depth = 0): string[] {
  return [...(cause ? [cause] : []), ...errors].flatMap((each) => [
    `${"  ".repeat(depth)}${oneLine(errorText(each))}`,
    ...causeLines(each, depth + 1),
  ]);
}

function section(title: string, body: string): string {
  return `${paint("dim", title)}\n${body}`;
}

function json(value: unknown): string {
  return manyLines(JSON.stringify(value, null, 2) ?? "null");
}
