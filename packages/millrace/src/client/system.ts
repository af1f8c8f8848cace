import type { systemRoutes } from "../api/system.ts";
import type { CallOptions } from "./jobs.ts";
import { ask, askText, type Connection } from "./request.ts";
import { type AnswerOf, type BodyOf, type QueryOf, system, workloads } from "./routes.ts";
import type { Deployment, Health, InstanceInfo, KindInfo, Metrics, PoolInfo, Schedule, WorkloadInfo } from "./wire.ts";

/** Calls about the server, its kinds, pools and schedules. */
export interface SystemCalls {
  /** The health of the server as it is now. An unhealthy server is an answer, not an error, and nothing is retried. */
  health(options?: CallOptions): Promise<Health>;
  /** Whether to send requests to the server now. */
  ready(options?: CallOptions): Promise<AnswerOf<typeof systemRoutes.ready>>;
  /** The figures of all processes on the store. */
  metrics(options?: CallOptions): Promise<Metrics>;
  /** The same figures as Prometheus reads them. */
  /** Earlier figures, as far back as the server remembers. */
  metricsHistory(
    query?: QueryOf<typeof systemRoutes.metricsHistory>,
    options?: CallOptions,
  ): Promise<AnswerOf<typeof systemRoutes.metricsHistory>>;
  /** The figures in the Prometheus text format. */
  prometheus(): Promise<string>;
  /** Every kind with its stages, settings and counts. */
  kinds(options?: CallOptions): Promise<KindInfo[]>;
  /** The workloads of this server, with their scopes and the dashboard pages that the caller may open. */
  workloads(options?: CallOptions): Promise<WorkloadInfo[]>;
  /** Every pool of every living process. */
  pools(options?: CallOptions): Promise<PoolInfo[]>;
  /** Every living process on the store, with the time it was last heard of. */
  instances(options?: CallOptions): Promise<InstanceInfo[]>;
  /** Stops claiming jobs of a kind, in all processes. Running attempts finish. */
  pause(kind: string, options?: CallOptions): Promise<{ kind: string; paused: boolean }>;
  /** Claims jobs of a paused kind again. */
  resume(kind: string, options?: CallOptions): Promise<{ kind: string; paused: boolean }>;
  /** Every deployment of the application, newest first. */
  deployments(options?: CallOptions): Promise<Deployment[]>;
  /** Hands the pinned jobs of a deployment without processes to the newest deployment. */
  unpin(label: string, options?: CallOptions): Promise<{ label: string }>;
  /** Schedules: list, read, write and delete them. */
  readonly schedules: ScheduleCalls;
}

/** Calls about schedules. */
export interface ScheduleCalls {
  /** All schedules that the caller may see. */
  list(options?: CallOptions): Promise<Schedule[]>;
  /** One schedule. An administrator passes `tenant` if several tenants use the name. */
  get(name: string, options?: ScheduleOptions): Promise<Schedule>;
  /** Adds a schedule, or replaces the one of that name. */
  put(name: string, rule: BodyOf<typeof systemRoutes.putSchedule>, options?: CallOptions): Promise<Schedule>;
  /** The next times at which a rule would fire, as ISO 8601 strings. Nothing is stored. */
  preview(
    rule: {
      /** The cron expression. */
      readonly cron: string;
      /** The IANA time zone. Default: UTC. */
      readonly timeZone?: string;
      /** How many times, 1 to 20. Default: 10. */
      readonly count?: number;
    },
    options?: CallOptions,
  ): Promise<string[]>;
  /** Submits the job of a schedule now, beside its runs. Gives the id of the job. */
  runNow(name: string, options?: ScheduleOptions): Promise<string>;
  /** Deletes a schedule. */
  remove(name: string, options?: ScheduleOptions): Promise<void>;
}

/** Options of calls about one schedule. */
export interface ScheduleOptions extends CallOptions {
  /** The tenant of the schedule, for administrators. Default: the caller's own. */
  readonly tenant?: string;
}

export function systemCalls(connection: Connection): SystemCalls {
  return {
    health: (options) => ask(connection, system.health, { ...options, accepted: [503], retries: 0 }),
    ready: (options) => ask(connection, system.ready, { ...options, accepted: [503], retries: 0 }),
    metrics: (options) => ask(connection, system.metrics, { ...options }),
    metricsHistory: (query = {}, options) => ask(connection, system.metricsHistory, { query, ...options }),
    prometheus: () => askText(connection, system.metrics, "text/plain;version=0.0.4"),
    kinds: async (options) => (await ask(connection, system.kinds, { ...options })).kinds,
    workloads: async (options) => (await ask(connection, workloads.list, { ...options })).workloads,
    pools: async (options) => (await ask(connection, system.pools, { ...options })).pools,
    instances: async (options) => (await ask(connection, system.pools, { ...options })).instances,
    pause: (kind, options) => ask(connection, system.pause, { params: { kind }, ...options, repeatable: true }),
    resume: (kind, options) => ask(connection, system.resume, { params: { kind }, ...options, repeatable: true }),
    deployments: async (options) => (await ask(connection, system.deployments, { ...options })).deployments,
    unpin: (label, options) => ask(connection, system.unpin, { params: { label }, ...options, repeatable: true }),
    schedules: {
      list: async (options) => (await ask(connection, system.schedules, { ...options })).schedules,
      get: (name, { tenant, ...options } = {}) =>
        ask(connection, system.schedule, { params: { name }, query: of(tenant), ...options }),
      put: (name, body, options) => ask(connection, system.putSchedule, { params: { name }, body, ...options }),
      preview: async (query, options) => (await ask(connection, system.previewSchedule, { query, ...options })).fires,
      runNow: async (name, { tenant, ...options } = {}) =>
        (await ask(connection, system.runSchedule, { params: { name }, query: of(tenant), ...options })).jobId,
      remove: (name, { tenant, ...options } = {}) =>
        ask(connection, system.removeSchedule, { params: { name }, query: of(tenant), ...options }),
    },
  };
}

function of(tenant: string | undefined): { tenant?: string } {
  return tenant === undefined ? {} : { tenant };
}
