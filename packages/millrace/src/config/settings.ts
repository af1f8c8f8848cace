import {
  addressRanges,
  headerSafe,
  hostName,
  httpUrl,
  integer,
  label,
  oneOf,
  origins,
  path,
  postgresUrl,
  seconds,
  timerMs,
  yesNo,
} from "./parsers.ts";
import { MASK, type SettingValues, type Surroundings, secret, setting } from "./setting.ts";

const DAY_MS = 86_400_000;

// Every setting of the engine once; workloads bring their own tables. The parser, `.env.example` and `millrace config` all read this table, in this order.
export const SETTINGS = {
  port: setting("PORT", integer({ min: 0, max: 65_535 }), 3000, "Port to listen on; 0 takes any free one."),
  host: setting("HOST", hostName, "127.0.0.1", "Address to listen on. Beyond loopback an API_KEY is required."),
  apiKey: secret("API_KEY", headerSafe, "The administrator's key, over all tenants."),
  allowAnonymous: setting(
    "ALLOW_ANONYMOUS",
    yesNo,
    false,
    "Listen beyond loopback without any key. Whoever reaches the server is its administrator.",
  ),
  corsOrigins: setting<readonly string[]>(
    "CORS_ORIGINS",
    origins,
    Object.freeze([]),
    "Origins whose pages may call the API, separated by commas; * for any, without credentials.",
  ),
  trustedProxies: setting<readonly string[]>(
    "TRUSTED_PROXIES",
    addressRanges,
    Object.freeze([]),
    "Proxies in front of the server: addresses or ranges such as 10.0.0.0/8, separated by commas. " +
      "Their X-Forwarded-For says who the client is.",
  ),
  maxConnectionsPerPeer: setting(
    "MAX_CONNECTIONS_PER_PEER",
    integer({ min: 0 }),
    1_000,
    "Connections that one address may hold, except trusted proxies; 0 = no bound. " +
      "Never more than half of what the process may open.",
  ),
  httpIdleMs: setting(
    "HTTP_IDLE_MS",
    integer({ min: 20_000, max: 240_000 }),
    30_000,
    "Close a connection after this time without a request, or when its client reads none of an answer for as long.",
  ),

  databaseUrl: {
    ...secret("DATABASE_URL", postgresUrl, "PostgreSQL instead of SQLite: postgres://user:password@host/name."),
    show: (url: string | undefined) => (url === undefined ? "" : maskAddress(url)),
  },
  deployment: {
    ...secret(
      "DEPLOYMENT",
      label,
      "The label of this version of the application, such as 2026-11-16.3. Default: a short hash of the plans of its kinds.",
    ),
    secret: false,
    show: (value: string | undefined) => value ?? "",
  },
  jobDbPath: setting("JOB_DB_PATH", path, "./data/jobs.db", "The SQLite file. Its folder is made if missing."),
  durability: setting(
    "DURABILITY",
    oneOf("full", "normal"),
    "full",
    "full: an answered submission survives a power cut. normal: it survives a crash of the process, and writes cost less.",
  ),
  queryTimeoutMs: setting(
    "QUERY_TIMEOUT_MS",
    timerMs({ min: 0 }),
    10_000,
    "How long a list or a search may take, its wait for a turn included; 0 = no limit.",
  ),
  pollMs: {
    ...setting(
      "JOB_POLL_INTERVAL_MS",
      timerMs({ min: 1 }),
      100,
      "How often to look for work that no signal announced.",
    ),
    alias: "POLL_MS",
    fallback: ({ postgres }: Surroundings) => (postgres ? 1000 : 100),
    fallbackText: "100; 1000 on PostgreSQL",
  },

  workerConcurrency: setting("WORKER_CONCURRENCY", integer({ min: 1, max: 10_000 }), 10, "Processors per pool."),
  leaseMs: {
    ...setting(
      "LEASE_TIMEOUT_SEC",
      seconds({ min: 1, max: 86_400 }),
      15_000,
      "How long a silent process keeps its jobs, in seconds.",
    ),
    fallbackText: "15",
    show: (ms: number) => String(ms / 1000),
  },
  maxAttempts: setting(
    "MAX_RETRIES",
    integer({ min: 1, max: 1000 }),
    3,
    "Attempts a stage gets before its job is a dead letter.",
  ),
  maxCrashes: setting(
    "MAX_CRASHES",
    integer({ min: 1, max: 1000 }),
    3,
    "Crashes before a job can be a dead letter; at twice as many it is one without proof.",
  ),
  retryBaseMs: setting(
    "RETRY_BASE_MS",
    timerMs({ min: 0 }),
    1000,
    "Longest pause before the first retry; doubled for each further one.",
  ),
  retryMaxMs: setting("RETRY_MAX_MS", timerMs({ min: 0 }), 300_000, "Longest pause before any retry."),
  stuckAfterMs: setting(
    "STUCK_AFTER_MS",
    timerMs({ min: 1 }),
    300_000,
    "How long an attempt may take where its stage sets no timeout.",
  ),
  healthIntervalMs: setting("HEALTH_INTERVAL_MS", timerMs({ min: 1 }), 30_000, "Pause between two health checks."),
  shutdownGraceMs: setting(
    "SHUTDOWN_GRACE_MS",
    timerMs({ min: 0 }),
    10_000,
    "Time that running work gets to finish after SIGTERM.",
  ),

  queueMax: setting(
    "QUEUE_MAX",
    integer({ min: 0 }),
    1000,
    "Due pending jobs per stage before submissions get 429; 0 = no bound.",
  ),
  maxNewJobsPerMinute: setting(
    "MAX_NEW_JOBS_PER_MINUTE",
    integer({ min: 0 }),
    0,
    "Submissions per tenant in any minute; 0 = off.",
  ),
  maxConcurrentPerTenant: setting(
    "MAX_CONCURRENT_PER_TENANT",
    integer({ min: 0 }),
    0,
    "Jobs of one tenant that run at the same time; 0 = off.",
  ),
  tenantOverflow: setting(
    "TENANT_OVERFLOW",
    oneOf("reject", "queue"),
    "reject",
    "A submission of a tenant at that cap: reject answers 429, queue lets it wait.",
  ),
  maxSchedulesPerTenant: setting(
    "MAX_SCHEDULES_PER_TENANT",
    integer({ min: 0 }),
    1_000,
    "Schedules that one tenant may have; 0 = no bound.",
  ),

  jobRetentionMs: {
    ...setting(
      "JOB_RETENTION_MS",
      integer({ min: 0 }),
      7 * DAY_MS,
      "How long a finished job is kept, in milliseconds. Kinds may set their own.",
    ),
    fallbackText: `${7 * DAY_MS}, 7 days`,
  },
  dlqRetentionMs: {
    ...setting(
      "DLQ_RETENTION_MS",
      integer({ min: 0 }),
      30 * DAY_MS,
      "How long a dead letter is kept, in milliseconds.",
    ),
    fallbackText: `${30 * DAY_MS}, 30 days`,
  },
  jobKeepMax: setting(
    "JOB_KEEP_MAX",
    integer({ min: 0 }),
    1_000_000,
    "Finished jobs kept at most; beyond it those that would be deleted soonest go first; 0 = no bound.",
  ),
  dlqKeepMax: setting("DLQ_KEEP_MAX", integer({ min: 0 }), 0, "Dead letters kept at most, the newest; 0 = no bound."),
  jobCleanupIntervalMs: setting("JOB_CLEANUP_INTERVAL_MS", timerMs({ min: 1 }), 60_000, "Pause between two cleanups."),

  cacheMaxBytes: setting(
    "CACHE_MAX_BYTES",
    integer({ min: 0 }),
    1024 ** 3,
    "Room for shared artifacts; the longest unread go first, but none that a kept job names. 0 = no bound.",
  ),
  cacheTtlMs: setting(
    "CACHE_TTL_MS",
    integer({ min: 0 }),
    30 * DAY_MS,
    "How long a shared artifact that no kept job names is kept after its last reading; 0 = no bound.",
  ),

  chromiumPath: {
    ...setting<string | undefined>(
      "CHROMIUM_PATH",
      path,
      undefined,
      "The Chromium that workloads print and draw with.",
    ),
    fallbackText: "one that is installed",
    show: (file: string | undefined) => file ?? "",
  },

  load: {
    ...setting<string | undefined>(
      "MILLRACE_LOAD",
      path,
      undefined,
      "Modules with workloads or kinds, separated by commas: paths, or names of installed packages.",
    ),
    fallbackText: 'what "millrace": { "load": [...] } in package.json says',
    show: (modules: string | undefined) => modules ?? "",
  },
  serverUrl: {
    ...setting<string | undefined>("MILLRACE_URL", httpUrl, undefined, "The server that the commands talk to."),
    fallbackText: "http://HOST:PORT",
    show: (url: string | undefined) => url ?? "",
  },
  tenant: {
    ...setting<string | undefined>("MILLRACE_TENANT", headerSafe, undefined, "The tenant that the commands act for."),
    fallbackText: "the key's own, or default",
    show: (tenant: string | undefined) => tenant ?? "",
  },

  logLevel: setting(
    "LOG_LEVEL",
    oneOf("debug", "info", "warn", "error", "silent"),
    "info",
    "The least that is logged.",
  ),
  logFormat: {
    ...setting("LOG_FORMAT", oneOf("json", "pretty"), "json", "Log lines for machines or for people."),
    fallback: ({ terminal }: Surroundings) => (terminal ? ("pretty" as const) : ("json" as const)),
    fallbackText: "json; pretty on a terminal",
  },
};

/** The values of the engine's own settings. The table of options lists them. */
export type CoreSettings = SettingValues<typeof SETTINGS>;

/** Keeps what tells one database from another; drops user, password and parameters. */
function maskAddress(address: string): string {
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${MASK}@${host}${pathname}`;
}
