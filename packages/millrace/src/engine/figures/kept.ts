// Figures that outlive a restart: each process stores what it did in a minute, and the process that does upkeep how many jobs there
// are. They are records of a space that no application can name, and expire by themselves.

import { randomBytes } from "node:crypto";
import { messageOf } from "../../lib/app-error.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Store } from "../../store/store.ts";
import type { FigurePoint } from "../../telemetry/figures/history.ts";
import type { ProcessMetrics } from "../../telemetry/figures/metrics.ts";
import type { MetricsView } from "../../telemetry/figures/metrics-view.ts";
import {
  type CountsSoFar,
  countsSoFar,
  type MinuteFigures,
  type MinuteGauges,
  minuteBetween,
} from "../../telemetry/figures/minutes.ts";
import { StoredPoints } from "../../telemetry/figures/stored-points.ts";
import type { Log } from "../../telemetry/log/log.ts";

const MINUTE_MS = 60_000;
export const KEPT_DAYS = 8;
const KEPT_MS = KEPT_DAYS * 24 * 3_600_000;
/** Applications name spaces by lower-case letters, so this one is ours. */
const SPACE = "millrace:figures";
const DEPLOYMENTS = "millrace:deployments";
const TENANT = "default";
/** A version that runs for months is no new one when its process restarts. */
const MARK_KEPT_MS = 400 * 24 * 3_600_000;
const MOST_MARKS = 1_000;
/** A command that submits one job leaves no minute behind. */
const LEAST_LIFE_MS = 10_000;
/** So many minutes are read at once: they are small, and other reads come between. */
const PAGE = 500;

export interface KeptFiguresOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: ProcessMetrics;
  /** The figures of all processes. */
  readonly read: () => Promise<MetricsView>;
  /** The newest deployment that has a process, and since when. */
  readonly newestDeployment: () => Promise<DeploymentMark | undefined>;
}

/** When a version of the application was first seen. */
export interface DeploymentMark {
  readonly label: string;
  readonly at: number;
}

/** The past that was asked for. */
export interface PastRange {
  readonly from: number;
  readonly until: number;
  /** A point for each of these stretches, in milliseconds. */
  readonly everyMs: number;
}

export class KeptFigures {
  readonly #options: KeptFiguresOptions;
  readonly #own = randomBytes(4).toString("hex");
  readonly #startedAt: number;
  /** Counts up to the last stored minute. */
  #stored: CountsSoFar | undefined;
  #countedTo: number;
  #measuredTo: number;
  #markedLabel: string | undefined;

  constructor(options: KeptFiguresOptions) {
    this.#options = options;
    this.#startedAt = options.clock.monotonic();
    this.#countedTo = minuteOf(options.clock.now());
    this.#measuredTo = this.#countedTo;
  }

  /** Called at each tick of upkeep. Stores the minute that has passed, if one has. A store that is away gets it later. */
  async keep(leads: boolean): Promise<void> {
    const minute = minuteOf(this.#options.clock.now());
    try {
      if (minute > this.#countedTo) await this.#count(minute);
      if (leads && minute > this.#measuredTo) await this.#measure(minute);
    } catch (error) {
      this.#options.log.warn("figures not stored", { error: messageOf(error) });
      // Counts are kept for the next minute. Numbers of jobs are those of a moment that is gone.
      this.#measuredTo = Math.max(this.#measuredTo, minute);
      this.#countedTo = Math.max(this.#countedTo, minute);
    }
  }

  /** Stores the minute that has begun, before the process ends. */
  async stop(): Promise<void> {
    const { clock, log } = this.#options;
    if (clock.monotonic() - this.#startedAt < LEAST_LIFE_MS) return;
    try {
      await this.#count(minuteOf(clock.now()) + MINUTE_MS);
    } catch (error) {
      log.warn("figures not stored", { error: messageOf(error) });
    }
  }

  /** The stored past as points, oldest first. */
  async points({ from, until, everyMs }: PastRange): Promise<FigurePoint[]> {
    const points = new StoredPoints(everyMs);
    let after = keyOf(from, "");
    for (;;) {
      const records = await this.#options.store.listRecords({ space: SPACE, tenant: TENANT, after, limit: PAGE });
      for (const { key, value } of records) {
        const at = Date.parse(key.slice(0, MINUTE_LENGTH));
        if (at > until) return points.end();
        points.add(at, JSON.parse(value) as { counts?: MinuteFigures; gauges?: MinuteGauges });
      }
      const last = records.at(-1);
      if (!last || records.length < PAGE) return points.end();
      after = last.key;
    }
  }

  /** The versions of the application that were first seen in this time, oldest first. */
  async deployments(from: number, until: number): Promise<DeploymentMark[]> {
    const filter = { space: DEPLOYMENTS, tenant: TENANT, limit: MOST_MARKS };
    const marks = (await this.#options.store.listRecords(filter)).map(
      ({ key, value }): DeploymentMark => ({ label: key, at: JSON.parse(value) as number }),
    );
    return marks.filter(({ at }) => at >= from && at <= until).sort((a, b) => a.at - b.at);
  }

  async #count(minute: number): Promise<void> {
    const now = countsSoFar(this.#options.metrics);
    const counts = minuteBetween(this.#stored, now);
    if (counts) await this.#put(keyOf(minute, this.#own), { counts });
    this.#stored = now;
    this.#countedTo = minute;
  }

  async #measure(minute: number): Promise<void> {
    const { pending, running, dlq, perStage } = await this.#options.read();
    const stages = Object.entries(perStage).map(
      ([
        name,
        {
          queueSize,
          processors: { idle, busy, error },
        },
      ]) => [name, [queueSize, idle, busy, error]],
    );
    await this.#put(keyOf(minute, "all"), { gauges: { jobs: [pending, running, dlq], stages: fromEntries(stages) } });
    await this.#mark();
    this.#measuredTo = minute;
  }

  async #mark(): Promise<void> {
    const newest = await this.#options.newestDeployment();
    if (!newest || newest.label === this.#markedLabel) return;
    const name = { space: DEPLOYMENTS, tenant: TENANT, key: newest.label };
    const value = String(newest.at);
    await this.#options.store.putRecord({ ...name, value, ifVersion: 0, expiresInMs: MARK_KEPT_MS });
    this.#markedLabel = newest.label;
  }

  async #put(key: string, value: { counts?: MinuteFigures; gauges?: MinuteGauges }): Promise<void> {
    const name = { space: SPACE, tenant: TENANT, key };
    await this.#options.store.putRecord({ ...name, value: JSON.stringify(value), expiresInMs: KEPT_MS });
  }
}

function fromEntries(stages: (string | number[])[][]): MinuteGauges["stages"] {
  return Object.fromEntries(stages) as MinuteGauges["stages"];
}

function minuteOf(at: number): number {
  return Math.floor(at / MINUTE_MS) * MINUTE_MS;
}

const MINUTE_LENGTH = "2026-11-18T10:00:00.000Z".length;

/** Keys of minutes sort by time. */
function keyOf(minute: number, suffix: string): string {
  return `${new Date(minute).toISOString()} ${suffix}`;
}
