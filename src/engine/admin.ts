import { z } from "zod";
import type { Kind } from "../job/kind.ts";
import type { KindInfo, StageInfo } from "../job/kind-info.ts";
import { poolSettings, type Settings } from "../job/settings.ts";
import { type JobView, viewOf } from "../job/view.ts";
import { messageOf } from "../lib/app-error.ts";
import type { PoolView } from "../pool/pools.ts";
import type { Access, DeadLetterGroup, JobFilter, KindCounts, Store, TenantCounts } from "../store/store.ts";
import type { Log } from "../telemetry/log.ts";
import type { MetricsView } from "../telemetry/metrics-view.ts";
import { checkFilter, checkPage } from "./check-filter.ts";
import type { Figures } from "./figures.ts";

export type InstancePoolView = PoolView & { instance: string; seenAt: string; queueSize: number };

export interface InstanceView {
  instance: string;
  startedAt: string;
  seenAt: string;
  pools: string[];
}

/** What operators look at and do beyond single jobs. */
export class Admin {
  readonly access: Access;
  readonly #store: Store;
  readonly #kinds: ReadonlyMap<string, Kind>;
  readonly #settings: Settings;
  readonly #ownPools: () => PoolView[];
  readonly #figures: Figures;
  readonly #log: Log;

  constructor(options: {
    store: Store;
    kinds: ReadonlyMap<string, Kind>;
    settings: Settings;
    ownPools: () => PoolView[];
    figures: Figures;
    log: Log;
  }) {
    this.#store = options.store;
    this.access = options.store;
    this.#kinds = options.kinds;
    this.#settings = options.settings;
    this.#ownPools = options.ownPools;
    this.#figures = options.figures;
    this.#log = options.log;
  }

  /** Every pool of every living process. What another one said last may be some seconds old: `seenAt` tells. */
  async pools(): Promise<InstancePoolView[]> {
    const queues = queueSizes(await this.#store.kinds());
    const instances = await this.#store.instances();
    return instances.flatMap(({ name, beatAt, pools, own }) => {
      const views = own ? this.#ownPools() : (JSON.parse(pools ?? "[]") as PoolView[]);
      const seenAt = new Date(own ? Date.now() : beatAt).toISOString();
      return views.map(({ told: _figures, ...view }) => ({
        ...view,
        instance: name,
        seenAt,
        queueSize: queues.get(view.pool) ?? 0,
      }));
    });
  }

  /** Every living process, also those that have no pools. */
  async instances(): Promise<InstanceView[]> {
    return (await this.#store.instances()).map(({ name, startedAt, beatAt, pools, own }) => {
      const views = own ? this.#ownPools() : (JSON.parse(pools ?? "[]") as PoolView[]);
      return {
        instance: name,
        startedAt: new Date(startedAt).toISOString(),
        seenAt: new Date(beatAt).toISOString(),
        pools: views.map(({ pool }) => pool),
      };
    });
  }

  /** As `metrics()`, of all processes on the store together. */
  figures(): Promise<MetricsView> {
    return this.#figures.metricsOfAll();
  }

  async kinds(): Promise<KindInfo[]> {
    const served = new Set((await this.pools()).map((pool) => pool.pool));
    return (await this.#store.kinds()).map(({ kind, paused, stages }) => ({
      kind,
      paused,
      served: stages.every(({ stage }) => served.has(`${kind}/${stage}`)),
      ...this.#payloadSchema(kind),
      ...this.#examples(kind),
      stages: stages.map(({ stage, counts }) => ({ stage, counts, ...this.#stageInfo(kind, stage) })),
    }));
  }

  async deadLetters(
    filter: JobFilter,
    page: { limit: number; offset: number },
  ): Promise<{ jobs: JobView[]; total: number }> {
    await checkFilter(this.#store, filter);
    checkPage(page);
    const { jobs, total } = await this.#store.deadLetters(filter, page);
    return { jobs: jobs.map(viewOf), total };
  }

  async deadLetterGroups(filter: JobFilter): Promise<DeadLetterGroup[]> {
    await checkFilter(this.#store, filter);
    return this.#store.deadLetterGroups(filter);
  }

  /** Ids for an act on many. */
  async matching(filter: JobFilter, limit: number): Promise<string[]> {
    await checkFilter(this.#store, filter);
    checkPage({ limit });
    return this.#store.matching(filter, limit);
  }

  tenants(): Promise<TenantCounts[]> {
    return this.#store.tenants();
  }

  /** Who did what. An act that was carried out is not undone because it could not be written down: that is logged. */
  async audit(
    who: string,
    what: string,
    about: { target?: string; tenant?: string; traceId?: string } = {},
  ): Promise<void> {
    const { tenant, ...rest } = about;
    const line = { who, what, ...rest, ...(tenant !== undefined && { tenantId: tenant }) };
    this.#log.info("audit", line);
    try {
      await this.#store.addAudit({ who, what, ...about });
    } catch (error) {
      this.#log.error("audit entry lost", { ...line, error: messageOf(error) });
    }
  }

  #stageInfo(kindName: string, stageName: string): Omit<StageInfo, "stage" | "counts"> {
    const kind = this.#kinds.get(kindName);
    const stage = kind?.stages.find((each) => each.name === stageName);
    if (!kind || !stage) return {};
    const { size, timeoutMs, pace } = poolSettings(kind, stage, this.#settings);
    return {
      processors: size,
      timeoutMs,
      maxAttempts: stage.maxAttempts ?? this.#settings.maxAttempts,
      isolation: stage.work.in === "process" ? "process" : "inline",
      ...(pace && { pace }),
      ...(this.#settings.queueMax > 0 && { queueMax: this.#settings.queueMax }),
    };
  }

  #examples(kindName: string): { examples?: unknown[] } {
    const examples = this.#kinds.get(kindName)?.examples ?? [];
    return examples.length > 0 ? { examples: [...examples] } : {};
  }

  #payloadSchema(kindName: string): { payloadSchema?: unknown } {
    const schema = this.#kinds.get(kindName)?.schema;
    if (!(schema instanceof z.ZodType)) return {};
    try {
      return { payloadSchema: z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) };
    } catch {
      return {};
    }
  }
}

function queueSizes(kinds: KindCounts[]): Map<string, number> {
  const entries = kinds.flatMap(({ kind, stages }) =>
    stages.map(({ stage, counts }) => [`${kind}/${stage}`, counts.ready + counts.suspect] as const),
  );
  return new Map(entries);
}
