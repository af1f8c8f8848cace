import type { ReactNode } from "react";
import type { Job } from "../../src/client/index.ts";
import { SHOWN_FIELDS } from "../../src/job/options/submit-options.ts";
import { CopyButton } from "../ui/json.tsx";
import { Panel } from "../ui/page.tsx";
import { Moment } from "../ui/time.tsx";

export function Facts({ job }: { job: Job }) {
  const rows: [string, ReactNode][] = [
    ["Submitted", <Moment key="at" at={job.createdAt} />],
    ...(job.state === "pending" && !job.waitsFor && Date.parse(job.runAt) > Date.parse(job.createdAt) + 1_000
      ? ([["Due", <Moment key="at" at={job.runAt} />]] as [string, ReactNode][])
      : []),
    ...(job.startedAt ? ([["Started", <Moment key="at" at={job.startedAt} />]] as [string, ReactNode][]) : []),
    ...(job.completedAt ? ([["Ended", <Moment key="at" at={job.completedAt} />]] as [string, ReactNode][]) : []),
    ...SHOWN_FIELDS.flatMap(({ field, form, label }): [string, ReactNode][] => {
      const value = job[field];
      return value ? [[label, form === "time" ? <Moment key={field} at={value} /> : value]] : [];
    }),
    ["Attempt", `${job.attempt} of ${job.maxAttempts}`],
    ...(job.retriesTotal > 0
      ? ([["Failed attempts", `${job.retries} in this stage, ${job.retriesTotal} in total`]] as [string, ReactNode][])
      : []),
    ...(job.crashes > 0 ? ([["Crashes", String(job.crashes)]] as [string, ReactNode][]) : []),
    ["Priority", job.priority === 0 ? "0 (default)" : String(job.priority)],
    ...(job.concurrencyKey
      ? ([["Concurrency key", <code key="key">{job.concurrencyKey}</code>]] as [string, ReactNode][])
      : []),
    ...(job.processor
      ? ([[job.inProgress ? "Lease held by" : "Last held by", <code key="who">{job.processor}</code>]] as [
          string,
          ReactNode,
        ][])
      : []),
    ...(job.traceId ? ([["Trace id", <code key="id">{job.traceId}</code>]] as [string, ReactNode][]) : []),
  ];
  return (
    <Panel title="Facts" aside={<CopyButton text={job.jobId} what="Job id" />}>
      <dl className="facts">
        {rows.map(([name, value]) => (
          <div key={name} className="fact">
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
