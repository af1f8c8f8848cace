import type { CommandEntry } from "./entry.ts";

/** Every command of the engine, in the order of the help; workloads bring theirs. */
export const COMMANDS: readonly CommandEntry[] = [
  entry("serve", "start the server", () => import("./commands/serve.ts")),
  entry("dev", "serve, and reload when your code changes", () => import("./commands/dev.ts")),
  entry("work", "run jobs without HTTP", () => import("./commands/work.ts")),

  entry("submit", "submit a job", () => import("./commands/submit.ts")),
  entry("jobs list", "list jobs, newest first", () => import("./commands/jobs/list.ts")),
  entry("jobs show", "show a job with its attempts and steps", () => import("./commands/jobs/show.ts")),
  entry("explain", "say why a job does not run", () => import("./commands/explain.ts")),
  entry("jobs wait", "wait until a job is finished and print its result", () => import("./commands/jobs/wait.ts")),
  entry("jobs cancel", "cancel jobs, by id or by filter", () => import("./commands/jobs/cancel.ts")),
  entry("jobs retry", "run failed or cancelled jobs again, as new jobs", () => import("./commands/jobs/retry.ts")),
  entry("jobs release", "put a held job back in the queue", () => import("./commands/jobs/release.ts")),
  entry(
    "jobs update",
    "change a pending job: payload, time, priority, tags",
    () => import("./commands/jobs/update.ts"),
  ),
  entry("jobs run-now", "start a scheduled or retried job now", () => import("./commands/jobs/run-now.ts")),
  entry("jobs signal", "send a value to a job that waits for it", () => import("./commands/jobs/signal.ts")),
  entry("jobs forget", "delete a finished job with its logs and artifacts", () => import("./commands/jobs/forget.ts")),
  entry("jobs artifacts", "list a job's artifacts, or read one", () => import("./commands/jobs/artifacts.ts")),
  entry("jobs logs", "show the log lines of a job", () => import("./commands/jobs/logs.ts")),
  entry(
    "jobs export",
    "print a job with its stored steps, waits and signals as JSON",
    () => import("./commands/jobs/export.ts"),
  ),
  entry("replay", "run a stored job again on this machine, without effects", () => import("./commands/replay.ts")),
  entry("simulate", "run a load under a virtual clock, to size pools", () => import("./commands/simulate.ts")),
  entry("jobs stream", "list a job's streams, or follow one", () => import("./commands/jobs/stream.ts")),
  entry("jobs tree", "show the tree or flow that a job belongs to", () => import("./commands/jobs/tree.ts")),
  entry("jobs token", "make a token that reads one job, for a browser", () => import("./commands/jobs/token.ts")),

  entry("events publish", "wake the jobs that wait for a topic", () => import("./commands/events/publish.ts")),
  entry("approvals", "list open approvals", () => import("./commands/approvals/list.ts")),
  entry("approvals decide", "decide an approval", () => import("./commands/approvals/decide.ts")),

  entry("batches", "list batches with the counts of their jobs", () => import("./commands/batches/list.ts")),
  entry(
    "batches show",
    "show the progress of a batch, or wait for its end",
    () => import("./commands/batches/show.ts"),
  ),

  entry("dlq list", "list dead letters, newest first", () => import("./commands/dlq/list.ts")),
  entry("dlq causes", "count dead letters by cause", () => import("./commands/dlq/causes.ts")),
  entry("dlq groups", "count dead letters by error", () => import("./commands/dlq/groups.ts")),
  entry("dlq revive", "run dead letters again, as new jobs", () => import("./commands/dlq/revive.ts")),
  entry("dlq discard", "delete dead letters", () => import("./commands/dlq/discard.ts")),

  entry("operations", "list acts on many jobs", () => import("./commands/operations/list.ts")),
  entry(
    "operations start",
    "revive, retry, cancel, delete, release or reprioritise many jobs",
    () => import("./commands/operations/start.ts"),
  ),
  entry(
    "operations show",
    "show the progress of an operation, or wait for its end",
    () => import("./commands/operations/show.ts"),
  ),
  entry("operations pause", "pause an operation", () => import("./commands/operations/pause.ts")),
  entry("operations resume", "resume a paused operation", () => import("./commands/operations/resume.ts")),
  entry("operations stop", "stop an operation for good", () => import("./commands/operations/stop.ts")),
  entry("operations undo", "take back a revival or retry", () => import("./commands/operations/undo.ts")),

  entry("kinds", "list kinds with their stages", () => import("./commands/kinds/list.ts")),
  entry("pause", "stop starting jobs of a kind", () => import("./commands/kinds/pause.ts")),
  entry("resume", "start jobs of a paused kind again", () => import("./commands/kinds/resume.ts")),
  entry("pools", "show the workers' pools and what each processor does", () => import("./commands/pools.ts")),
  entry("limits", "list limits on running jobs that kinds share", () => import("./commands/limits/list.ts")),
  entry("limits set", "override a shared limit", () => import("./commands/limits/set.ts")),
  entry("limits reset", "reset a limit to the defined number", () => import("./commands/limits/reset.ts")),
  entry("deployments", "list deployments and whether they are drained", () => import("./commands/deployments/list.ts")),
  entry("deployments wait", "wait until a deployment is drained", () => import("./commands/deployments/wait.ts")),
  entry(
    "deployments unpin",
    "hand the pinned jobs of a removed deployment to the newest",
    () => import("./commands/deployments/unpin.ts"),
  ),
  entry("schedules list", "list schedules with their next run", () => import("./commands/schedules/list.ts")),
  entry("schedules put", "add or replace a schedule", () => import("./commands/schedules/put.ts")),
  entry("schedules run-now", "submit the job of a schedule now", () => import("./commands/schedules/run-now.ts")),
  entry("schedules remove", "delete a schedule", () => import("./commands/schedules/remove.ts")),

  entry("keys list", "list API keys, without their secrets", () => import("./commands/keys/list.ts")),
  entry("keys create", "create an API key for a tenant", () => import("./commands/keys/create.ts")),
  entry("keys revoke", "revoke an API key immediately", () => import("./commands/keys/revoke.ts")),
  entry("tenants", "list tenants with their running and pending jobs", () => import("./commands/tenants.ts")),
  entry("tenants limits", "show or change the limits of one tenant", () => import("./commands/tenants/limits.ts")),
  entry("limiters", "list rate limiters and the amount left", () => import("./commands/limiters/list.ts")),
  entry("limiters set", "set the rule of a limiter", () => import("./commands/limiters/set.ts")),
  entry("limiters reset", "reset a limiter to the rule in the code", () => import("./commands/limiters/reset.ts")),
  entry("limiters unblock", "end the block of a limiter", () => import("./commands/limiters/unblock.ts")),
  entry("audit", "list administrative actions, with who did them and when", () => import("./commands/audit.ts")),

  entry("outbox init", "create the tables of an outbox in your database", () => import("./commands/outbox/init.ts")),
  entry("outbox status", "show the backlog of outboxes", () => import("./commands/outbox/status.ts")),
  entry("metrics", "show counters, rates and latencies", () => import("./commands/metrics.ts")),
  entry("health", "check whether the server works", () => import("./commands/health.ts")),
  entry("config", "print the settings in effect, with secrets masked", () => import("./commands/config.ts")),
  entry("backup", "copy the live store to a new file", () => import("./commands/backup.ts")),
  entry("migrate", "bring the store's schema up to date", () => import("./commands/migrate.ts")),
  entry("move", "move all data from a SQLite file to PostgreSQL", () => import("./commands/move.ts")),
  entry(
    "doctor",
    "check the machine, the settings, the store and the server, and suggest fixes",
    () => import("./commands/doctor.ts"),
  ),
  entry("completion", "print the completion script for a shell", () => import("./commands/completion.ts")),
];

function entry(name: string, summary: string, load: CommandEntry["load"]): CommandEntry {
  return { name, summary, load };
}
