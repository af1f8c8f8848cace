import type { Kind } from "../job/kind/kind.ts";
import type { KindInfo, StageInfo } from "../job/kind/kind-info.ts";
import { payloadSchemaOf } from "../job/kind/payload-schema.ts";
import { poolSettings } from "../job/kind/settings.ts";
import type { Settings } from "../job/options/settings.ts";
import { CAUSE_PAGE, type CausePage, type CausePageOptions, pageOfCauses } from "../job/report/cause-page.ts";
import { type JobView, viewOf } from "../job/report/view.ts";
import { messageOf } from "../lib/app-error.ts";
import { checkOptions } from "../lib/options/check.ts";
import type { PoolView } from "../pool/pool-view.ts";
import type { Store } from "../store/store.ts";
import type { AccessVerbs } from "../store/verbs/access.ts";
import { type JobFilter, PAGE } from "../store/verbs/job-filter.ts";
import type { DeadLetterGroup } from "../store/verbs/jobs.ts";
import type { OutboxState } from "../store/verbs/outbox/outboxes.ts";
import type { KindCounts, TenantCounts } from "../store/verbs/processes.ts";
import type { FigurePoint } from "../telemetry/figures/history.ts";
import type { MetricsView } from "../telemetry/figures/metrics-view.ts";
import type { Log } from "../telemetry/log/log.ts";
import { checkFilter } from "./check-filter.ts";
import type { Figures } from "./figures/figures.ts";
import type { DeploymentMark, KeptFigures, PastRange } from "./figures/kept.ts";
import type { Operations } from "./operations/operations.ts";

/**
 * A pool of any process on the store, with the name of the process, when it was last heard of, and the number of due
 * jobs.
 */
export type InstancePoolView = PoolView & { instance: string; seenAt: string; queueSize: number };

/** A living process on the store. */
export interface InstanceView {
  /** The name of the process. */
  instance: string;
  /** When it started, as an ISO 8601 string. */
  startedAt: string;
  /** When it was last heard of, as an ISO 8601 string. */
  seenAt: string;
  /** The names of its pools. */
  pools: string[];
}

/** What operators read and do beyond single jobs. */
export class Admin {
  /** @internal Keys, sessions and the audit list, for the HTTP API and the CLI. */
  readonly access: AccessVerbs;
  /** @internal Acts on many jobs, for the HTTP API and the CLI. */
  readonly operations: Operations;
  readonly #store: Store;
  readonly #kinds: ReadonlyMap<string, Kind>;
  readonly #settings: Settings;
  readonly #ownPools: () => PoolView[];
  readonly #figures: Figures;
  readonly #kept: KeptFigures;
  readonly #log: Log;

  /** @internal */
  constructor(options: {
    store: Store;
    kinds: ReadonlyMap<string, Kind>;
    settings: Settings;
    ownPools: () => PoolView[];
    figures: Figures;
    kept: KeptFigures;
    log: Log;
    operations: Operations;
  }) {
    this.#store = options.store;
    this.access = options.store;
    this.operations = options.operations;
    this.#kinds = options.kinds;
    this.#settings = options.settings;
    this.#ownPools = options.ownPools;
    this.#figures = options.figures;
    this.#kept = options.kept;
    this.#log = options.log;
  }

  /**
   * Every pool of every living process. The figures of another process can be some seconds old; `seenAt` says how old.
   */
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

  /** Every living process on the store, including those without pools. */
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

  /** Like `metrics()`, for all processes on the store together. */
  figures(): Promise<MetricsView> {
    return this.#figures.metricsOfAll();
  }

  /** @internal Figures of the last eight days, which the store keeps by the minute. */
  pastFigures(range: PastRange): Promise<FigurePoint[]> {
    return this.#kept.points(range);
  }

  /** @internal Versions of the application that were first seen in this time. */
  newDeployments(from: number, until: number): Promise<DeploymentMark[]> {
    return this.#kept.deployments(from, until);
  }

  /** Every kind, with its stages, settings and counts. */
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

  /** One page of dead letters, newest first, and how many there are. */
  async deadLetters(
    filter: JobFilter,
    page: { limit: number; offset: number },
  ): Promise<{ jobs: JobView[]; total: number }> {
    await checkFilter(this.#store, filter);
    checkOptions(PAGE, page);
    const { jobs, total } = await this.#store.deadLetters(filter, page);
    return { jobs: jobs.map(viewOf), total };
  }

  /** Dead letters grouped by stage and reason, the largest group first. */
  async deadLetterGroups(filter: JobFilter): Promise<DeadLetterGroup[]> {
    await checkFilter(this.#store, filter);
    return this.#store.deadLetterGroups(filter);
  }

  /** Dead letters by cause: those whose messages differ only in ids, numbers, quoted values, paths and addresses. */
  async deadLetterCauses(filter: JobFilter, options: CausePageOptions = {}): Promise<CausePage> {
    await checkFilter(this.#store, filter);
    checkOptions(CAUSE_PAGE, options);
    return pageOfCauses(await this.#store.deadLetterCauses(filter), options);
  }

  /** The ids of at most `limit` jobs that match a filter, to act on them. */
  async matching(filter: JobFilter, limit: number): Promise<string[]> {
    await checkFilter(this.#store, filter);
    checkOptions(PAGE, { limit });
    return this.#store.listIds(filter, limit);
  }

  /** Every tenant with its running and pending jobs. */
  tenants(): Promise<TenantCounts[]> {
    return this.#store.tenants();
  }

  /** Every outbox that processes have relayed, and how far it is behind. */
  outboxes(): Promise<OutboxState[]> {
    return this.#store.outboxes();
  }

  /** Adds an entry to the audit list. If it cannot be stored, it is logged and nothing else happens. */
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
    const payloadSchema = payloadSchemaOf(this.#kinds.get(kindName));
    return payloadSchema === undefined ? {} : { payloadSchema };
  }
}

function queueSizes(kinds: KindCounts[]): Map<string, number> {
  const entries = kinds.flatMap(({ kind, stages }) =>
    stages.map(({ stage, counts }) => [`${kind}/${stage}`, counts.ready + counts.suspect] as const),
  );
  return new Map(entries);
}
