import { type KeyboardEvent, memo, type RefObject, useEffect, useRef, useState } from "react";
import { preview } from "../lib/format.ts";
import { navigate, pageOf } from "../lib/router.ts";
import { useNow } from "../lib/use-now.ts";
import { Link } from "../ui/link.tsx";
import { Status, wordOf } from "../ui/status.tsx";
import { Ago, Lasting } from "../ui/time.tsx";
import type { JobListRow } from "./job-list.ts";

export interface RowRange {
  readonly first: number;
  readonly last: number;
}

interface Props {
  readonly rows: readonly JobListRow[];
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (jobId: string, on: boolean) => void;
  readonly selectable: boolean;
  readonly withTenant: boolean;
  readonly more: boolean;
  readonly onWindow: (window: RowRange) => void;
  readonly onEnd: () => void;
  readonly scroller: RefObject<HTMLDivElement | null>;
}

const ROW = 40;
const ROW_NARROW = 64;
const SPARE = 12;
const NEAR_END = 60;

/** Only the rows in view are drawn, all of one height: ten thousand jobs scroll like ten. */
export function JobTable(props: Props) {
  const { rows, selected, onSelect, selectable, withTenant, more, onWindow, onEnd, scroller } = props;
  const height = useRowHeight();
  const now = useNow();
  const [view, setView] = useState<RowRange>({ first: 0, last: 40 });
  const latest = useRef({ more, onEnd, onWindow, count: rows.length });
  latest.current = { more, onEnd, onWindow, count: rows.length };

  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const look = () => {
      const first = Math.floor(element.scrollTop / height);
      const last = first + Math.ceil(element.clientHeight / height);
      setView((before) => (before.first === first && before.last === last ? before : { first, last }));
      latest.current.onWindow({ first, last });
      if (latest.current.more && last > latest.current.count - NEAR_END) latest.current.onEnd();
    };
    look();
    element.addEventListener("scroll", look, { passive: true });
    const sized = new ResizeObserver(look);
    sized.observe(element);
    return () => {
      element.removeEventListener("scroll", look);
      sized.disconnect();
    };
  }, [height, scroller]);

  // The reader cannot scroll to the end if the first page is shorter than the screen, so the next page is loaded at once.
  useEffect(() => {
    if (more && view.last > rows.length - NEAR_END) latest.current.onEnd();
  }, [more, view.last, rows.length]);

  const start = Math.max(0, Math.min(view.first, rows.length - 1) - SPARE);
  const shown = rows.slice(start, view.last + SPARE);
  return (
    <div
      className={`jobs-table ${withTenant ? "with-tenant" : ""}`}
      role="table"
      aria-label="Jobs"
      aria-rowcount={more ? -1 : rows.length + 1}
    >
      <div role="rowgroup" className="jobs-head">
        <div role="row" className="jobs-row" aria-rowindex={1}>
          <span role="columnheader" className="cell-check">
            <span className="visually-hidden">Selected</span>
          </span>
          <span role="columnheader">Status</span>
          <span role="columnheader">Job</span>
          <span role="columnheader">Kind</span>
          {withTenant && <span role="columnheader">Tenant</span>}
          <span role="columnheader">Payload</span>
          <span role="columnheader">Attempt</span>
          <span role="columnheader">Took</span>
          <span role="columnheader">Submitted</span>
        </div>
      </div>
      <div
        role="rowgroup"
        className="jobs-scroll"
        ref={scroller}
        tabIndex={0}
        aria-label="Rows"
        onKeyDown={moveByArrows}
      >
        <div role="presentation" style={{ height: rows.length * height, position: "relative" }}>
          {shown.map((row, i) => (
            <JobRow
              key={row.job.jobId}
              row={row}
              index={start + i}
              top={(start + i) * height}
              height={height}
              word={wordOf(row.job, now).word}
              selected={selected.has(row.job.jobId)}
              onSelect={onSelect}
              selectable={selectable}
              withTenant={withTenant}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

interface RowProps {
  readonly row: JobListRow;
  readonly index: number;
  readonly top: number;
  readonly height: number;
  /** The state in words. It can change with time alone (scheduled becomes pending), so the list passes it in. */
  readonly word: string;
  readonly selected: boolean;
  readonly onSelect: (jobId: string, on: boolean) => void;
  readonly selectable: boolean;
  readonly withTenant: boolean;
}

const JobRow = memo(function JobRow({ row, index, top, height, selected, onSelect, selectable, withTenant }: RowProps) {
  const { job, left } = row;
  const { jobId, state, startedAt, completedAt } = job;
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={`jobs-row ${selected ? "selected" : ""} ${left ? "left" : ""}`}
      style={{ transform: `translateY(${top}px)`, height }}
    >
      <span role="cell" className="cell-check">
        {selectable && (
          <input
            type="checkbox"
            aria-label={`Select ${jobId}`}
            checked={selected}
            onChange={(event) => onSelect(jobId, event.target.checked)}
          />
        )}
      </span>
      <span role="cell" className="cell-status">
        <Status job={job} now={Date.now()} />
        {state === "running" && job.progress && (
          <span className="dim number">{Math.round(job.progress.value * 100)} %</span>
        )}
      </span>
      <span role="cell" className="cell-id">
        <Link to={`/jobs/${jobId}`} className="mono">
          {jobId}
        </Link>
      </span>
      <span role="cell" className="cell-kind">
        {job.kind}
        {job.stage !== null && job.stage !== "running" && job.stage !== job.status && (
          <span className="dim"> / {job.stage}</span>
        )}
      </span>
      {withTenant && (
        <span role="cell" className="cell-tenant dim">
          {job.tenant}
        </span>
      )}
      <span role="cell" className="cell-payload dim">
        {job.lastError && state !== "completed" ? (
          <span className="bad-ink">{job.lastError}</span>
        ) : (
          preview(job.payload)
        )}
      </span>
      <span role="cell" className="cell-attempt dim number">
        {job.attempt} of {job.maxAttempts}
      </span>
      <span role="cell" className="cell-took dim number">
        {startedAt ? (
          <Lasting from={startedAt} to={state === "running" ? undefined : (completedAt ?? job.updatedAt)} />
        ) : (
          "–"
        )}
      </span>
      <span role="cell" className="cell-at dim number">
        <Ago at={job.createdAt} />
      </span>
    </div>
  );
});

/** Arrows go from job to job, Enter opens it, space selects it. */
function moveByArrows(event: KeyboardEvent<HTMLDivElement>): void {
  const row = (event.target as HTMLElement).closest<HTMLElement>(".jobs-row");
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    const scroller = event.currentTarget;
    const all = [...scroller.querySelectorAll<HTMLElement>(".jobs-row")];
    const next = row
      ? all[all.indexOf(row) + (event.key === "ArrowDown" ? 1 : -1)]
      : all.find((each) => isIn(each, scroller));
    const link = next?.querySelector<HTMLElement>("a");
    if (!link) return;
    event.preventDefault();
    link.focus();
    next?.scrollIntoView({ block: "nearest" });
  } else if (event.key === " " && row && event.target instanceof HTMLAnchorElement) {
    event.preventDefault();
    row.querySelector<HTMLInputElement>("input[type=checkbox]")?.click();
  } else if (event.key === "Enter" && row && event.target === row) {
    const link = row.querySelector("a");
    navigate(link ? pageOf(link) : "/jobs");
  }
}

function isIn(row: HTMLElement, scroller: HTMLElement): boolean {
  return row.getBoundingClientRect().top >= scroller.getBoundingClientRect().top - 1;
}

function useRowHeight(): number {
  const [narrow, setNarrow] = useState(() => window.matchMedia(NARROW).matches);
  useEffect(() => {
    const media = window.matchMedia(NARROW);
    const change = () => setNarrow(media.matches);
    media.addEventListener("change", change);
    return () => media.removeEventListener("change", change);
  }, []);
  return narrow ? ROW_NARROW : ROW;
}

const NARROW = "(max-width: 860px)";
