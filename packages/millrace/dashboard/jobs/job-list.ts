// The jobs of one filter, page by page, kept true while they move.
//
// A refresh replaces rows in their positions. Rows appear and vanish only when no pointer is over the list and its top is in
// view. Otherwise new rows are counted and wait, and rows that left the filter stay, dimmed.

import type { Client, Job } from "../../src/client/index.ts";
import type { MovedJob, Moves } from "../lib/live.ts";
import type { Filter } from "./filter.ts";

export interface JobListRow {
  readonly job: Job;
  /** It does not match the filter any more. */
  readonly left: boolean;
}

interface Chunk {
  readonly cursor: string | undefined;
  readonly rows: JobListRow[];
  readonly next: string | undefined;
}

export interface JobListState {
  readonly rows: readonly JobListRow[];
  readonly state: "loading" | "ready" | "failed";
  readonly error?: unknown;
  readonly more: boolean;
  /** New at the top, not shown yet. */
  readonly waiting: number;
  /** There are more new ones than these. */
  readonly waitingMore: boolean;
}

export interface ListViewport {
  readonly first: number;
  readonly last: number;
  /** Rows may come and go, because no pointer is over the list. */
  readonly mayMove: boolean;
}

/** The first is looked at again and again, those further down seldom. */
const FIRST = 200;
const NEXT = 500;
/** With the top in view, rows beyond it are dropped: they are loaded again when the reader scrolls down to them. */
const MOST_AT_TOP = 600;

export class LiveJobList {
  listed: JobListState = { rows: [], state: "loading", more: false, waiting: 0, waitingMore: false };
  readonly #client: Client;
  readonly #filter: Filter;
  #changed: () => void;
  readonly #over = new AbortController();
  #chunks: Chunk[] = [];
  #fresh: Job[] = [];
  /** So many jobs are new that one page of them does not reach those that are shown. */
  #isBehind = false;
  #busy = false;
  #wantsMore = false;
  #again: { moves: Moves; view: ListViewport } | undefined;

  constructor(client: Client, filter: Filter, changed: () => void) {
    this.#client = client;
    this.#filter = filter;
    this.#changed = changed;
  }

  /** Another page shows the list now: the reader came back to it. */
  showIn(changed: () => void): void {
    this.#changed = changed;
  }

  close(): void {
    this.#over.abort();
  }

  async load(): Promise<void> {
    await this.#exclusively(async () => {
      this.#chunks = [await this.#read(undefined)];
      this.#fresh = [];
      this.#isBehind = false;
    });
  }

  async more(): Promise<void> {
    const cursor = this.#chunks.at(-1)?.next;
    if (cursor === undefined) return;
    if (this.#busy) {
      this.#wantsMore = true;
      return;
    }
    await this.#exclusively(async () => {
      this.#chunks.push(await this.#read(cursor));
    });
  }

  /** Shows what waited. */
  async showNew(): Promise<void> {
    // Between the newest page and the rows that are shown are jobs that were not read: the list starts again.
    if (this.#isBehind) return this.load();
    this.#insert(this.#fresh);
    this.#fresh = [];
    this.#publish();
  }

  /** Something moved: looks at what is in view, and at the top for what is new. */
  async refresh(moves: Moves, view: ListViewport): Promise<void> {
    if (this.#busy) {
      this.#again = { moves, view };
      return;
    }
    await this.#exclusively(async () => {
      for (const index of this.#chunksIn(view)) await this.#refreshChunk(index, moves, view);
    });
    const again = this.#again;
    this.#again = undefined;
    if (again && !this.#over.signal.aborted) await this.refresh(again.moves, again.view);
  }

  async #exclusively(work: () => Promise<void>): Promise<void> {
    this.#busy = true;
    try {
      await work();
      this.#publish();
    } catch (error) {
      if (this.#over.signal.aborted) return;
      this.listed = { ...this.listed, state: this.listed.rows.length > 0 ? "ready" : "failed", error };
      this.#changed();
    } finally {
      this.#busy = false;
    }
    if (!this.#wantsMore) return;
    this.#wantsMore = false;
    await this.more();
  }

  async #read(cursor: string | undefined): Promise<Chunk> {
    const query = {
      ...this.#filter,
      limit: cursor === undefined ? FIRST : NEXT,
      brief: true,
      ...(cursor !== undefined && { cursor }),
    };
    const { jobs, nextCursor } = await this.#client.list(query, { signal: this.#over.signal });
    return { cursor, rows: jobs.map((job) => ({ job, left: false })), next: nextCursor };
  }

  /** The chunks in view; the first one always, for what is new. */
  #chunksIn({ first, last }: ListViewport): number[] {
    const indexes = [0];
    let start = 0;
    for (const [index, { rows }] of this.#chunks.entries()) {
      const end = start + rows.length;
      if (index > 0 && start <= last && end > first) indexes.push(index);
      start = end;
    }
    return this.#chunks.length === 0 ? [] : indexes;
  }

  async #refreshChunk(index: number, moves: Moves, view: ListViewport): Promise<void> {
    const chunk = this.#chunks[index];
    if (!chunk) return;
    // What is further down changes only where one of its own moved.
    if (index > 0 && moves && !chunk.rows.some(({ job }) => moves.has(job.jobId))) return;
    const read = await this.#read(chunk.cursor);
    const answered = new Map(read.rows.map(({ job }) => [job.jobId, job]));
    if (index === 0 && view.mayMove && this.#startsAgain(read, chunk, view)) {
      this.#chunks = [read];
      this.#fresh = [];
      this.#isBehind = false;
      return;
    }
    if (index === 0) this.#isBehind = isApart(read, chunk);
    if (index === 0) this.#addNew([...answered.values()], view);
    const kept = (this.#chunks[index] as Chunk).rows.flatMap((row) => {
      const job = answered.get(row.job.jobId);
      if (job) return [sameJob(row.job, job) && !row.left ? row : { job, left: false }];
      const moved = moves?.get(row.job.jobId);
      const isGone = moved !== undefined || moves === undefined || row.left;
      // Past the end of what was answered it says nothing about a row.
      const last = read.rows.at(-1)?.job;
      const isPast = read.next !== undefined && last !== undefined && row.job.createdAt <= last.createdAt;
      if (!isGone || isPast) return [row];
      return view.mayMove ? [] : [{ job: moved ? movedTo(row.job, moved) : row.job, left: true }];
    });
    // Rows below the page that was read are kept, so what follows them is what followed them before.
    this.#chunks[index] = { ...chunk, rows: kept };
  }

  /** The page does not reach what is shown, so rows would be missing between them; or more is kept than the reader needs. */
  #startsAgain(read: Chunk, first: Chunk, { last }: ListViewport): boolean {
    const kept = this.#chunks.reduce((sum, { rows }) => sum + rows.length, 0);
    return isApart(read, first) || (kept > MOST_AT_TOP && last < FIRST);
  }

  #addNew(jobs: readonly Job[], view: ListViewport): void {
    const known = new Set([...this.#chunks.flatMap(({ rows }) => rows.map(({ job }) => job.jobId))]);
    const oldest = this.#chunks[0]?.rows.at(-1)?.job.createdAt ?? "";
    // Older than all that is shown it may be only where that is the whole list: it has come into the filter.
    const isWhole = this.#chunks.length === 1 && this.#chunks[0]?.next === undefined;
    const fresh = jobs.filter((job) => !known.has(job.jobId) && (isWhole || job.createdAt >= oldest));
    if (view.mayMove) this.#insert(fresh);
    this.#fresh = view.mayMove ? [] : fresh;
  }

  #insert(fresh: readonly Job[]): void {
    const [first] = this.#chunks;
    if (!first || fresh.length === 0) return;
    const rows = [...fresh.map((job) => ({ job, left: false })), ...first.rows];
    // One that came into the filter is older than those that were in it.
    rows.sort((a, b) => (a.job.createdAt < b.job.createdAt ? 1 : a.job.createdAt > b.job.createdAt ? -1 : 0));
    this.#chunks[0] = { ...first, rows };
  }

  #publish(): void {
    if (this.#over.signal.aborted) return;
    this.listed = {
      rows: this.#chunks.flatMap(({ rows }) => rows),
      state: "ready",
      more: this.#chunks.at(-1)?.next !== undefined,
      waiting: this.#fresh.length,
      waitingMore: this.#isBehind,
    };
    this.#changed();
  }
}

/** No row of the page is known, and more follow it: between the two are jobs that were not read. */
function isApart(read: Chunk, first: Chunk): boolean {
  if (read.next === undefined) return false;
  const known = new Set(first.rows.map(({ job }) => job.jobId));
  return !read.rows.some(({ job }) => known.has(job.jobId));
}

function sameJob(a: Job, b: Job): boolean {
  return a.updatedAt === b.updatedAt && a.state === b.state && a.progress?.value === b.progress?.value;
}

function movedTo(job: Job, { state, stage }: MovedJob): Job {
  return { ...job, state, stage, status: state === "running" ? stage : state, inProgress: state === "running" };
}
