import type { Deployment, InstanceInfo, PoolInfo, ProcessorInfo } from "../../src/client/index.ts";
import { useLiveQuery } from "../lib/data.ts";
import { usePools } from "../lib/facts.ts";
import { count } from "../lib/format.ts";
import { Link } from "../ui/link.tsx";
import { Empty, Loaded, Page } from "../ui/page.tsx";
import { Badge } from "../ui/status.tsx";
import { type Column, Table } from "../ui/table.tsx";
import { Ago, Lasting } from "../ui/time.tsx";

const LATE_MS = 30_000;
const MOST_SHOWN = 5;

interface ProcessRow {
  readonly process: InstanceInfo;
  readonly deployment: string | undefined;
  readonly size: number;
  readonly busy: readonly ProcessorInfo[];
  readonly broken: number;
}

/** Every living process on the store: its version, since when it runs, and what it works on. */
export function ProcessesPage() {
  const processes = useLiveQuery<InstanceInfo[]>({
    key: ["instances"],
    load: (client, signal) => client.instances({ signal }),
    everyMs: 5_000,
  });
  const deployments = useLiveQuery<Deployment[]>({
    key: ["deployments"],
    load: (client, signal) => client.deployments({ signal }),
  });
  const pools = usePools();
  return (
    <Page title="Processes" about="Every process that uses the store, also those that only accept and show jobs.">
      <Loaded query={processes}>
        {(all) =>
          all.length === 0 ? (
            <section className="panel">
              <Empty title="No process.">A process appears when it opens the store.</Empty>
            </section>
          ) : (
            <section className="panel" aria-label="Processes">
              <Table
                columns={columns}
                rows={rowsOf(all, pools.data ?? [], deployments.data ?? [])}
                keyOf={({ process }) => process.instance}
              />
            </section>
          )
        }
      </Loaded>
    </Page>
  );
}

function rowsOf(
  processes: readonly InstanceInfo[],
  pools: readonly PoolInfo[],
  deployments: readonly Deployment[],
): ProcessRow[] {
  return processes.map((process) => {
    const own = pools.filter(({ instance }) => instance === process.instance).flatMap(({ processors }) => processors);
    return {
      process,
      deployment: deployments.find(({ processes: names }) => names.includes(process.instance))?.label,
      size: own.length,
      busy: own.filter(({ state }) => state === "busy"),
      broken: own.filter(({ state }) => state === "error").length,
    };
  });
}

const columns: Column<ProcessRow>[] = [
  {
    title: "Process",
    value: ({ process: { instance, seenAt }, broken }) => (
      <>
        <code>{instance}</code>{" "}
        {Date.now() - Date.parse(seenAt) > LATE_MS && <Badge tone="care">no heartbeat for a while</Badge>}
        {broken > 0 && <Badge tone="bad">{`${count(broken)} in error`}</Badge>}
      </>
    ),
  },
  { title: "Version", label: "version", value: ({ deployment }) => (deployment ? <code>{deployment}</code> : "–") },
  { title: "Started", quiet: true, label: "started", value: ({ process }) => <Ago at={process.startedAt} /> },
  { title: "Last heard of", quiet: true, label: "heard of", value: ({ process }) => <Ago at={process.seenAt} /> },
  {
    title: "Busy",
    quiet: true,
    label: "busy",
    value: ({ busy, size }) => (size === 0 ? "runs no jobs" : `${count(busy.length)} of ${count(size)}`),
  },
  {
    title: "Works on",
    wide: true,
    value: ({ busy }) => (
      <ul className="works-on">
        {busy.slice(0, MOST_SHOWN).map(({ jobId, since }) =>
          jobId === undefined ? null : (
            <li key={jobId}>
              <Link to={`/jobs/${jobId}`} className="mono">
                {jobId}
              </Link>{" "}
              <span className="dim number">{since && <Lasting from={since} />}</span>
            </li>
          ),
        )}
        {busy.length > MOST_SHOWN && <li className="dim">and {count(busy.length - MOST_SHOWN)} more</li>}
      </ul>
    ),
  },
];
