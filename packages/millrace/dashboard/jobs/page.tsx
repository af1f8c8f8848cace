import { useCallback, useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from "react";
import { useAct, useClient, useMay, useSurroundings } from "../lib/data.ts";
import { count, plural } from "../lib/format.ts";
import { useLiveState, useMoves } from "../lib/live.ts";
import { hasComeBack, useQueryState } from "../lib/router.ts";
import { saveFile } from "../lib/save-file.ts";
import { Button } from "../ui/button.tsx";
import { Link } from "../ui/link.tsx";
import { Empty, Loading, Page, Trouble } from "../ui/page.tsx";
import { SavedViews } from "../views/saved.tsx";
import { filterFrom, isFiltered } from "./filter.ts";
import { Filters } from "./filters.tsx";
import { LiveJobList } from "./job-list.ts";
import { keepList, keptList } from "./kept-list.ts";
import { type ManyAct, ManyDialog } from "./many.tsx";
import { JobTable, type RowRange } from "./table.tsx";
import "./jobs.css";

const POLL_WHILE_CUT_MS = 2_000;

export function JobsPage() {
  const [params, change] = useQueryState();
  const may = useMay();
  const { session } = useSurroundings();
  const [act, setAct] = useState<ManyAct>();
  const key = params.toString();
  const [chosen, setSelected] = useState<ReadonlySet<string>>(
    () => (hasComeBack() ? keptList(key)?.selected : undefined) ?? new Set(),
  );
  const shownKey = useRef(key);
  useEffect(() => {
    // A new filter, a new list, and nothing selected in it.
    if (shownKey.current !== key) setSelected(new Set());
    shownKey.current = key;
  }, [key]);
  const { list, scroller, onWindow, pointer } = useJobList(key, chosen);
  const before = useRef(list.listed);
  // While a new filter is looked up, the rows of the last one stay, dimmed.
  const isLooking = list.listed.state === "loading" && before.current.rows.length > 0;
  const listed = isLooking ? { ...before.current, waiting: 0, more: false } : list.listed;
  if (!isLooking) before.current = list.listed;
  // A job that is no longer in the list is not visible, so it is not selected either.
  const selected = useMemo(
    () => new Set(listed.rows.map(({ job }) => job.jobId).filter((jobId) => chosen.has(jobId))),
    [listed.rows, chosen],
  );
  const onSelect = useCallback((jobId: string, on: boolean) => {
    setSelected((before) => {
      const next = new Set(before);
      if (on) next.add(jobId);
      else next.delete(jobId);
      return next;
    });
  }, []);
  const showNew = () => {
    void list.showNew();
    if (scroller.current) scroller.current.scrollTop = 0;
  };
  const acts = (what: ManyAct["what"]) =>
    selected.size > 0 ? setAct({ what, ids: [...selected] }) : setAct({ what, filter: filterFrom(params, Date.now()) });
  const exported = useAct<"csv" | "ndjson", Uint8Array<ArrayBuffer>>({
    run: (client, format) => client.exportList({ ...filterFrom(params, Date.now()), format }),
    after: (bytes, format) => saveFile(`jobs.${format}`, new Blob([bytes])),
  });
  const everySelected = listed.rows.length > 0 && selected.size >= listed.rows.length;
  return (
    <Page
      title="Jobs"
      actions={
        <>
          <SavedViews />
          <Button busy={exported.isPending} onClick={() => exported.mutate("csv")}>
            Export CSV
          </Button>
          <Button busy={exported.isPending} onClick={() => exported.mutate("ndjson")}>
            Export JSON
          </Button>
          {may("submit") && (
            <Link to="/submit" className="button primary">
              Submit a job
            </Link>
          )}
        </>
      }
    >
      <Filters params={params} change={change} />
      <section
        className={isLooking ? "panel jobs-panel looking" : "panel jobs-panel"}
        aria-label="Jobs"
        aria-busy={isLooking}
        {...pointer}
      >
        <div className="jobs-bar">
          {may("submit") && (
            <label className="check">
              <input
                type="checkbox"
                checked={everySelected}
                disabled={listed.rows.length === 0}
                onChange={() =>
                  setSelected(everySelected ? new Set() : new Set(listed.rows.map(({ job }) => job.jobId)))
                }
              />
              <span className="dim">
                {selected.size > 0 ? `${count(selected.size)} selected` : shownWords(listed.rows.length, listed.more)}
              </span>
            </label>
          )}
          {!may("submit") && <span className="dim">{shownWords(listed.rows.length, listed.more)}</span>}
          <div role="status">
            {listed.waiting > 0 && (
              <Button className="small" look="primary" onClick={showNew}>
                Show{" "}
                {listed.waitingMore ? `${count(listed.waiting)} and more new jobs` : plural(listed.waiting, "new job")}
              </Button>
            )}
          </div>
          {may("submit") && listed.rows.length > 0 && (
            <div className="actions">
              <Button className="small" onClick={() => acts("retry")}>
                Retry {selected.size > 0 ? "selected" : "all matching"}…
              </Button>
              <Button className="small" look="danger" onClick={() => acts("cancel")}>
                Cancel {selected.size > 0 ? "selected" : "all matching"}…
              </Button>
            </div>
          )}
        </div>
        {listed.state === "failed" && <Trouble error={listed.error} retry={() => void list.load()} />}
        {listed.state === "loading" && <Loading />}
        {listed.state === "ready" && listed.rows.length === 0 && <NoJobs filtered={isFiltered(params)} />}
        {listed.rows.length > 0 && (
          <JobTable
            rows={listed.rows}
            selected={selected}
            onSelect={onSelect}
            selectable={may("submit")}
            withTenant={session.allTenants}
            more={listed.more}
            onWindow={onWindow}
            onEnd={() => void list.more()}
            scroller={scroller}
          />
        )}
      </section>
      {act && (
        <ManyDialog
          act={act}
          onClose={(done) => {
            setAct(undefined);
            if (done) setSelected(new Set());
          }}
        />
      )}
    </Page>
  );
}

function shownWords(rows: number, more: boolean): string {
  return more ? `${count(rows)} newest jobs, more below` : plural(rows, "job");
}

/** The list of this address, looked at again whenever something moves. Who comes back to it finds it as it was. */
function useJobList(key: string, selected: ReadonlySet<string>) {
  const client = useClient();
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  const scroller = useRef<HTMLDivElement>(null);
  const back = useMemo(() => (hasComeBack() ? keptList(key) : undefined), [key]);
  const list = useMemo(() => {
    if (back) return back.list;
    return new LiveJobList(client, filterFrom(new URLSearchParams(key), Date.now()), redraw);
  }, [client, key, back]);
  const latest = useRef(selected);
  latest.current = selected;
  useEffect(() => {
    list.showIn(redraw);
    if (back) void list.refresh(undefined, { first: 0, last: 40, mayMove: false });
    else void list.load();
    const element = scroller;
    let scrollTop = 0;
    const note = () => {
      scrollTop = element.current?.scrollTop ?? scrollTop;
    };
    document.addEventListener("scroll", note, { capture: true, passive: true });
    return () => {
      document.removeEventListener("scroll", note, { capture: true });
      keepList({ key, list, scrollTop, selected: latest.current });
    };
  }, [list, key, back]);
  useLayoutEffect(() => {
    if (back && scroller.current) scroller.current.scrollTop = back.scrollTop;
  }, [back]);
  const view = useRef({ first: 0, last: 40 });
  const pointed = useRef(false);
  const mayMove = () => !pointed.current && (scroller.current?.scrollTop ?? 0) < 8;
  useMoves((moves) => {
    if (moves?.size !== 0) void list.refresh(moves, { ...view.current, mayMove: mayMove() });
  });
  const state = useLiveState();
  useEffect(() => {
    if (state !== "cut") return;
    const timer = setInterval(() => {
      if (!document.hidden) void list.refresh(undefined, { ...view.current, mayMove: false });
    }, POLL_WHILE_CUT_MS);
    return () => clearInterval(timer);
  }, [state, list]);
  const onWindow = useCallback((window: RowRange) => {
    view.current = window;
  }, []);
  const pointer = {
    onPointerEnter: () => {
      pointed.current = true;
    },
    onPointerLeave: () => {
      pointed.current = false;
    },
  };
  return { list, scroller, onWindow, pointer };
}

function NoJobs({ filtered }: { filtered: boolean }) {
  const may = useMay();
  if (filtered)
    return (
      <Empty title="No job matches this filter." icon="filter">
        By default finished jobs are deleted after 7 days and failed ones after 30 (JOB_RETENTION_MS, DLQ_RETENTION_MS).
      </Empty>
    );
  return (
    <Empty title="No job yet." icon="jobs">
      <p>A job is one durable unit of work. It is stored on disk before its submission is confirmed.</p>
      {may("submit") && (
        <Link to="/submit" className="button">
          Submit the first
        </Link>
      )}
    </Empty>
  );
}
