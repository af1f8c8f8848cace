import type { z } from "zod";
import type { JobListQuery } from "../api/job-filter.ts";
import { ask, type Connection } from "./request.ts";
import { jobs } from "./routes.ts";
import { isFinished } from "./wait.ts";
import type { Job, LogLine } from "./wire.ts";

const PAGE = 100;
const LOG_PAGE = 1_000;

/** Reads pages by cursor: jobs that arrive meanwhile cause neither repetitions nor gaps. */
export async function* allJobs(
  connection: Connection,
  filter: z.output<typeof JobListQuery>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Job, void, undefined> {
  let query = { limit: PAGE, ...filter };
  for (;;) {
    const page = await ask(connection, jobs.list, { query, signal });
    yield* page.jobs;
    if (page.nextCursor === undefined) return;
    const { offset: _offset, ...rest } = query;
    query = { ...rest, cursor: page.nextCursor };
  }
}

export async function* followLogs(
  connection: Connection,
  jobId: string,
  { after = 0, signal }: { readonly after?: number | undefined; readonly signal?: AbortSignal | undefined },
): AsyncGenerator<LogLine, void, undefined> {
  let last = after;
  // The job is asked for before its lines: what a finished one wrote is there.
  for (let wait = 0; ; wait = 1) {
    // Lines are written once a second, so this waits as long for more, unless the job finishes sooner.
    const job = await ask(connection, jobs.get, { params: { jobId }, query: { wait }, signal });
    for (let full = true; full; ) {
      const query = { after: last, limit: LOG_PAGE };
      const { logs } = await ask(connection, jobs.logs, { params: { jobId }, query, signal });
      yield* logs;
      last = logs.at(-1)?.id ?? last;
      full = logs.length === LOG_PAGE;
    }
    if (isFinished(job)) return;
  }
}
