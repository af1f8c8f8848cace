import type { Attempt, Job, JobWait } from "../../src/client/index.ts";
import { clock, duration } from "../lib/format.ts";
import { useNow } from "../lib/use-now.ts";
import { Panel } from "../ui/page.tsx";
import { type Bar, type GapReason, timelineOf } from "./timeline.ts";
import { waitWords } from "./waits.tsx";

/** Below this share of the width the name of a gap has no room. */
const ROOM_FOR_NAME = 0.12;

interface Props {
  readonly job: Job;
  readonly attempts: readonly Attempt[];
  readonly waits: readonly JobWait[];
}

export function TimelinePanel({ job, attempts, waits }: Props) {
  const now = useNow();
  const line = timelineOf(job, { attempts, waits, now });
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
                  {bar.reasons && (bar.endAt - bar.startAt) / span > ROOM_FOR_NAME && (
                    <span className="gap-name" aria-hidden="true">
                      {inWords(bar.reasons)}
                    </span>
                  )}
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

function words({ what, attempt, outcome, startAt, endAt, open, reasons = [] }: Bar): string {
  const took = duration(endAt - startAt);
  switch (what) {
    case "wait":
      return open ? `waiting for ${took}` : `waited ${took} for attempt ${attempt}`;
    case "gap":
      if (reasons.every(({ type }) => type === "sleep"))
        return `${open ? "sleeping" : "slept"} ${took}: ${reasons.map(({ name }) => name).join(", ")}`;
      return `${open ? "waiting" : "waited"} ${took} for ${inWords(reasons)}`;
    case "attempt":
      if (open) return `attempt ${attempt}, running for ${took}`;
      return `attempt ${attempt}, ${outcome ?? "ended"} after ${took}`;
  }
}

function inWords(reasons: readonly GapReason[]): string {
  return reasons.map(waitWords).join(", ");
}
