import type { BatchInfo, JobTree } from "../../src/client/index.ts";
import { partsOf } from "../batches/parts.ts";
import { useLiveQuery } from "../lib/data.ts";
import { count, plural } from "../lib/format.ts";
import { CountBar, type CountPart, CountWords } from "../ui/count-bar.tsx";
import { Link } from "../ui/link.tsx";
import { Panel } from "../ui/page.tsx";

type Node = JobTree["nodes"][number];
type Call = Node["calls"][number];

/** Where the jobs that a job started are listed. */
export function childrenOf(jobId: string, status?: string): string {
  return `/jobs?parent=${jobId}${status === undefined ? "" : `&status=${status}`}`;
}

export function countParts({ completed, failed, cancelled, forgotten, open }: Call["counts"]): CountPart[] {
  return [
    { word: "completed", count: completed, tone: "good" },
    { word: "failed", count: failed, tone: "bad" },
    { word: "cancelled", count: cancelled, tone: "off" },
    { word: "deleted", count: forgotten, tone: "off" },
    { word: "not ended", count: open, tone: "waiting" },
  ];
}

/** The batch of a job with its progress, its parent, and its children by state. */
export function Relatives({ tree }: { tree: JobTree }) {
  const own = tree.nodes.find(({ jobId }) => jobId === tree.jobId);
  const parent = tree.nodes.find(({ jobId }) => jobId === own?.parent);
  const calls = own?.calls.filter(({ type }) => type !== "after") ?? [];
  if (!own || (own.batch === undefined && !parent && calls.length === 0)) return null;
  return (
    <Panel title="Related jobs">
      <dl className="relatives">
        {own.batch !== undefined && <Batch batchId={own.batch} />}
        {parent && (
          <>
            <dt>Parent</dt>
            <dd>
              <Link to={`/jobs/${parent.jobId}`} className="mono text-link">
                {parent.jobId}
              </Link>{" "}
              <span className="dim">
                {parent.kind}, {parent.state}
              </span>
            </dd>
          </>
        )}
        {calls.length > 0 && <Children jobId={own.jobId} calls={calls} />}
      </dl>
    </Panel>
  );
}

function Batch({ batchId }: { batchId: string }) {
  const batch = useLiveQuery<BatchInfo>({
    key: ["batch", batchId],
    everyMs: 5_000,
    load: (client, signal) => client.batch(batchId, { signal }),
  }).data;
  return (
    <>
      <dt>Batch</dt>
      <dd>
        <Link to={`/batches/${batchId}`} className="mono text-link">
          {batchId}
        </Link>{" "}
        {batch && (
          <>
            <span className="dim">
              {count(batch.total - batch.pending)} of {plural(batch.total, "job")} ended
            </span>
            <CountBar parts={partsOf(batch)} label="Jobs of the batch" />
          </>
        )}
      </dd>
    </>
  );
}

function Children({ jobId, calls }: { jobId: string; calls: readonly Call[] }) {
  const total = calls.reduce((sum, { counts }) => sum + sizeOf(counts), 0);
  return (
    <>
      <dt>Children</dt>
      <dd>
        <Link to={childrenOf(jobId)} className="text-link">
          {plural(total, "job")}
        </Link>
        <ul className="relatives-calls">
          {calls.map(({ type, name, counts }) => (
            <li key={`${type} ${name}`}>
              <p>
                {name} {type === "submitted" && <span className="dim">(not awaited)</span>}
              </p>
              <CountBar parts={countParts(counts)} label={name} />
              <CountWords parts={countParts(counts)} />
            </li>
          ))}
        </ul>
      </dd>
    </>
  );
}

function sizeOf(counts: Call["counts"]): number {
  return Object.values(counts).reduce((sum, each) => sum + each, 0);
}
