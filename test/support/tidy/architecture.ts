// The table of ARCHITECTURE.md as data, for the package `millrace`: paths are from its folder. `lib` and `telemetry` are open to
// all but the workloads; a part is open to itself.

/** Where a user, a program or a test kit comes in. */
export const ENTRIES = [
  "src/index.ts",
  "src/client/index.ts",
  "src/http/index.ts",
  "src/testing.ts",
  "src/workloads/text/workload.ts",
  "src/processor.ts",
  "src/shapes.ts",
  "src/settings.ts",
  "src/isolated.ts",
  "src/chromium/index.ts",
  "src/outbox/index.ts",
  "src/workload/index.ts",
  "src/cli/kit.ts",
  "src/cli/main.ts",
  "src/dashboard/outside.ts",
] as const;

/** What a workload builds on: each is an entry of package.json. */
const PUBLIC = [
  "src/index.ts",
  "src/processor.ts",
  "src/shapes.ts",
  "src/settings.ts",
  "src/isolated.ts",
  "src/workload/index.ts",
  "src/client/index.ts",
  "src/cli/kit.ts",
  "src/chromium/index.ts",
];

const OPEN_TO_ALL = ["lib", "telemetry"];

/** The contract of the stores: the engine knows nothing else of them. */
const CONTRACT = ["src/store/store.ts", "store/verbs"];

const PARTS = [
  "config",
  "job",
  "store",
  "store/verbs",
  "store/sqlite",
  "store/postgres",
  "events",
  "submit",
  "workflow",
  "pool",
  "upkeep",
  "transaction",
  "outbox",
];
const ENGINE = [...PARTS, "engine"];

/** Part -> the parts and single files it may import. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  telemetry: CONTRACT,
  config: [],
  job: [],
  api: ["job"],
  store: ["job", "store/verbs"],
  "store/verbs": ["job", "src/store/store.ts"],
  "store/sqlite": ["job", "store", "store/verbs"],
  // A backup of PostgreSQL is a SQLite file.
  "store/postgres": [
    "job",
    "store",
    "store/verbs",
    "src/store/sqlite/connection/database.ts",
    "src/store/sqlite/connection/write-turn.ts",
  ],
  // From the one to the other: it knows the tables of both.
  move: ["job", "store", "store/verbs", "store/sqlite", "store/postgres"],
  events: ["job", ...CONTRACT],
  submit: ["job", ...CONTRACT, "events"],
  // What a running job may wait for, in this process and in a child alike.
  workflow: ["job"],
  // A job that starts others checks their payloads as a submission does.
  // A step can be stored in a transaction of the application.
  pool: ["job", ...CONTRACT, "events", "workflow", "transaction", "src/submit/submit.ts"],
  upkeep: ["job", ...CONTRACT, "submit"],
  // Runs a stage of a stored job again, without a store.
  replay: ["job", ...CONTRACT, "pool"],
  // Plays a load through the SQLite store in memory, without pools.
  simulate: ["job", ...CONTRACT, "src/store/sqlite/factory.ts", "src/pool/outcome.ts", "workflow"],
  // Jobs in a transaction of the application.
  transaction: ["job", ...CONTRACT, "submit"],
  // Rows in databases of the application that become jobs.
  outbox: ["job", ...CONTRACT, "submit", "transaction"],
  runtime: [],
  // A browser is a tool of the workloads: it knows nothing of jobs.
  chromium: [],
  http: ["api", "job", "submit", "src/events/change.ts", ...CONTRACT, "runtime"],
  client: ["api"],
  // What the entry for pages is outside of a page.
  dashboard: [],
  // What a workload can bring comes from every border.
  workload: [
    "api",
    "client",
    "config",
    "http",
    "job",
    "src/config.ts",
    "src/cli/doctor/finding.ts",
    "src/cli/entry.ts",
    "src/shapes.ts",
    "src/settings.ts",
  ],
  // A file that a server holds, or one too new for us, is looked at and copied without opening a store on it.
  cli: [
    // It creates the tables of an outbox.
    "outbox",
    "src/store/sqlite/connection/examine.ts",
    "src/store/postgres/connection/examine.ts",
    // Flags follow from the options.
    "src/job/options/submit-options.ts",
    // The greeting of a server has a command to try.
    "src/job/kind/sample-payload.ts",
    "move",
    "api",
    "client",
    "config",
    "src/millrace.ts",
    "src/index.ts",
    "replay",
    "simulate",
    "src/job/report/exported-job.ts",
    "workload",
    "src/workloads/text/workload.ts",
    "http",
    "runtime",
    "chromium",
  ],
  // The newcomer's job: only what the package exports, as any user.
  "workloads/text": PUBLIC,
  // Entries that load little.
  "processor.ts": ["job"],
  "shapes.ts": ["api", "src/http/request/issues.ts"],
  "settings.ts": ["config", "src/workload/workload.ts"],
  "isolated.ts": ["job", "pool", ...CONTRACT],
  // What a submission gives back: it asks the engine it came from.
  "job-handle.ts": ["job", "src/millrace.ts"],
  // Brings the parts together; it knows them all but the borders.
  engine: PARTS,
  // The one object a user holds.
  "millrace.ts": [...ENGINE, "src/job-handle.ts"],
  // The only file that re-exports.
  "index.ts": [...ENGINE, "api", "workload", "src/job-handle.ts", "src/millrace.ts"],
  "testing.ts": [...ENGINE, "replay", "simulate", "src/job-handle.ts", "src/millrace.ts", "src/index.ts"],
};

export function mayImport(from: string, to: string): boolean {
  const part = partOf(from);
  const allowed = MAY_IMPORT[part];
  const target = partOf(to);
  if (allowed === undefined || !to.startsWith("src/")) return false;
  if (target === part) return true;
  if (OPEN_TO_ALL.includes(target)) return part !== "lib" && !part.startsWith("workloads/");
  return allowed.includes(target) || allowed.includes(to);
}

/** `pool`, `store`, `store/sqlite`, `store/verbs`, `workloads/text`, `config`, or the file itself where it stands at the top of src. */
export function partOf(path: string): string {
  const [, first = "", second = "", third] = path.split("/");
  if (path === "src/config.ts") return "config";
  if (second === "") return first;
  const isStore = first === "store" && ["sqlite", "postgres", "verbs"].includes(second);
  return third !== undefined && (isStore || first === "workloads") ? `${first}/${second}` : first;
}
