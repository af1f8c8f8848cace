import { readFileSync } from "node:fs";
import { open } from "node:inspector";
import type { Client } from "../../client/index.ts";
import type { Kind } from "../../index.ts";
import type { ExportedJob } from "../../job/report/exported-job.ts";
import { fits, type Replay, replay } from "../../replay/replay.ts";
import { kindsOfAll } from "../../workload/compose.ts";
import { defineCommand, UsageError } from "../arguments/command.ts";
import { LOAD, REMOTE } from "../arguments/flags.ts";
import { withClient } from "../connect.ts";
import { loadConfigOrComplain } from "../load.ts";
import { say } from "../output/show.ts";
import { allWorkloads } from "../workloads.ts";

export const command = defineCommand({
  args: ["[id]"],
  flags: {
    ...LOAD,
    stage: { type: "string", value: "<name>", doc: "the stage to run (default: where the job is)" },
    waiting: { type: "boolean", doc: "all waiting jobs; exits with 1 if the code does not fit one of them" },
    from: { type: "string", value: "<file>", doc: "read jobs from a file of millrace jobs export" },
    live: { type: "boolean", doc: "run steps without a stored value, with all their effects" },
    inspect: { type: "boolean", doc: "wait for a debugger and stop in it" },
    ...REMOTE,
  },
  about:
    "Runs a stage of a stored job on this machine, with its payload, stored steps and stored waits.\n" +
    "Nothing is written. It stops at the first call without a stored value.\n" +
    "It lists stored steps and waits that the code no longer uses: a renamed step would run twice.",
  examples: [
    "replay job_4fQ81xZa --load ./kinds.ts",
    "replay --waiting --load ./kinds.ts",
    "replay --waiting --from waiting.ndjson --load ./kinds.ts",
  ],
  async run({ args: [id], flags }) {
    const { from, waiting, json } = flags;
    if (id === undefined && !waiting && from === undefined) throw new UsageError("Give the id of a job, or --waiting.");
    if (id !== undefined && waiting) throw new UsageError("Give either the id of a job or --waiting.");
    const workloads = await allWorkloads(flags.load);
    const config = loadConfigOrComplain({ listens: false, workloads, flags: { db: flags.db } });
    const kinds = new Map((await kindsOfAll(workloads, config)).map((kind) => [kind.name, kind]));
    const jobs = from === undefined ? withClient(flags, (client) => exported(client, id)) : readExports(from, id);
    let isGood = true;
    for (const job of await jobs) {
      const done = await run(kinds, job, flags);
      if (json) say(JSON.stringify(done));
      else say(describe(done));
      // A single job may stop anywhere, but the code must fit jobs that wait.
      isGood &&= fits(done);
    }
    return isGood ? 0 : 1;
  },
});

interface RunFlags {
  readonly stage?: string | undefined;
  readonly live?: boolean | undefined;
  readonly inspect?: boolean | undefined;
}

function run(kinds: ReadonlyMap<string, Kind>, job: ExportedJob, { stage, live, inspect }: RunFlags): Promise<Replay> {
  const kind = kinds.get(job.kind);
  if (!kind) throw new UsageError(`The kind "${job.kind}" is not loaded. Name its file with --load.`);
  return replay(kind, job, {
    ...(stage !== undefined && { stage }),
    ...(live !== undefined && { live }),
    ...(inspect && { onReady: stopInDebugger }),
  });
}

async function exported(client: Client, id: string | undefined): Promise<ExportedJob[]> {
  if (id !== undefined) return [(await client.exportJob(id)) as ExportedJob];
  const jobs: ExportedJob[] = [];
  for await (const job of client.jobs({ status: "pending" })) {
    if (job.waitsFor?.length) jobs.push((await client.exportJob(job)) as ExportedJob);
  }
  return jobs;
}

/** Reads one job as JSON, or one job a line. */
function readExports(file: string, id: string | undefined): ExportedJob[] {
  const text = readFileSync(file, "utf8").trim();
  const jobs = text.includes("\n{") ? text.split("\n").map((line) => JSON.parse(line)) : [JSON.parse(text)];
  const wrong = jobs.find((job) => job?.format !== 1);
  if (wrong !== undefined) throw new UsageError(`${file} was not written by millrace jobs export.`);
  const chosen = jobs.filter((job: ExportedJob) => id === undefined || job.jobId === id);
  if (chosen.length === 0 && id !== undefined) throw new UsageError(`${file} has no job ${id}.`);
  return chosen;
}

function describe({ jobId, kind, stage, end, unreached, logs }: Replay): string {
  const lines = [`${jobId} ${kind}/${stage}: ${sentenceOf(end)}`, ...logs.map((line) => `  log: ${line}`)];
  if (unreached.length > 0) {
    lines.push(`  Stored, but not reached by this code: ${unreached.join(", ")}.`);
    lines.push("  The next attempt would not use them. A renamed step needs { renamedFrom }.");
  }
  return lines.join("\n");
}

function sentenceOf(end: Replay["end"]): string {
  switch (end.type) {
    case "returned":
      return `it returned ${JSON.stringify(end.result)}.`;
    case "threw":
      return `it failed with ${end.code}: ${end.message}`;
    case "stopped":
      return `it stopped at ${end.call}, which has no stored value. --live runs it.`;
    case "waits":
      return `it waits for ${end.for.join(", ")}.`;
    case "left":
      return `it left the stage: ${end.how}.`;
    default:
      return end satisfies never;
  }
}

function stopInDebugger(): void {
  // Waits until a debugger is attached.
  open(0, "127.0.0.1", true);
  // biome-ignore lint/suspicious/noDebugger: this is where the person who asked for --inspect starts
  debugger;
}
