import type { Command } from "./command.ts";

export interface Entry {
  readonly name: string;
  readonly summary: string;
  /** On demand: most commands need a client and no engine, and start in half the time without. */
  readonly load: () => Promise<{ readonly command: Command }>;
}

/** Every command, in the order of the help. */
export const COMMANDS: readonly Entry[] = [
  entry("serve", "start the server", () => import("./commands/serve.ts")),
  entry("work", "run the pools without HTTP", () => import("./commands/work.ts")),

  entry("render", "draw diagrams from files, here or by a server", () => import("./commands/render.ts")),
  entry("submit", "submit a job", () => import("./commands/submit.ts")),
  entry("jobs list", "list jobs, newest first", () => import("./commands/jobs/list.ts")),
  entry("jobs show", "show a job with its attempts and steps", () => import("./commands/jobs/show.ts")),
  entry("jobs wait", "wait until a job is finished", () => import("./commands/jobs/wait.ts")),
  entry("jobs cancel", "cancel jobs, by id or by filter", () => import("./commands/jobs/cancel.ts")),
  entry("jobs retry", "revive failed or cancelled jobs as new ones", () => import("./commands/jobs/retry.ts")),
  entry("jobs release", "put a held job back in the queue", () => import("./commands/jobs/release.ts")),
  entry("jobs forget", "delete a finished job and all that belongs to it", () => import("./commands/jobs/forget.ts")),
  entry("jobs logs", "show what a job's processors wrote", () => import("./commands/jobs/logs.ts")),

  entry("sites submit", "analyse a website", () => import("./commands/sites/submit.ts")),
  entry("sites list", "list the runs of sites, newest first", () => import("./commands/sites/list.ts")),
  entry("sites show", "show a run with all that is known so far", () => import("./commands/sites/show.ts")),
  entry("sites prompts", "show, edit or approve the prompts of a run", () => import("./commands/sites/prompts.ts")),
  entry("sites budget", "give a run that needs it a new budget", () => import("./commands/sites/budget.ts")),
  entry("sites retry", "ask for what is missing in a finished run", () => import("./commands/sites/retry.ts")),
  entry("sites compare", "set a run beside an earlier one", () => import("./commands/sites/compare.ts")),
  entry("sites report", "write a run's report to a file", () => import("./commands/sites/report.ts")),
  entry("dlq list", "list dead letters, newest failure first", () => import("./commands/dlq/list.ts")),
  entry("dlq groups", "count dead letters by what went wrong", () => import("./commands/dlq/groups.ts")),
  entry("dlq revive", "put dead letters' work back, as new jobs", () => import("./commands/dlq/revive.ts")),
  entry("dlq discard", "delete dead letters", () => import("./commands/dlq/discard.ts")),

  entry("kinds", "list kinds with their stages", () => import("./commands/kinds.ts")),
  entry("pause", "claim no more jobs of a kind", () => import("./commands/pause.ts")),
  entry("resume", "claim jobs of a kind again", () => import("./commands/resume.ts")),
  entry("pools", "show pools and what each processor does", () => import("./commands/pools.ts")),
  entry(
    "deployments",
    "list deployments, and whether they are drained",
    () => import("./commands/deployments/list.ts"),
  ),
  entry("deployments wait", "wait until a deployment is drained", () => import("./commands/deployments/wait.ts")),
  entry(
    "deployments unpin",
    "hand the pinned jobs of a removed deployment to the newest",
    () => import("./commands/deployments/unpin.ts"),
  ),
  entry("schedules list", "list schedules with their next fires", () => import("./commands/schedules/list.ts")),
  entry("schedules put", "add or replace a schedule", () => import("./commands/schedules/put.ts")),
  entry("schedules remove", "end a schedule", () => import("./commands/schedules/remove.ts")),

  entry("keys list", "list keys, without their secrets", () => import("./commands/keys/list.ts")),
  entry("keys create", "make a key for a tenant", () => import("./commands/keys/create.ts")),
  entry("keys revoke", "revoke a key at once", () => import("./commands/keys/revoke.ts")),
  entry("tenants", "list tenants with what they run and have waiting", () => import("./commands/tenants.ts")),
  entry("audit", "show who did what", () => import("./commands/audit.ts")),

  entry("metrics", "show the figures", () => import("./commands/metrics.ts")),
  entry("health", "ask whether the server can work", () => import("./commands/health.ts")),
  entry("config", "print the effective settings, secrets masked", () => import("./commands/config.ts")),
  entry("backup", "copy the live store to a new file", () => import("./commands/backup.ts")),
  entry("move", "move everything from the file to PostgreSQL", () => import("./commands/move.ts")),
  entry(
    "doctor",
    "check the machine, the file and the server, and say what to do",
    () => import("./commands/doctor.ts"),
  ),
];

function entry(name: string, summary: string, load: Entry["load"]): Entry {
  return { name, summary, load };
}
