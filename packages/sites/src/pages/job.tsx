import type { Job } from "millrace/client";
import { JobResult, Link } from "millrace/dashboard";

export function SiteResult({ job }: { job: Job }) {
  return <JobResult job={job} aside={<Link to={`/sites/${job.jobId}`}>Open the site and its report</Link>} />;
}

export function SiteNote() {
  return (
    <p className="dim">
      <Link to="/sites" className="text-link">
        Sites
      </Link>{" "}
      has its own form, with the runs and their reports.
    </p>
  );
}
