import { lazy, Suspense } from "react";
import type { Health } from "../../src/client/index.ts";
import { useLiveQuery, useMay, useSurroundings } from "../lib/data.ts";
import { useKinds, useLatestCauses, useLongWaits, useMetrics, usePools } from "../lib/facts.ts";
import { useQueryState } from "../lib/router.ts";
import { useNow } from "../lib/use-now.ts";
import { Boundary } from "../ui/boundary.tsx";
import { Check, Segments } from "../ui/field.tsx";
import { Loading, Page, Trouble } from "../ui/page.tsx";
import { useWorkloads, withPages } from "../workloads/use-workloads.ts";
import { concernsOf, type HeldWords } from "./attention.ts";
import { Attention } from "./attention-list.tsx";
import { useHistory, useYesterday } from "./history.ts";
import { PoolsAtAGlance } from "./pools-at-a-glance.tsx";
import { RecentJobs } from "./recent-jobs.tsx";
import { Tiles } from "./tiles.tsx";
import "./overview.css";

// Apart from the rest: the figures and what needs attention are there before the code for charts has arrived.
const Charts = lazy(async () => ({ default: (await import("./charts.tsx")).Charts }));

const RANGES = [
  ["15", "15 min"],
  ["60", "1 h"],
  ["360", "6 h"],
  ["1440", "24 h"],
  ["10080", "7 days"],
] as const;

export function OverviewPage() {
  return useMay()("root") ? <Whole /> : <OfOneTenant />;
}

/** By kind, as the workloads say it. */
function useHeldWords(): Record<string, HeldWords> {
  const kinds = withPages(useWorkloads().data).flatMap(({ pages }) => Object.entries(pages.kinds));
  return Object.fromEntries(kinds.flatMap(([kind, { held }]) => (held ? [[kind, held]] : [])));
}

function Whole() {
  const [params, change] = useQueryState();
  const range = RANGES.find(([value]) => value === params.get("range"))?.[0] ?? "15";
  const compares = params.get("compare") === "yesterday";
  const minutes = Number(range);
  const now = useNow();
  const history = useHistory(minutes);
  const yesterday = useYesterday(minutes, compares);
  const recent = useHistory(15);
  const metrics = useMetrics();
  const pools = usePools();
  const kinds = useKinds();
  const deadLetters = useLatestCauses();
  const longWaits = useLongWaits();
  const health = useLiveQuery<Health>({ key: ["health"], load: (client, signal) => client.health({ signal }) });
  const concerns = concernsOf({
    now,
    health: health.data,
    kinds: kinds.data,
    pools: pools.data,
    deadLetters: deadLetters.data,
    longWaits: longWaits.data,
    points: recent.data?.points,
    held: useHeldWords(),
  });
  return (
    <Page
      title="Overview"
      actions={
        <>
          <Check
            label="Compare with yesterday"
            checked={compares}
            onChange={({ target }) => change({ compare: target.checked ? "yesterday" : undefined })}
          />
          <Segments
            label="Time range"
            value={range}
            options={RANGES}
            onChange={(next) => change({ range: next === "15" ? undefined : next })}
          />
        </>
      }
    >
      {metrics.error && !metrics.data && <Trouble error={metrics.error} retry={() => void metrics.refetch()} />}
      <Attention concerns={concerns} ready={deadLetters.data !== undefined && health.data !== undefined} />
      {metrics.data ? <Tiles metrics={metrics.data} points={recent.data?.points ?? []} /> : <Loading />}
      <Boundary>
        <Suspense fallback={<div className="charts-to-come" />}>
          <Charts
            points={history.data?.points ?? []}
            minutes={minutes}
            deployments={history.data?.deployments ?? []}
            yesterday={compares ? yesterday.data : undefined}
          />
        </Suspense>
      </Boundary>
      <div className="halves">
        <PoolsAtAGlance pools={pools.data ?? []} kinds={kinds.data ?? []} />
        <RecentJobs />
      </div>
    </Page>
  );
}

/** The figures of the whole server are the administrator's; a tenant sees its own jobs. */
function OfOneTenant() {
  const { session } = useSurroundings();
  const now = useNow();
  const deadLetters = useLatestCauses();
  const longWaits = useLongWaits();
  const concerns = concernsOf({ now, deadLetters: deadLetters.data, longWaits: longWaits.data });
  return (
    <Page
      title="Overview"
      about={`Jobs of the tenant ${session.tenant}. Only the administrator sees the figures of the whole server.`}
    >
      <Attention concerns={concerns} ready={deadLetters.data !== undefined} />
      <RecentJobs />
    </Page>
  );
}
