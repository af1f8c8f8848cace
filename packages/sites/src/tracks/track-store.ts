// Tracks in the store: what was asked for, and beside it what the runs brought, which only the track's own job writes.

import type { Engine } from "millrace/workload";
import type { Track, TrackChange, TrackRequest, TrendPoint } from "../api/track-shapes.ts";

const SPACE = "site-tracks";
const HISTORY = "site-track-history";
/** The tenants that have tracks, for an administrator who looks at all of them. */
const TENANTS = "site-track-tenants";

export interface StoredTrack extends TrackRequest {
  readonly createdAt: string;
}

export interface TrackHistory {
  /** The track that it belongs to, by its moment: a deleted one of the same name has another. */
  readonly createdAt: string;
  /** The prompts that the first run generated. */
  readonly prompts?: readonly string[];
  readonly lastStartedAt?: string;
  readonly lastRun?: Track["lastRun"];
  /** The run that later ones are held against: the first, and from then on each that changed. */
  readonly reference?: string;
  readonly trend: readonly TrendPoint[];
  readonly changes: readonly TrackChange[];
}

/** A record holds 256 KiB. */
const MOST_POINTS = 800;
const MOST_CHANGES = 50;

export type TrackEngine = Pick<Engine, "records">;

export class TrackStore {
  readonly #engine: TrackEngine;
  readonly #tenant: string;

  constructor(engine: TrackEngine, tenant: string) {
    this.#engine = engine;
    this.#tenant = tenant;
  }

  async find(name: string): Promise<StoredTrack | undefined> {
    const found = await this.#engine.records(SPACE).get(name, { tenant: this.#tenant });
    return found?.value as StoredTrack | undefined;
  }

  async put(name: string, track: StoredTrack): Promise<void> {
    await this.#engine.records(TENANTS).put(this.#tenant, true);
    await this.#engine.records(SPACE).put(name, track, { tenant: this.#tenant });
  }

  async delete(name: string): Promise<boolean> {
    await this.#engine.records(HISTORY).delete(name, { tenant: this.#tenant });
    return this.#engine.records(SPACE).delete(name, { tenant: this.#tenant });
  }

  async all(): Promise<{ name: string; track: StoredTrack }[]> {
    const found: { name: string; track: StoredTrack }[] = [];
    for (let after: string | undefined; ; ) {
      const page = await this.#engine
        .records(SPACE)
        .list({ tenant: this.#tenant, ...(after !== undefined && { after }) });
      found.push(...page.records.map(({ key, value }) => ({ name: key, track: value as StoredTrack })));
      if (page.next === undefined) return found;
      after = page.next;
    }
  }

  async history(name: string, { createdAt }: Pick<StoredTrack, "createdAt">): Promise<TrackHistory> {
    const found = (await this.#engine.records(HISTORY).get(name, { tenant: this.#tenant }))?.value as
      | TrackHistory
      | undefined;
    return found?.createdAt === createdAt ? found : { createdAt, trend: [], changes: [] };
  }

  async keep(name: string, history: TrackHistory): Promise<void> {
    const kept = {
      ...history,
      trend: history.trend.slice(-MOST_POINTS),
      changes: history.changes.slice(0, MOST_CHANGES),
    };
    await this.#engine.records(HISTORY).put(name, kept, { tenant: this.#tenant });
  }
}

export async function tenantsWithTracks(engine: TrackEngine): Promise<string[]> {
  const tenants: string[] = [];
  for (let after: string | undefined; ; ) {
    const page = await engine.records(TENANTS).list(after === undefined ? {} : { after });
    tenants.push(...page.records.map(({ key }) => key));
    if (page.next === undefined) return tenants;
    after = page.next;
  }
}
