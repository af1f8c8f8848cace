import { useCallback } from "react";
import type { Job } from "../../src/client/index.ts";
import { useLiveQuery } from "../lib/data.ts";
import { preview } from "../lib/format.ts";
import type { Moves } from "../lib/live.ts";
import { useNow } from "../lib/use-now.ts";
import { Link } from "../ui/link.tsx";
import { Panel } from "../ui/page.tsx";
import { Progress, Status } from "../ui/status.tsx";

/** What was submitted from here, and what becomes of it. */
export function Submitted({ jobs }: { jobs: readonly Job[] }) {
  return (
    <Panel title="Submitted here">
      {jobs.length === 0 ? (
        <p className="panel-body dim">Jobs that you submit appear here with their progress.</p>
      ) : (
        <ul className="submitted">
          {jobs.map((job) => (
            <One key={job.jobId} first={job} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function One({ first }: { first: Job }) {
  const { jobId } = first;
  const now = useNow();
  const concerns = useCallback((moves: Moves) => moves === undefined || moves.has(jobId), [jobId]);
  const found = useLiveQuery<Job>({
    key: ["job", jobId],
    concerns,
    everyMs: 1_500,
    load: (client, signal) => client.get(jobId, { signal }),
  });
  const job = found.data ?? first;
  return (
    <li>
      <div className="submitted-head">
        <Status job={job} now={now} />
        <Link to={`/jobs/${jobId}`} className="mono">
          {jobId}
        </Link>
        <span className="dim submitted-what">{preview(job.payload, 60)}</span>
      </div>
      {job.state === "running" && job.progress && (
        <Progress value={job.progress.value} label={`Progress of ${jobId}`} />
      )}
      {job.lastError && job.state !== "completed" && <p className="bad-ink">{job.lastError}</p>}
      {job.state === "completed" && <p className="dim mono submitted-what">{preview(job.result, 90)}</p>}
    </li>
  );
}
