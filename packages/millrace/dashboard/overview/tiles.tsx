import type { FigurePoint, Metrics } from "../../src/client/index.ts";
import { compact, count, duration } from "../lib/format.ts";
import { Link } from "../ui/link.tsx";
import { ratePerMinute } from "./history.ts";

/** The figures people ask for first. */
export function Tiles({ metrics, points }: { metrics: Metrics; points: readonly FigurePoint[] }) {
  const last = points.slice(-13);
  const perMinute = (read: (point: FigurePoint) => number) => average(ratePerMinute(last, read));
  // Of all processes, as the last point has them: a server without pools measures nothing itself.
  const stages = Object.values(points.at(-1)?.perStage ?? {});
  const slowest = (read: (stage: (typeof stages)[number]) => number) => Math.max(0, ...stages.map(read));
  return (
    <dl className="tiles">
      <Tile
        name="Completed"
        value={compact(perMinute((point) => point.completed))}
        unit="/ min"
        to="/jobs?status=completed"
      />
      <Tile name="Running" value={count(metrics.running)} to="/jobs?status=running" />
      <Tile name="Waiting" value={count(metrics.pending)} to="/jobs?status=pending" />
      <Tile
        name="Dead letters"
        value={count(metrics.dlq)}
        to="/dead-letters"
        tone={metrics.dlq > 0 ? "bad" : undefined}
      />
      <Tile name="Wait, p95" value={lasting(slowest(({ waitP95 }) => waitP95))} />
      <Tile name="Run time, p95" value={lasting(slowest(({ runP95 }) => runP95))} />
    </dl>
  );
}

/** Nothing has run yet: that is no time of 0. */
function lasting(ms: number): string {
  return ms === 0 ? "–" : duration(ms);
}

function average(values: readonly (number | null)[]): number {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? 0 : known.reduce((sum, value) => sum + value, 0) / known.length;
}

interface TileProps {
  readonly name: string;
  readonly value: string;
  readonly unit?: string;
  readonly to?: string;
  readonly tone?: "bad" | undefined;
}

function Tile({ name, value, unit, to, tone }: TileProps) {
  return (
    <div className="tile">
      <dt>{to ? <Link to={to}>{name}</Link> : name}</dt>
      <dd className={tone === "bad" ? "bad-ink" : undefined}>
        {value}
        {unit && <span className="unit"> {unit}</span>}
      </dd>
    </div>
  );
}
