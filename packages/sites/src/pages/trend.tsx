import { Link } from "millrace/dashboard";
import type { SiteTrack } from "../client.ts";

type Point = SiteTrack["trend"][number];

const WIDTH = 720;
const HEIGHT = 150;
const LEFT = 44;
const ROOM = { top: 8, bottom: 22 };

/** One chart per model, with the interval of each run as a band. The table below says the same: a picture is not read out. */
export function Trend({ points }: { points: readonly Point[] }) {
  const models = [...new Set(points.map(({ model }) => model))];
  return (
    <div className="panel-body">
      {models.map((model) => (
        <figure key={model} className="trend">
          <figcaption>{model === "all" ? "All models" : model}</figcaption>
          <Chart points={points.filter((point) => point.model === model)} />
        </figure>
      ))}
      <details>
        <summary>All figures</summary>
        <div className="table-scroll">
          <table className="table">
            <thead>
              <tr>
                <th>Run</th>
                <th>Model</th>
                <th>Names you</th>
                <th>Version</th>
              </tr>
            </thead>
            <tbody>
              {points.toReversed().map(({ at, jobId, model, k, n, low, high, version, newVersion }) => (
                <tr key={`${jobId} ${model}`}>
                  <td className="nowrap">
                    <Link to={`/sites/${jobId}`}>{at.slice(0, 10)}</Link>
                  </td>
                  <td>{model}</td>
                  <td className="number nowrap">
                    {k} of {n} · {percent(low)}–{percent(high)} %
                  </td>
                  <td>
                    {version}
                    {newVersion && <b> new</b>}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </div>
  );
}

function Chart({ points }: { points: readonly Point[] }) {
  const step = (WIDTH - LEFT - 12) / Math.max(1, points.length - 1);
  const x = (i: number) => LEFT + 4 + i * step;
  const y = (share: number) => ROOM.top + (1 - share) * (HEIGHT - ROOM.top - ROOM.bottom);
  const share = ({ k, n }: Point) => (n === 0 ? 0 : k / n);
  const band = [
    ...points.map(({ high }, i) => `${x(i)},${y(high)}`),
    ...points.map(({ low }, i) => `${x(i)},${y(low)}`).toReversed(),
  ];
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className="trend-chart" aria-hidden="true">
      {[0, 0.5, 1].map((mark) => (
        <g key={mark}>
          <line x1={LEFT} x2={WIDTH} y1={y(mark)} y2={y(mark)} className="trend-rule" />
          <text x={LEFT - 6} y={y(mark) + 4} textAnchor="end" className="trend-text">
            {percent(mark)} %
          </text>
        </g>
      ))}
      {points.length > 1 && <polygon points={band.join(" ")} className="trend-band" />}
      <polyline points={points.map((point, i) => `${x(i)},${y(share(point))}`).join(" ")} className="trend-line" />
      {points.map((point, i) => (
        <g key={point.jobId}>
          <line x1={x(i)} x2={x(i)} y1={y(point.low)} y2={y(point.high)} className="trend-whisker" />
          <circle cx={x(i)} cy={y(share(point))} r={3.5} className={point.newVersion ? "trend-new" : "trend-dot"} />
        </g>
      ))}
      <text x={LEFT} y={HEIGHT - 4} className="trend-text">
        {points[0]?.at.slice(0, 10)}
      </text>
      <text x={WIDTH - 4} y={HEIGHT - 4} textAnchor="end" className="trend-text">
        {points.at(-1)?.at.slice(0, 10)}
      </text>
    </svg>
  );
}

function percent(share: number): number {
  return Math.round(share * 100);
}
