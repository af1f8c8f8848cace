// Every stored table with its columns, for what copies whole stores: the move from a file to PostgreSQL, and the backup of a
// database to a file. Counters are left out: PostgreSQL keeps none, and a file counts its own after a copy.

import type { ColumnType, StoredColumn } from "./column.ts";
import { JOB_COLUMNS } from "./job-columns.ts";

export interface NamedColumn extends StoredColumn {
  readonly name: string;
}

export interface StoredTable {
  readonly name: string;
  readonly columns: readonly NamedColumn[];
  /** The columns of its key: a copy goes in their order. */
  readonly key: readonly string[];
  /** Its name in a SQLite file. */
  readonly inFile: string;
  /** Its name in PostgreSQL, within the schema. */
  readonly inPostgres: string;
  /** How many rows a copy takes at once. */
  readonly batch: number;
}

/** In an order in which a row comes after those that it refers to. */
export const TABLES: readonly StoredTable[] = [
  table(
    "tenant",
    `id:int name:text max_running:int rate_count:int rate_per_ms:bigint weight:double precision queue_max:int overflow:text
    limited:boolean`,
    ["id"],
  ),
  table("kind", "id:int name:text paused:boolean plan:text last_plan:int last_pin:int last_number:int", ["id"]),
  table("plan", "id:int kind:int stages:text hash:text first_seen:bigint needs:int unused_since:bigint", ["id"]),
  table("deployment", "id:int label:text number:int announced_at:bigint living_since:bigint ended_at:bigint", ["id"]),
  table("deployment_plan", "deployment:int plan:int", ["deployment", "plan"]),
  // All at once: a stage may name one that comes after it.
  table("stage", "id:int kind:int name:text plan:int pin:int position:int next:int", ["id"], { batch: 100_000 }),
  table(
    "instance",
    `id:bigint name:text started_at:bigint beat_at:bigint expires_at:bigint lease_ms:bigint place:text pools:text
    draining:boolean died_at:bigint level:int plans:text`,
    ["id"],
  ),
  {
    ...table("job", "", ["id"], { inPostgres: "every_job", batch: 500 }),
    columns: Object.entries(JOB_COLUMNS).map(([name, column]) => ({ ...column, name })),
  },
  table(
    "attempt",
    `id:bigint job:bigint stage:int attempt:int started_at:bigint ended_at:bigint holder:bigint slot:int outcome:text
    failure:text beside:text`,
    ["id"],
  ),
  table("step", "job:bigint stage:int name:text value:text saved_at:bigint", ["job", "stage", "name"], { batch: 200 }),
  table(
    "wait",
    `id:bigint job:bigint stage:int type:text name:text state:int since:bigint until:bigint tenant:int topic:text match_keys:text
    match_hash:text published_since:bigint details:text value:text answered_at:bigint source:bigint`,
    ["id"],
    { batch: 200 },
  ),
  table(
    "signal",
    "id:bigint job:bigint name:text value:text at:bigint sent_by:text key:text state:int reason:text",
    ["id"],
    { batch: 200 },
  ),
  table(
    "event",
    "id:bigint tenant:int topic:text fields:text at:bigint expires_at:bigint key:text filed:boolean",
    ["id"],
    {
      batch: 200,
    },
  ),
  table("event_field", "entry:text at:bigint event:bigint", ["entry", "at", "event"]),
  table("workflow", "job:bigint first_job:bigint ending:text", ["job"]),
  table("undo", "id:bigint job:bigint stage:int type:text name:text handler:text", ["id"]),
  table(
    "stream",
    "job:bigint name:text tenant:int last:bigint bytes:bigint restart:bigint keep:bigint writer:text seq:bigint created_at:bigint",
    ["job", "name"],
  ),
  table(
    "stream_part",
    "id:bigint job:bigint name:text number:bigint count:int stage:text step:text data:text",
    ["id"],
    { batch: 100 },
  ),
  table(
    "edge",
    `id:bigint type:int owner:bigint wait:bigint batch:bigint job:bigint place:int key:text root:bigint depth:int state:int`,
    ["id"],
  ),
  table("tree", "job:bigint children:int jobs:int", ["job"]),
  table(
    "batch",
    `id:bigint tenant:int created_at:bigint sealed_at:bigint ended_at:bigint cancelled_at:bigint on_end:text callback:bigint
    counts:text`,
    ["id"],
  ),
  table("left_work", "id:bigint what:int ref:bigint at:bigint", ["id"]),
  table("log", "id:bigint job:bigint at:bigint level:text message:text data:text", ["id"]),
  table("place", "id:bigint job:bigint kind:int tenant:int key:text holds:boolean priority:int at:bigint", ["id"]),
  table("concurrency_limit", "name:text total:int number:int set_total:int", ["name"]),
  table("unique_key", "kind:int tenant:int key:text job:bigint latest_at:bigint", ["kind", "tenant", "key"]),
  table("follower", "kind:int tenant:int key:text job:bigint run_at:bigint latest_at:bigint", [
    "kind",
    "tenant",
    "key",
  ]),
  table("throttle", "kind:int tenant:int key:text job:bigint until:bigint", ["kind", "tenant", "key"]),
  table("idempotency", "tenant:int key:text fingerprint:text jobs:text created_at:bigint", ["tenant", "key"]),
  table("window", "what:text owner:int at:bigint count:int", ["what", "owner", "at"], { inPostgres: "window_entry" }),
  table(
    "limiter",
    `name:text count:double precision per_ms:bigint level:double precision level_at:bigint blocked_until:bigint
    per_day:double precision per_tenant_day:double precision code:text is_set:boolean`,
    ["name"],
  ),
  table("limiter_use", "limiter:text day:int tenant:int used:double precision", ["limiter", "day", "tenant"]),
  table("schedule", "tenant:text name:text rule:text next_at:bigint last_at:bigint last_job:bigint", [
    "tenant",
    "name",
  ]),
  // A row that was applied in the file must not be applied again in the database.
  table(
    "outbox",
    `name:text label:text token:bigint holder:text expires_at:bigint seen_at:bigint waiting:bigint oldest_ms:bigint trouble:text`,
    ["name"],
  ),
  table("outbox_applied", "outbox:text id:text", ["outbox", "id"]),
  table("artifact", "job:bigint name:text content_type:text bytes:bytea", ["job", "name"], {
    inFile: "artifacts.artifact",
    batch: 1,
  }),
  table("job_share", "job:bigint key:text", ["job", "key"]),
  table(
    "shared",
    "id:bigint key:text size:bigint created_at:bigint read_at:bigint content_type:text info:text bytes:bytea",
    ["id"],
    { inFile: "artifacts.shared", batch: 1 },
  ),
  table("link", "link:text tenant:text shared:bigint", ["link"], { inFile: "artifacts.link" }),
  table(
    "api_key",
    "id:text name:text tenant:text scopes:text secret_hash:text created_at:bigint expires_at:bigint revoked_at:bigint",
    ["id"],
  ),
  table(
    "operation",
    `id:bigint action:text request:text hash:text made_by:text tenant:text among:text state:int total:bigint done:bigint
    skipped:bigint failed:bigint errors:text waits_for:text part:int place:int per_second:double precision paced_at:bigint
    rate:double precision rate_since:bigint rate_count:bigint key:text undo_of:bigint started_at:bigint updated_at:bigint
    ended_at:bigint`,
    ["id"],
    { batch: 100 },
  ),
  table("operation_part", "operation:bigint part:int count:int jobs:text", ["operation", "part"], { batch: 20 }),
  table("operation_done", "operation:bigint part:int count:int jobs:text", ["operation", "part"], { batch: 20 }),
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
  { inPostgres = name, inFile = name, batch = 1_000 }: Partial<StoredTable> = {},
): StoredTable {
  const described = columns.matchAll(/(\w+):(double precision|\w+)/g);
  return {
    name,
    columns: [...described].map(([, column = "", type]) => ({ name: column, type: type as ColumnType })),
    key,
    inFile,
    inPostgres,
    batch,
  };
}
