import type { Job } from "../../src/client/index.ts";
import { useLiveQuery, useMay } from "../lib/data.ts";
import { preview } from "../lib/format.ts";
import { useNow } from "../lib/use-now.ts";
import { Link } from "../ui/link.tsx";
import { Empty, Loaded, Panel } from "../ui/page.tsx";
import { Status } from "../ui/status.tsx";
import { Ago } from "../ui/time.tsx";

export function RecentJobs() {
  const now = useNow();
  const may = useMay();
  const recent = useLiveQuery<Job[]>({
    key: ["jobs", "recent"],
    load: async (client, signal) => (await client.list({ limit: 8, brief: true }, { signal })).jobs,
  });
  return (
    <Panel title="Latest jobs" aside={<Link to="/jobs">All jobs</Link>}>
      <Loaded query={recent}>
        {(jobs) =>
          jobs.length === 0 ? (
            <Empty title="No job yet." icon="jobs">
              {may("submit") ? (
                <>
                  Submit the first one:{" "}
                  <Link to="/submit" className="text-link">
                    a text that takes a second per character
                  </Link>{" "}
                  shows progress, retries and dead letters.
                </>
              ) : (
                "Jobs appear here as soon as they are submitted."
              )}
            </Empty>
          ) : (
            <ul className="recent">
              {jobs.map((job) => (
                <li key={job.jobId}>
                  <span className="recent-status">
                    <Status job={job} now={now} />
                  </span>
                  <Link to={`/jobs/${job.jobId}`} className="mono">
                    {job.jobId}
                  </Link>
                  <span className="recent-what">
                    {job.kind} <span className="dim">{preview(job.payload, 60)}</span>
                  </span>
                  <span className="dim">
                    <Ago at={job.createdAt} />
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  );
}
