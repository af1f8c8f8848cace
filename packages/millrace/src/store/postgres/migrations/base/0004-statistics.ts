// What the planner asks for is learnt from a sample of a few thousand rows, and of the other columns nothing is: their statistics,
// of payloads above all, took a fifth of the server's time while jobs came and went by the ten thousand.

const TABLES = ["job", "finished"];
const ASKED_FOR = [
  "id",
  "stage",
  "tenant",
  "standing",
  "priority",
  "run_at",
  "holder",
  "created_at",
  "finished_at",
  "expires_at",
];
const NEVER_ASKED_FOR = [
  ...["token", "slot", "attempt", "failures", "failures_total", "crashes", "flags", "updated_at", "started_at"],
  ...[
    "max_attempts",
    "timeout_ms",
    "payload",
    "output",
    "failure",
    "held_for",
    "progress",
    "tags",
    "trace",
    "retry_of",
    "retried_as",
  ],
];
const SAMPLE = 20;

const columns = (names: string[], target: number) =>
  names.map((name) => `ALTER COLUMN ${name} SET STATISTICS ${target}`).join(", ");

export const STATISTICS = TABLES.map(
  (table) => `ALTER TABLE millrace.${table} ${columns(ASKED_FOR, SAMPLE)}, ${columns(NEVER_ASKED_FOR, 0)};`,
).join("\n");
