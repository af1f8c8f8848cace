import { useMemo } from "react";
import type { FigurePoint } from "../../src/client/index.ts";
import { axisDuration, compact, duration } from "../lib/format.ts";
import { Chart, type Series } from "../ui/chart.tsx";
import { ratePerMinute } from "./history.ts";

interface Props {
  readonly points: readonly FigurePoint[];
  readonly minutes: number;
  readonly stage: string;
  readonly tenant: string;
}

/** Four questions: how much, how long it waits, how long it takes, how much is there. */
export function Charts({ points, minutes, stage, tenant }: Props) {
  const times = useMemo(() => points.map(({ at }) => Date.parse(at) / 1_000), [points]);
  const until = times.at(-1) ?? Date.now() / 1_000;
  const from = until - minutes * 60;
  const range = { times, from, until };
  const series = useMemo(() => seriesOf(points, stage, tenant), [points, stage, tenant]);
  return (
    <div className="charts">
      <div className="panel">
        <Chart title="Throughput, per minute" {...range} series={series.flow} format={compact} />
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

function seriesOf(
  points: readonly FigurePoint[],
  stage: string,
  tenant: string,
): Record<"flow" | "stock" | "wait" | "run", Series[]> {
  const value = (read: PointReader) => points.map((point) => read(point) ?? null);
  const rate = (read: PointReader) => ratePerMinute(points, read);
  const lines = (title: [string, string], read: [PointReader, PointReader]): Series[] => [
    { label: title[0], colour: "--run", values: value(read[0]) },
    { label: title[1], colour: "--care", values: value(read[1]) },
  ];
  return {
    flow: [
      { label: "completed", colour: "--good", fill: true, values: rate(completed(stage, tenant)) },
      { label: "failed", colour: "--bad", values: rate(failed(stage, tenant)) },
    ],
    stock: [
      {
        label: stage ? "due" : "pending",
        colour: "--off",
        fill: true,
        values: value((point) => (stage ? point.perStage[stage]?.queueSize : point.pending)),
      },
      {
        label: "running",
        colour: "--run",
        values: value((point) => (stage ? point.perStage[stage]?.busy : point.running)),
      },
    ],
    wait: lines(["p50", "p95"], [worst(stage, "waitP50"), worst(stage, "waitP95")]),
    run: lines(["p50", "p95"], [worst(stage, "runP50"), worst(stage, "runP95")]),
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
