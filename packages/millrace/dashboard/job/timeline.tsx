import type { Attempt, Job } from "../../src/client/index.ts";
import { clock, duration } from "../lib/format.ts";
import { useNow } from "../lib/use-now.ts";
import { Panel } from "../ui/page.tsx";
import { type Bar, timelineOf } from "./timeline.ts";

export function TimelinePanel({ job, attempts }: { job: Job; attempts: readonly Attempt[] }) {
  const now = useNow();
  const line = timelineOf(job, attempts, now);
  const span = line.endAt - line.startAt;
  const place = (at: number) => `${((at - line.startAt) / span) * 100}%`;
  const width = (bar: Bar) => `${((bar.endAt - bar.startAt) / span) * 100}%`;
  return (
    <Panel title="Timeline" aside={<span className="number">{duration(span)} in total</span>}>
      <ol className="timeline">
        {line.rows.map(({ stage, bars }) => (
          <li key={stage}>
            <span className="timeline-stage">{stage}</span>
            <ol className="track">
              {bars.map((bar) => (
                <li
                  key={`${bar.what}-${bar.startAt}-${bar.attempt}`}
                  className={`bar ${bar.what} ${bar.open ? "open" : (bar.outcome ?? "")}`}
                  style={{ left: place(bar.startAt), width: width(bar) }}
                  title={words(bar)}
                >
                  <span className="visually-hidden">{words(bar)}</span>
                </li>
              ))}
            </ol>
          </li>
        ))}
      </ol>
      <div className="timeline-scale dim number" aria-hidden="true">
        <span>{clock(line.startAt, true)}</span>
        <span>{clock(line.endAt, true)}</span>
      </div>
    </Panel>
  );
}

function words({ what, attempt, outcome, startAt, endAt, open }: Bar): string {
  const took = duration(endAt - startAt);
  if (what === "wait") return open ? `waiting for ${took}` : `waited ${took} for attempt ${attempt}`;
  return open ? `attempt ${attempt}, running for ${took}` : `attempt ${attempt}, ${outcome ?? "ended"} after ${took}`;
}
