import type { BatchInfo } from "../../src/client/index.ts";
import { useLiveQuery, useSession } from "../lib/data.ts";
import { count } from "../lib/format.ts";
import { addressOf } from "../lib/mount.ts";
import { useQueryState } from "../lib/router.ts";
import { CountBar, CountWords } from "../ui/count-bar.tsx";
import { Link } from "../ui/link.tsx";
import { Empty, Loaded, Page } from "../ui/page.tsx";
import { Badge } from "../ui/status.tsx";
import { type Column, Table } from "../ui/table.tsx";
import { Ago } from "../ui/time.tsx";
import { partsOf, wordOfBatch } from "./parts.ts";
import "./batches.css";

const AT_ONCE = 50;

/** The batches, newest first. */
export function BatchesPage() {
  const { allTenants } = useSession();
  const [params] = useQueryState();
  const cursor = params.get("cursor") ?? undefined;
  const batches = useLiveQuery<{ batches: BatchInfo[]; nextCursor?: string | undefined }>({
    key: ["batches", cursor ?? ""],
    everyMs: 5_000,
    load: (client, signal) => client.batches({ limit: AT_ONCE, ...(cursor !== undefined && { cursor }) }, { signal }),
  });
  return (
    <Page
      title="Batches"
      about="Jobs that belong together, newest first. A batch ends when it is sealed and all its jobs have ended."
    >
      <Loaded query={batches}>
        {({ batches: shown, nextCursor }) =>
          shown.length === 0 ? (
            <section className="panel">
              <Empty title={cursor === undefined ? "No batch yet." : "No older batch."} icon="batches">
                A program opens one with <code>millrace.batch()</code> to run a job when many others have ended.{" "}
                <a href={addressOf("/docs#post-batches")} className="text-link">
                  Batches over HTTP
                </a>
              </Empty>
            </section>
          ) : (
            <section className="panel" aria-label="Batches">
              <Table columns={columns(allTenants)} rows={shown} keyOf={({ id }) => id} />
              {(cursor !== undefined || nextCursor !== undefined) && (
                <p className="batches-more">
                  {cursor !== undefined && <Link to="/batches">Newest</Link>}
                  {nextCursor !== undefined && (
                    <Link to={`/batches?cursor=${encodeURIComponent(nextCursor)}`}>Older</Link>
                  )}
                </p>
              )}
            </section>
          )
        }
      </Loaded>
    </Page>
  );
}

function columns(withTenant: boolean): Column<BatchInfo>[] {
  return [
    {
      title: "Batch",
      value: ({ id }) => (
        <Link to={`/batches/${id}`} className="mono nowrap">
          {id}
        </Link>
      ),
    },
    { title: "State", value: (batch) => <BatchState batch={batch} /> },
    {
      title: "Jobs",
      wide: true,
      value: (batch) => <Jobs batch={batch} />,
    },
    {
      title: "At its end",
      quiet: true,
      label: "at its end",
      value: ({ onEnd, callback }) => (callback === undefined ? onEnd : <Link to={`/jobs/${callback}`}>{onEnd}</Link>),
    },
    ...(withTenant
      ? [{ title: "Tenant", quiet: true, label: "tenant", value: ({ tenant }: BatchInfo) => tenant }]
      : []),
    { title: "Opened", quiet: true, label: "opened", value: ({ createdAt }) => <Ago at={createdAt} /> },
  ];
}

export function BatchState({ batch }: { batch: BatchInfo }) {
  const { word, tone } = wordOfBatch(batch);
  return <Badge tone={tone}>{word}</Badge>;
}

function Jobs({ batch }: { batch: BatchInfo }) {
  if (batch.total === 0) return <span className="dim">no jobs</span>;
  return (
    <div className="batch-jobs">
      <CountBar parts={partsOf(batch)} label={`${count(batch.total)} jobs`} />
      <CountWords parts={partsOf(batch)} />
    </div>
  );
}
