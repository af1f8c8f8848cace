// What of a job only the administrator sees: stacks, paths on the server, and the process that ran it. A tenant's key
// gets the rest: what failed, when, and why.

import { existsSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join, sep } from "node:path";
import type { Explanation, Reason } from "../job/report/explanation.ts";
import type { AttemptView, JobView } from "../job/report/view.ts";
import { ownRoot } from "../lib/runtime/own-file.ts";
import type { Caller } from "./auth/caller.ts";

export function jobFor<View extends Partial<JobView>>(caller: Caller, job: View): View {
  if (caller.root) return job;
  const { processor: _processor, ...rest } = job;
  const { lastError, error, failure } = rest;
  return {
    ...rest,
    ...(lastError !== undefined && { lastError: withoutPaths(lastError) }),
    ...(error !== undefined && { error: withoutPaths(error) }),
    ...(failure && { failure: redacted(failure) }),
  } as View;
}

export function attemptFor(caller: Caller, attempt: AttemptView): AttemptView {
  if (caller.root) return attempt;
  const { processor: _processor, failure, ...rest } = attempt;
  return { ...rest, ...(failure && { failure: redacted(failure) }) };
}

export function explanationFor(caller: Caller, explanation: Explanation): Explanation {
  if (caller.root) return explanation;
  return { ...explanation, reasons: explanation.reasons.map(reasonForTenant) };
}

function reasonForTenant({ message, details, ...rest }: Reason): Reason {
  const { processor: _processor, process: _process, ...shown } = details ?? {};
  return { ...rest, message: withoutPaths(message), ...(Object.keys(shown).length > 0 && { details: shown }) };
}

export function logLineFor<Line extends { message: string; data?: unknown }>(caller: Caller, line: Line): Line {
  if (caller.root) return line;
  return {
    ...line,
    message: withoutPaths(line.message),
    ...(line.data !== undefined && { data: redacted(line.data) }),
  };
}

/** Shortens paths in the messages of a tenant's own failures: `/srv/app/mail/send.ts:3:1` becomes `send.ts:3:1`. */
export function withoutPaths(text: string): string {
  if (!text.includes(sep)) return text;
  return text.replace(serverPaths(), (path) => path.slice(path.lastIndexOf(sep) + 1) || "…");
}

/** Redacts at any depth, because a failure contains its cause. */
function redacted<T>(value: T): T {
  if (typeof value === "string") return withoutPaths(value) as T;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(redacted) as T;
  const entries = Object.entries(value).filter(([name]) => name !== "stack");
  return Object.fromEntries(entries.map(([name, each]) => [name, redacted(each)])) as T;
}

let serverPath: RegExp | undefined;

/** Paths below a folder of this server: where it was started, installed, at home, or keeps temporary files. */
function serverPaths(): RegExp {
  if (serverPath) return serverPath;
  const folders = [process.cwd(), project(process.cwd()), project(ownRoot() ?? process.cwd()), homedir(), tmpdir()]
    .map((folder) => (folder.endsWith(sep) ? folder.slice(0, -1) : folder))
    .filter((folder) => folder.length > 1)
    .sort((a, b) => b.length - a.length)
    .map((folder) => folder.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"));
  serverPath = new RegExp(`(?:file://)?(?:${folders.join("|")})[^\\s'"\`)\\]}>,;]*`, "g");
  return serverPath;
}

/** The outermost folder of a project: in a workspace, the code of a job can lie in another package than this one. */
function project(folder: string): string {
  let outermost = folder;
  for (let at = folder; at !== dirname(at); at = dirname(at)) {
    if (existsSync(join(at, "package.json"))) outermost = at;
  }
  return outermost;
}
