import { useMemo } from "react";
import type { FigurePoint } from "../../src/client/index.ts";
import { axisDuration, compact, duration } from "../lib/format.ts";
import { Chart, type Series } from "../ui/chart.tsx";
import type { DeploymentStart } from "./history.ts";
import { ratePerMinute, valuesAt } from "./rates.ts";

interface Props {
  readonly points: readonly FigurePoint[];
  readonly minutes: number;
  readonly deployments?: readonly DeploymentStart[];
  /** The same time of yesterday, moved to today. Default: not shown. */
  readonly yesterday?: readonly FigurePoint[] | undefined;
  /** `kind/stage`. Default: all of them. */
  readonly stage?: string;
  /** Default: all of them. */
  readonly tenant?: string;
}

/** Four questions: how much, how long it waits, how long it takes, how much is there. */
export function Charts({ points, minutes, deployments = [], yesterday, stage = "", tenant = "" }: Props) {
  const times = useMemo(() => points.map(({ at }) => Date.parse(at) / 1_000), [points]);
  const until = times.at(-1) ?? Date.now() / 1_000;
  const from = until - minutes * 60;
  const marks = useMemo(
    () => deployments.map(({ at, label }) => ({ at: Date.parse(at) / 1_000, label })),
    [deployments],
  );
  const range = { times, from, until, marks };
  const series = useMemo(
    () => seriesOf(points, { stage, tenant, yesterday, minutes }),
    [points, stage, tenant, yesterday, minutes],
  );
  return (
    <div className="charts">
      <div className="panel">
        <Chart title="Throughput, per minute" {...range} namesMark series={series.flow} format={compact} />
      </div>
      {tenant === "" && (
        <>
          <div className="panel">
            <Chart
              title={stage ? "Due and running jobs" : "Pending and running jobs"}
              {...range}
              series={series.stock}
              format={compact}
            />
          </div>
          <div className="panel">
            <Chart
              title="Wait before start"
              {...range}
              series={series.wait}
              format={duration}
              formatAxis={axisDuration}
            />
          </div>
          <div className="panel">
            <Chart
              title="Run time of an attempt"
              {...range}
              series={series.run}
              format={duration}
              formatAxis={axisDuration}
            />
          </div>
        </>
      )}
    </div>
  );
}

type PointReader = (point: FigurePoint) => number | undefined;

interface ChartScope {
  readonly stage: string;
  readonly tenant: string;
  readonly yesterday: readonly FigurePoint[] | undefined;
  readonly minutes: number;
}

function seriesOf(
  points: readonly FigurePoint[],
  { stage, tenant, yesterday, minutes }: ChartScope,
): Record<"flow" | "stock" | "wait" | "run", Series[]> {
  const value = (read: PointReader) => points.map((point) => read(point) ?? null);
  const rate = (read: PointReader) => ratePerMinute(points, read);
  const times = points.map(({ at }) => Date.parse(at));
  // A point of the store stands for a minute of a short range, and for a 240th of a long one.
  const withinMs = 3 * Math.max(60_000, (minutes * 60_000) / 240);
  const before = (label: string, values: (all: readonly FigurePoint[]) => (number | null)[]): Series[] => {
    if (!yesterday || yesterday.length === 0) return [];
    const line = { times: yesterday.map(({ at }) => Date.parse(at)), values: values(yesterday) };
    return [{ label, colour: "--faint", dash: [4, 4], values: valuesAt(times, line, withinMs) }];
  };
  const lines = (read: [PointReader, PointReader]): Series[] => [
    { label: "p50", colour: "--run", values: value(read[0]) },
    { label: "p95", colour: "--care", dash: [6, 3], values: value(read[1]) },
    ...before("p95 yesterday", (all) => all.map((point) => read[1](point) ?? null)),
  ];
  const stock: PointReader = (point) => (stage ? point.perStage[stage]?.queueSize : point.pending);
  return {
    flow: [
      { label: "completed", colour: "--good", fill: true, values: rate(completed(stage, tenant)) },
      { label: "failed", colour: "--bad", dash: [6, 3], values: rate(failed(stage, tenant)) },
      ...before("completed yesterday", (all) => ratePerMinute(all, completed(stage, tenant))),
    ],
    stock: [
      { label: stage ? "due" : "pending", colour: "--off", fill: true, values: value(stock) },
      {
        label: "running",
        colour: "--run",
        dash: [6, 3],
        values: value((point) => (stage ? point.perStage[stage]?.busy : point.running)),
      },
      ...before(`${stage ? "due" : "pending"} yesterday`, (all) => all.map((point) => stock(point) ?? null)),
    ],
    wait: lines([worst(stage, "waitP50"), worst(stage, "waitP95")]),
    run: lines([worst(stage, "runP50"), worst(stage, "runP95")]),
  };
}

function completed(stage: string, tenant: string): PointReader {
  if (tenant) return (point) => point.perTenant[tenant]?.completed;
  return stage ? (point) => point.perStage[stage]?.completed : (point) => point.completed;
}

function failed(stage: string, tenant: string): PointReader {
  if (tenant) return (point) => point.perTenant[tenant]?.failed;
  return stage ? (point) => point.perStage[stage]?.failed : (point) => point.failed;
}

/**
 * Over all stages the slowest is what people feel; percentiles do not add up. Where nothing ended there is none: a gap, not
 * a zero.
 */
function worst(stage: string, name: "waitP50" | "waitP95" | "runP50" | "runP95"): PointReader {
  if (stage) return (point) => point.perStage[stage]?.[name] || undefined;
  return (point) => Math.max(0, ...Object.values(point.perStage).map((each) => each[name])) || undefined;
}
