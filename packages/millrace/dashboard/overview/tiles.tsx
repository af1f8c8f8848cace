import type { FigurePoint, Metrics } from "../../src/client/index.ts";
import { compact, count, duration } from "../lib/format.ts";
import { Link } from "../ui/link.tsx";
import { lastMinute } from "./rates.ts";

/** The figures people ask for first. */
export function Tiles({ metrics, points }: { metrics: Metrics; points: readonly FigurePoint[] }) {
  const completed = lastMinute(points, (point) => point.completed);
  // Of all processes, as the last point has them: a server without pools measures nothing itself.
  const stages = Object.entries(points.at(-1)?.perStage ?? {});
  const wait = slowest(stages, ({ waitP95 }) => waitP95);
  const run = slowest(stages, ({ runP95 }) => runP95);
  const { dlq, running, waiting } = metrics;
  return (
    <dl className="tiles">
      <Tile
        name="Completed"
        value={completed === null ? "–" : compact(completed)}
        unit="/ min"
        to="/jobs?status=completed"
      />
      <Tile name="Running" value={count(running)} to="/jobs?status=running" />
      <Tile name="Ready" value={count(waiting.ready)} note={reasonsOf(waiting)} to="/jobs?status=pending" />
      <Tile name="Dead letters" value={count(dlq)} to="/dead-letters" tone={dlq > 0 ? "bad" : undefined} />
      <Tile name="Slowest wait, p95" value={lasting(wait.ms)} note={wait.stage} {...stageLink(wait.stage)} />
      <Tile name="Slowest run, p95" value={lasting(run.ms)} note={run.stage} {...stageLink(run.stage)} />
    </dl>
  );
}

const REASONS: readonly (readonly [keyof Metrics["waiting"], string])[] = [
  ["unserved", "without a worker"],
  ["paused", "paused"],
  ["limited", "limited"],
  ["retrying", "retrying"],
  ["scheduled", "scheduled"],
  ["waiting", "waiting for something"],
  ["held", "held"],
];

/** Pending jobs that are not ready, by reason: `12 retrying, 3 held`. */
function reasonsOf(waiting: Metrics["waiting"]): string | undefined {
  const parts = REASONS.filter(([name]) => waiting[name] > 0).map(([name, word]) => `${count(waiting[name])} ${word}`);
  return parts.length === 0 ? undefined : parts.join(", ");
}

type StagePoint = FigurePoint["perStage"][string];

function slowest(
  stages: readonly (readonly [string, StagePoint])[],
  read: (stage: StagePoint) => number,
): { ms: number; stage?: string } {
  const first = stages.reduce<readonly [string, StagePoint] | undefined>(
    (most, each) => (most === undefined || read(each[1]) > read(most[1]) ? each : most),
    undefined,
  );
  if (!first || read(first[1]) === 0) return { ms: 0 };
  return { ms: read(first[1]), stage: first[0] };
}

function stageLink(stage: string | undefined): { to?: string } {
  return stage === undefined ? {} : { to: `/stages?stage=${encodeURIComponent(stage)}` };
}

/** Nothing has run yet: that is no time of 0. */
function lasting(ms: number): string {
  return ms === 0 ? "–" : duration(ms);
}

interface TileProps {
  readonly name: string;
  readonly value: string;
  readonly unit?: string;
  /** A second line. */
  readonly note?: string | undefined;
  readonly to?: string;
  readonly tone?: "bad" | undefined;
}

function Tile({ name, value, unit, note, to, tone }: TileProps) {
  return (
    <div className="tile">
      <dt>{to ? <Link to={to}>{name}</Link> : name}</dt>
      <dd className={tone === "bad" ? "bad-ink" : undefined}>
        {value}
        {unit && <span className="unit"> {unit}</span>}
        {note && <span className="tile-note">{note}</span>}
      </dd>
    </div>
  );
}
