import type { systemRoutes } from "../api/system.ts";
import type { CallOptions } from "./jobs.ts";
import { ask, askText, type Connection } from "./request.ts";
import { type AnswerOf, type BodyOf, type QueryOf, system } from "./routes.ts";
import type { Deployment, Health, InstanceInfo, KindInfo, Metrics, PoolInfo, Schedule } from "./wire.ts";

export interface SystemCalls {
  /** As it is now: an unwell server is an answer, not an error, and nothing is tried again. */
  health(options?: CallOptions): Promise<Health>;
  /** Whether to send it requests now. */
  ready(options?: CallOptions): Promise<AnswerOf<typeof systemRoutes.ready>>;
  metrics(options?: CallOptions): Promise<Metrics>;
  /** The same figures as Prometheus reads them. */
  /** What the figures were, as far as the server remembers. */
  metricsHistory(
    query?: QueryOf<typeof systemRoutes.metricsHistory>,
    options?: CallOptions,
  ): Promise<AnswerOf<typeof systemRoutes.metricsHistory>>;
  prometheus(): Promise<string>;
  kinds(options?: CallOptions): Promise<KindInfo[]>;
  pools(options?: CallOptions): Promise<PoolInfo[]>;
  /** Every living process on the same store, with its last sign of life. */
  instances(options?: CallOptions): Promise<InstanceInfo[]>;
  /** Claims no more jobs of this kind until it is resumed. */
  pause(kind: string, options?: CallOptions): Promise<{ kind: string; paused: boolean }>;
  resume(kind: string, options?: CallOptions): Promise<{ kind: string; paused: boolean }>;
  /** What versions of the application registered, the newest first. */
  deployments(options?: CallOptions): Promise<Deployment[]>;
  /** Hands the pinned jobs of a deployment without processes to the newest one. */
  unpin(label: string, options?: CallOptions): Promise<{ label: string }>;
  readonly schedules: ScheduleCalls;
}

export interface ScheduleCalls {
  list(options?: CallOptions): Promise<Schedule[]>;
  /** `tenant`: for the administrator, where several tenants use the name. */
  get(name: string, options?: ScheduleOptions): Promise<Schedule>;
  /** Adds it, or puts it in the place of the one of that name. */
  put(name: string, rule: BodyOf<typeof systemRoutes.putSchedule>, options?: CallOptions): Promise<Schedule>;
  remove(name: string, options?: ScheduleOptions): Promise<void>;
}

export interface ScheduleOptions extends CallOptions {
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
      remove: (name, { tenant, ...options } = {}) =>
        ask(connection, system.removeSchedule, { params: { name }, query: of(tenant), ...options }),
    },
  };
}

function of(tenant: string | undefined): { tenant?: string } {
  return tenant === undefined ? {} : { tenant };
}
