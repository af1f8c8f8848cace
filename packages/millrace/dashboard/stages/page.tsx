import type { FigurePoint, Metrics } from "../../src/client/index.ts";
import { useKinds, useMetrics } from "../lib/facts.ts";
import { compact, count, duration } from "../lib/format.ts";
import { useQueryState } from "../lib/router.ts";
import { FiguresOf } from "../overview/figures-of.tsx";
import { useHistory, useYesterday } from "../overview/history.ts";
import { changeSince, lastMinute, ratePerMinute } from "../overview/rates.ts";
import { Segments } from "../ui/field.tsx";
import { Link } from "../ui/link.tsx";
import { Empty, Loaded, Page } from "../ui/page.tsx";
import { Spark } from "../ui/spark.tsx";
import { Badge } from "../ui/status.tsx";
import { type Column, Table } from "../ui/table.tsx";

const RANGES = [
  ["15", "15 min"],
  ["60", "1 h"],
  ["1440", "24 h"],
  ["10080", "7 days"],
] as const;
type Range = (typeof RANGES)[number][0];

const SORTS = ["due", "wait", "run", "rate", "failed"] as const;
type Sort = (typeof SORTS)[number];

interface StageRow {
  readonly name: string;
  readonly kind: string;
  readonly stage: string;
  readonly isPaused: boolean;
  readonly isUnserved: boolean;
  readonly due: number;
  readonly busy: number;
  readonly size: number;
  readonly waitP95: number;
  readonly runP50: number;
  readonly runP95: number;
  readonly perMinute: number | null;
  readonly trend: readonly (number | null)[];
  /** Completed in the range by those of the same time yesterday, minus 1. Null: nothing to compare with. */
  readonly sinceYesterday: number | null;
  readonly failed: number;
  readonly retries: number;
  /** Failed attempts by all attempts of the range; null without any. */
  readonly failedShare: number | null;
}

/** Every stage with its figures, the busiest first: where jobs wait, what is slow and what fails. */
export function StagesPage() {
  const [params, change] = useQueryState();
  const range = (RANGES.find(([value]) => value === params.get("range"))?.[0] ?? "60") as Range;
  const sort = SORTS.find((each) => each === params.get("sort")) ?? "due";
  const named = params.get("stage");
  const metrics = useMetrics();
  const kinds = useKinds().data ?? [];
  const history = useHistory(Number(range));
  const yesterday = useYesterday(Number(range), true);
  const paused = new Set(kinds.filter((kind) => kind.paused).map(({ kind }) => kind));
  return (
    <Page
      title="Stages"
      about={`Figures of the last ${RANGES.find(([value]) => value === range)?.[1]}, over all processes. Choose a column to sort by it.`}
      actions={
        <Segments label="Time range" value={range} options={RANGES} onChange={(next) => change({ range: next })} />
      }
    >
      <Loaded query={metrics}>
        {(found) => {
          const rows = sorted(
            rowsOf(found, { points: history.data?.points ?? [], yesterday: yesterday.data ?? [], paused }),
            sort,
          );
          if (rows.length === 0)
            return (
              <section className="panel">
                <Empty title="No stage yet.">Stages appear when a process registers their kind.</Empty>
              </section>
            );
          return (
            <>
              {named !== null && rows.some(({ name }) => name === named) && (
                <FiguresOf
                  title={`Stage ${named}`}
                  history={history.data}
                  minutes={Number(range)}
                  stage={named}
                  onClose={() => change({ stage: undefined })}
                />
              )}
              <section className="panel stages" aria-label="Stages">
                <Table
                  columns={columns}
                  rows={
                    named === null ? rows : rows.toSorted((a, b) => Number(b.name === named) - Number(a.name === named))
                  }
                  keyOf={({ name }) => name}
                  sort={{ by: sort, onSort: (next) => change({ sort: next === "due" ? undefined : next }) }}
                />
              </section>
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

const columns: Column<StageRow>[] = [
  {
    title: "Stage",
    wide: true,
    value: ({ name, isPaused, isUnserved }) => (
      <>
        <Link to={`/stages?stage=${encodeURIComponent(name)}`}>{name}</Link>{" "}
        {isPaused && <Badge tone="care">paused</Badge>}
        {isUnserved && <Badge tone="bad">no worker</Badge>}
      </>
    ),
  },
  {
    title: "Due",
    sort: "due",
    quiet: true,
    label: "due",
    value: ({ due, name, kind, stage }) => (
      <Link
        to={`/jobs?status=pending&kind=${encodeURIComponent(kind)}&stage=${encodeURIComponent(stage)}`}
        aria-label={`${count(due)} due jobs of ${name}`}
      >
        {count(due)}
      </Link>
    ),
  },
  {
    title: "Busy",
    quiet: true,
    label: "busy",
    value: ({ busy, size }) => `${count(busy)} of ${count(size)}`,
  },
  { title: "Wait, p95", sort: "wait", quiet: true, label: "wait", value: ({ waitP95 }) => lasting(waitP95) },
  {
    title: "Run, p50 / p95",
    sort: "run",
    quiet: true,
    label: "run",
    value: ({ runP50, runP95 }) => (runP95 === 0 ? "–" : `${duration(runP50)} / ${duration(runP95)}`),
  },
  {
    title: "Completed / min",
    sort: "rate",
    quiet: true,
    label: "a minute",
    value: ({ perMinute, trend, name }) => (
      <span className="stage-rate">
        <Spark values={trend} label={`Completed per minute of ${name}`} />
        {perMinute === null ? "–" : compact(perMinute)}
      </span>
    ),
  },
  {
    title: "To yesterday",
    quiet: true,
    label: "to yesterday",
    value: ({ sinceYesterday }) => changeWords(sinceYesterday),
  },
  {
    title: "Failed",
    sort: "failed",
    quiet: true,
    label: "failed",
    value: ({ failed, retries, failedShare }) => (
      <>
        {failedShare === null ? "–" : `${Math.round(failedShare * 1_000) / 10} %`}
        {failed + retries > 0 && ` (${count(failed)} failed, ${count(retries)} retried)`}
      </>
    ),
  },
];

interface StageHistory {
  readonly points: readonly FigurePoint[];
  readonly yesterday: readonly FigurePoint[];
  readonly paused: ReadonlySet<string>;
}

function rowsOf(metrics: Metrics, { points, yesterday, paused }: StageHistory): StageRow[] {
  const first = points[0];
  const last = points.at(-1);
  return Object.entries(metrics.perStage).map(([name, stage]) => {
    const [kind = "", stageName = ""] = name.split(/\/(.*)/s);
    const now = last?.perStage[name];
    const before = first?.perStage[name];
    const grown = (read: "completed" | "failed" | "retries") => Math.max(0, (now?.[read] ?? 0) - (before?.[read] ?? 0));
    const [completed, failed, retries] = [grown("completed"), grown("failed"), grown("retries")];
    const attempts = completed + failed + retries;
    const { idle, busy, error } = stage.processors;
    return {
      name,
      kind,
      stage: stageName,
      isPaused: paused.has(kind),
      isUnserved: metrics.unserved.includes(name),
      due: stage.queueSize,
      busy,
      size: idle + busy + error,
      waitP95: stage.waitMs.p95,
      runP50: stage.runMs.p50,
      runP95: stage.runMs.p95,
      perMinute: lastMinute(points, (point) => point.perStage[name]?.completed),
      trend: ratePerMinute(points, (point) => point.perStage[name]?.completed),
      sinceYesterday: changeSince(points, yesterday, (point) => point.perStage[name]?.completed),
      failed,
      retries,
      failedShare: attempts === 0 ? null : (failed + retries) / attempts,
    };
  });
}

const ORDER: Record<Sort, (row: StageRow) => number> = {
  due: ({ due }) => due,
  wait: ({ waitP95 }) => waitP95,
  run: ({ runP95 }) => runP95,
  rate: ({ perMinute }) => perMinute ?? 0,
  failed: ({ failedShare }) => failedShare ?? 0,
};

function sorted(rows: readonly StageRow[], sort: Sort): StageRow[] {
  return rows.toSorted((a, b) => ORDER[sort](b) - ORDER[sort](a) || a.name.localeCompare(b.name));
}

function changeWords(change: number | null): string {
  if (change === null) return "–";
  const percent = Math.round(change * 100);
  return percent > 0 ? `+${count(percent)} %` : percent < 0 ? `−${count(-percent)} %` : "same";
}

function lasting(ms: number): string {
  return ms === 0 ? "–" : duration(ms);
}
