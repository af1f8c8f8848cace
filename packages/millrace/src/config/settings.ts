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
  shortText,
  timerMs,
  yesNo,
} from "./parsers.ts";
import { MASK, type SettingContext, type SettingValues, secret, setting } from "./setting.ts";

const DAY_MS = 86_400_000;

// Every setting of the engine once; workloads bring their own tables. The parser, `.env.example` and `millrace config` all read this table, in this order.
export const SETTINGS = {
  port: setting("PORT", integer({ min: 0, max: 65_535 }), 3000, "Port to listen on. 0 takes any free port."),
  host: setting("HOST", hostName, "127.0.0.1", "Address to listen on. Any address but loopback needs an API_KEY."),
  apiKey: secret("API_KEY", headerSafe, "The key of the administrator, for all tenants."),
  allowAnonymous: setting(
    "ALLOW_ANONYMOUS",
    yesNo,
    false,
    "Allow any HOST without an API_KEY. Everyone who can reach the server is then its administrator.",
  ),
  corsOrigins: setting<readonly string[]>(
    "CORS_ORIGINS",
    origins,
    Object.freeze([]),
    "Origins whose pages may call the API, separated by commas. * allows any origin, without credentials.",
  ),
  trustedProxies: setting<readonly string[]>(
    "TRUSTED_PROXIES",
    addressRanges,
    Object.freeze([]),
    "Proxies in front of the server: addresses or ranges such as 10.0.0.0/8, separated by commas. " +
      "Millrace takes the address of the client from their X-Forwarded-For.",
  ),
  maxConnectionsPerPeer: setting(
    "MAX_CONNECTIONS_PER_PEER",
    integer({ min: 0 }),
    1_000,
    "Maximum connections per client address, except for trusted proxies. 0 = no limit. " +
      "Never more than half of the file descriptors of the process.",
  ),
  httpIdleMs: setting(
    "HTTP_IDLE_MS",
    integer({ min: 20_000, max: 240_000 }),
    30_000,
    "Close a connection after this time without a request, or without the client reading a response.",
  ),

  databaseUrl: {
    ...secret("DATABASE_URL", postgresUrl, "Use PostgreSQL instead of SQLite: postgres://user:password@host/name."),
    show: (url: string | undefined) => (url === undefined ? "" : maskAddress(url)),
  },
  deployment: {
    ...secret("DEPLOYMENT", label, "The label of this version of the application, such as 2026-11-16.3."),
    fallbackText: "a short hash of the stages of its kinds",
    secret: false,
    show: (value: string | undefined) => value ?? "",
  },
  jobDbPath: setting("JOB_DB_PATH", path, "./data/jobs.db", "The SQLite file. Its folder is created if it is missing."),
  durability: setting(
    "DURABILITY",
    oneOf("full", "normal"),
    "full",
    "full: a confirmed submission survives a power cut. normal: it survives a crash of the process, and writes are cheaper.",
  ),
  queryTimeoutMs: setting(
    "QUERY_TIMEOUT_MS",
    timerMs({ min: 0 }),
    10_000,
    "Time limit for a list or a search, including its wait in the queue. 0 = no limit.",
  ),
  lockTimeoutMs: setting(
    "LOCK_TIMEOUT_MS",
    timerMs({ min: 0 }),
    5_000,
    "PostgreSQL: how long a submission waits for an open transaction with the same unique or idempotency key.",
  ),
  pollMs: {
    ...setting(
      "JOB_POLL_INTERVAL_MS",
      timerMs({ min: 1 }),
      100,
      "How often to poll for jobs whose notification was missed.",
    ),
    alias: "POLL_MS",
    fallback: ({ postgres }: SettingContext) => (postgres ? 750 : 100),
    fallbackText: "100; 750 on PostgreSQL",
  },

  workerConcurrency: setting(
    "WORKER_CONCURRENCY",
    integer({ min: 1, max: 10_000 }),
    10,
    "Number of processors per pool.",
  ),
  leaseMs: {
    ...setting(
      "LEASE_TIMEOUT_SEC",
      seconds({ min: 1, max: 86_400 }),
      15_000,
      "Time after which the jobs of a process that no longer responds run elsewhere, in seconds.",
    ),
    fallbackText: "15",
    show: (ms: number) => String(ms / 1000),
  },
  maxAttempts: setting(
    "MAX_RETRIES",
    integer({ min: 1, max: 1000 }),
    3,
    "Attempts per stage, including the first, before the job becomes a dead letter.",
  ),
  maxCrashes: setting(
    "MAX_CRASHES",
    integer({ min: 1, max: 1000 }),
    3,
    "Crashes after which a job becomes a dead letter if it crashed alone. With twice as many crashes it always does.",
  ),
  retryBaseMs: setting(
    "RETRY_BASE_MS",
    timerMs({ min: 0 }),
    1000,
    "Longest pause before the first retry. It doubles with each further retry.",
  ),
  retryMaxMs: setting("RETRY_MAX_MS", timerMs({ min: 0 }), 300_000, "Longest pause before any retry."),
  stuckAfterMs: setting(
    "STUCK_AFTER_MS",
    timerMs({ min: 1 }),
    300_000,
    "Time limit of an attempt, for stages without their own timeout.",
  ),
  healthIntervalMs: setting("HEALTH_INTERVAL_MS", timerMs({ min: 1 }), 30_000, "Interval between health checks."),
  shutdownGraceMs: setting(
    "SHUTDOWN_GRACE_MS",
    timerMs({ min: 0 }),
    10_000,
    "Time for running jobs to finish after SIGTERM.",
  ),

  queueMax: setting(
    "QUEUE_MAX",
    integer({ min: 0 }),
    1000,
    "Maximum due jobs per stage. Further submissions are refused with 429. 0 = no limit.",
  ),
  maxNewJobsPerMinute: setting(
    "MAX_NEW_JOBS_PER_MINUTE",
    integer({ min: 0 }),
    0,
    "Maximum submissions per tenant in any minute. 0 = no limit.",
  ),
  maxConcurrentPerTenant: setting(
    "MAX_CONCURRENT_PER_TENANT",
    integer({ min: 0 }),
    0,
    "Maximum running jobs per tenant. 0 = no limit.",
  ),
  tenantOverflow: setting(
    "TENANT_OVERFLOW",
    oneOf("reject", "queue"),
    "reject",
    "What happens to submissions above MAX_CONCURRENT_PER_TENANT: reject refuses them with 429, queue lets the jobs wait.",
  ),
  maxSchedulesPerTenant: setting(
    "MAX_SCHEDULES_PER_TENANT",
    integer({ min: 0 }),
    1_000,
    "Maximum schedules per tenant. 0 = no limit.",
  ),
  maxChildDepth: setting(
    "MAX_CHILD_DEPTH",
    integer({ min: 0 }),
    16,
    "Maximum ancestors of a child: its parent, the parent of its parent and so on. 0 = no limit.",
  ),
  maxChildren: setting("MAX_CHILDREN", integer({ min: 0 }), 10_000, "Maximum children of one job. 0 = no limit."),
  maxTreeJobs: setting(
    "MAX_TREE_JOBS",
    integer({ min: 0 }),
    100_000,
    "Maximum jobs in one tree of parents and children. 0 = no limit.",
  ),
  maxEventsPerTenant: setting(
    "MAX_EVENTS_PER_TENANT",
    integer({ min: 0 }),
    100_000,
    "Maximum events that are kept for one tenant. 0 = no limit.",
  ),
  maxOpenBatchesPerTenant: setting(
    "MAX_OPEN_BATCHES_PER_TENANT",
    integer({ min: 0 }),
    10_000,
    "Maximum batches of one tenant that have not ended. 0 = no limit.",
  ),

  jobRetentionMs: {
    ...setting(
      "JOB_RETENTION_MS",
      integer({ min: 0 }),
      7 * DAY_MS,
      "How long a finished job is kept, in milliseconds. A kind can set its own time.",
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
    "Maximum number of finished jobs. Above it, jobs closest to their deletion are deleted first. 0 = no limit.",
  ),
  dlqKeepMax: setting(
    "DLQ_KEEP_MAX",
    integer({ min: 0 }),
    0,
    "Maximum number of dead letters. Above it, the oldest are deleted first. 0 = no limit.",
  ),
  jobCleanupIntervalMs: setting("JOB_CLEANUP_INTERVAL_MS", timerMs({ min: 1 }), 60_000, "Interval between cleanups."),

  maxStreamBytesPerJob: setting(
    "MAX_STREAM_BYTES_PER_JOB",
    integer({ min: 0 }),
    16 * 1024 ** 2,
    "Maximum bytes of all streams of one job. 0 = no limit.",
  ),
  maxStreamBytesPerTenant: setting(
    "MAX_STREAM_BYTES_PER_TENANT",
    integer({ min: 0 }),
    1024 ** 3,
    "Maximum bytes of all streams of one tenant, counted every 10 seconds. 0 = no limit.",
  ),

  cacheMaxBytes: setting(
    "CACHE_MAX_BYTES",
    integer({ min: 0 }),
    1024 ** 3,
    "Maximum bytes of shared artifacts. Above it, those unread for the longest time are deleted first, except those that a stored job refers to. 0 = no limit.",
  ),
  cacheTtlMs: setting(
    "CACHE_TTL_MS",
    integer({ min: 0 }),
    30 * DAY_MS,
    "How long a shared artifact is kept after it was last read, unless a stored job refers to it. 0 = no limit.",
  ),

  chromiumPath: {
    ...setting<string | undefined>(
      "CHROMIUM_PATH",
      path,
      undefined,
      "Path of the Chromium that workloads print and draw with.",
    ),
    fallbackText: "an installed one",
    show: (file: string | undefined) => file ?? "",
  },

  load: {
    ...setting<string | undefined>(
      "MILLRACE_LOAD",
      path,
      undefined,
      "Modules with workloads or kinds, separated by commas: paths, or names of installed packages.",
    ),
    fallbackText: '"millrace": { "load": [...] } in package.json',
    show: (modules: string | undefined) => modules ?? "",
  },
  serverUrl: {
    ...setting<string | undefined>("MILLRACE_URL", httpUrl, undefined, "Address of the server that the commands use."),
    fallbackText: "http://HOST:PORT",
    show: (url: string | undefined) => url ?? "",
  },
  tenant: {
    ...setting<string | undefined>("MILLRACE_TENANT", headerSafe, undefined, "Tenant that the commands act for."),
    fallbackText: "the tenant of the key, or default",
    show: (tenant: string | undefined) => tenant ?? "",
  },

  environmentName: {
    ...setting<string | undefined>(
      "ENVIRONMENT_NAME",
      shortText,
      undefined,
      "Name of the environment that the dashboard shows on every page, such as production.",
    ),
    show: (name: string | undefined) => name ?? "",
  },
  environmentColour: setting(
    "ENVIRONMENT_COLOUR",
    oneOf("grey", "red", "orange", "green", "blue", "purple"),
    "grey",
    "Colour of the environment's name in the dashboard.",
  ),

  logLevel: setting(
    "LOG_LEVEL",
    oneOf("debug", "info", "warn", "error", "silent"),
    "info",
    "Lowest level that is logged.",
  ),
  logFormat: {
    ...setting(
      "LOG_FORMAT",
      oneOf("json", "pretty"),
      "json",
      "Format of log lines: json for programs, pretty for people.",
    ),
    fallback: ({ terminal }: SettingContext) => (terminal ? ("pretty" as const) : ("json" as const)),
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
