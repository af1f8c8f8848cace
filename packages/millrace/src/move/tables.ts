// Every table that a move takes along: how its rows are read from the file and from PostgreSQL (in the same order and the
// same form, so that they can be compared), and how they are written. Counters are left out: PostgreSQL keeps none.

export interface Column {
  name: string;
  type: "bigint" | "int" | "text" | "boolean" | "double precision" | "bytea";
  /** How the file's value is read, where it is not simply the column. */
  file?: string;
  /** How PostgreSQL's value is read back for the comparison. */
  database?: string;
}

export interface MovedTable {
  name: string;
  /** Its columns that are its key: rows go in their order, and a move that was interrupted goes on after the last. */
  key: string[];
  columns: Column[];
  fileFrom: string;
  /** What it is compared with afterwards. */
  databaseFrom: string;
  /** Where rows are written; jobs go to one of two tables. */
  into: { table: string; where: string }[];
  /** Rows at once. */
  batch: number;
}

export const MOVED: readonly MovedTable[] = [
  table("tenant", "id:int name:text", ["id"]),
  table("kind", "id:int name:text paused:boolean plan:text last_plan:int last_pin:int last_number:int", ["id"]),
  table("plan", "id:int kind:int stages:text hash:text first_seen:bigint needs:int", ["id"]),
  table("deployment", "id:int label:text number:int announced_at:bigint living_since:bigint ended_at:bigint", ["id"]),
  table("deployment_plan", "deployment:int plan:int", ["deployment", "plan"]),
  // All at once: a stage may name one that comes after it.
  table("stage", "id:int kind:int name:text plan:int pin:int position:int next:int", ["id"], { batch: 100_000 }),
  table(
    "instance",
    "id:bigint name:text started_at:bigint beat_at:bigint expires_at:bigint lease_ms:bigint place:text pools:text draining:boolean died_at:bigint level:int",
    ["id"],
  ),
  jobs(),
  table(
    "attempt",
    "id:bigint job:bigint stage:int attempt:int started_at:bigint ended_at:bigint holder:bigint slot:int outcome:text failure:text beside:text",
    ["id"],
  ),
  table("step", "job:bigint stage:int name:text value:text saved_at:bigint", ["job", "stage", "name"], { batch: 200 }),
  table("log", "id:bigint job:bigint at:bigint level:text message:text data:text", ["id"]),
  table("unique_key", "kind:int tenant:int key:text job:bigint", ["kind", "tenant", "key"]),
  table("idempotency", "tenant:int key:text fingerprint:text jobs:text created_at:bigint", ["tenant", "key"]),
  table("window", "what:text owner:int at:bigint count:int", ["what", "owner", "at"], { database: "window_entry" }),
  table(
    "limiter",
    "name:text count:double precision per_ms:bigint level:double precision level_at:bigint blocked_until:bigint",
    ["name"],
  ),
  table("schedule", "tenant:text name:text rule:text next_at:bigint last_at:bigint last_job:bigint", [
    "tenant",
    "name",
  ]),
  table("artifact", "job:bigint name:text content_type:text bytes:bytea", ["job", "name"], {
    file: "artifacts.artifact",
    batch: 1,
  }),
  table("job_share", "job:bigint key:text", ["job", "key"]),
  table(
    "shared",
    "id:bigint key:text size:bigint created_at:bigint read_at:bigint content_type:text info:text bytes:bytea",
    ["id"],
    { file: "artifacts.shared", batch: 1 },
  ),
  table("link", "link:text tenant:text shared:bigint", ["link"], { file: "artifacts.link" }),
  table(
    "api_key",
    "id:text name:text tenant:text scopes:text secret_hash:text created_at:bigint expires_at:bigint revoked_at:bigint",
    ["id"],
  ),
  table("audit", "id:bigint at:bigint who:text what:text target:text tenant:text trace:text", ["id"]),
  table(
    "record",
    "space:text tenant:text key:text version:bigint updated_at:bigint expires_at:bigint value:text",
    ["space", "tenant", "key"],
    { batch: 100 },
  ),
];

function table(
  name: string,
  columns: string,
  key: string[],
  { database = name, file = name, batch = 1_000 }: { database?: string; file?: string; batch?: number } = {},
): MovedTable {
  const parsed = [...columns.matchAll(/(\w+):(double precision|\w+)/g)].map(
    ([, column, type]) => ({ name: column, type }) as Column,
  );
  return {
    name,
    key,
    columns: parsed,
    fileFrom: file,
    databaseFrom: `millrace.${database}`,
    into: [{ table: `millrace.${database}`, where: "true" }],
    batch,
  };
}

/** The file keeps large payloads and outputs beside the row, and says so in two flags; PostgreSQL does that by itself. */
function jobs(): MovedTable {
  const moved = table(
    "job",
    `id:bigint stage:int tenant:int standing:int priority:int run_at:bigint token:bigint holder:bigint slot:int attempt:int
    failures:int failures_total:int crashes:int flags:int created_at:bigint updated_at:bigint started_at:bigint finished_at:bigint
    max_attempts:int timeout_ms:bigint expires_at:bigint payload:text output:text failure:text held_for:text progress:text tags:text
    trace:text retry_of:bigint retried_as:bigint`,
    ["id"],
    { batch: 500 },
  );
  const form: Record<string, string> = {
    flags: "flags & ~3",
    payload:
      "CASE WHEN flags & 1 THEN (SELECT value FROM body WHERE body.id = job.id * 2) ELSE coalesce(payload, 'null') END",
    output: "CASE WHEN flags & 2 THEN (SELECT value FROM body WHERE body.id = job.id * 2 + 1) ELSE output END",
  };
  return {
    ...moved,
    columns: moved.columns.map((column) => {
      const file = form[column.name];
      return file === undefined ? column : { ...column, file };
    }),
    databaseFrom: "millrace.every_job",
    into: [
      { table: "millrace.job", where: "standing < 5" },
      { table: "millrace.finished", where: "standing >= 5" },
    ],
  };
}
