import { AppError, messageOf } from "../../lib/app-error.ts";
import { type DatabaseReport, examine } from "../../store/postgres/connection/examine.ts";
import { bytes, duration, plural } from "../output/format.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";

const LONG_TRANSACTION_S = 300;
const MOST_CLOCK_OFF_MS = 2_000;
/** A process of ours takes up to twelve. */
const FEW_CONNECTIONS = 20;

/** The server, our schema on it, what we may do there, and what stands in between. */
export async function postgresFindings(url: string): Promise<Finding[]> {
  let report: DatabaseReport;
  try {
    report = await examine(url);
  } catch (error) {
    const hint = error instanceof AppError && error.code !== "store-unavailable" ? error.hint : undefined;
    return [
      fail("PostgreSQL", messageOf(error), hint ?? "Check DATABASE_URL, and that the server runs and lets us in."),
    ];
  }
  return [
    serverFinding(report),
    schemaFinding(report),
    indexFinding(report),
    rightsFinding(report),
    poolerFinding(report),
    durabilityFinding(report),
    vacuumFinding(report),
    ...transactionFinding(report),
    connectionFinding(report),
    clockOffFinding(report),
  ];
}

function serverFinding({ server, soundServer, shown, bytes: size }: DatabaseReport): Finding {
  if (!soundServer) return fail("PostgreSQL", server, "Millrace needs PostgreSQL 16 or newer.");
  return ok("PostgreSQL", `${server} at ${shown}, ${bytes(size)}`);
}

function schemaFinding({ schema, breaking, knownSchema, schemaName, foreign }: DatabaseReport): Finding {
  if (foreign) return fail("schema", foreign.message, foreign.hint ?? "");
  if (schema === undefined) return ok("schema", `"${schemaName}" will be made at the first start`);
  const text = `"${schemaName}" is at ${schema}, this version knows ${knownSchema}`;
  if (breaking > knownSchema)
    return fail("schema", text, "Start the newer version of Millrace, or restore an older backup.");
  if (schema < knownSchema) return warn("schema", text, "The next start brings it up to date: make a backup first.");
  return ok("schema", text);
}

function indexFinding({ schema, missingIndexes }: DatabaseReport): Finding {
  if (schema === undefined) return ok("indexes", "come with the schema");
  if (missingIndexes.length === 0) return ok("indexes", "all there and valid");
  return fail(
    "indexes",
    `missing or not valid: ${missingIndexes.join(", ")}`,
    "Make them again as in the schema's migrations: without them claims slow down with the table.",
  );
}

function rightsFinding({ missingRights, schemaName, schema }: DatabaseReport): Finding {
  if (missingRights.length === 0) return ok("rights", "all that are needed");
  return fail(
    "rights",
    `this user may not ${missingRights.slice(0, 5).join(", ")}`,
    schema === undefined
      ? `CREATE SCHEMA ${schemaName} AUTHORIZATION <this user>, or GRANT CREATE ON DATABASE … TO <this user>.`
      : `Make it the owner: ALTER SCHEMA ${schemaName} OWNER TO …, or GRANT what is missing.`,
  );
}

function poolerFinding({ pooler, poolerSaid, heard }: DatabaseReport): Finding {
  if (pooler === "transaction" && poolerSaid)
    return ok("pooler", "by transaction, as DATABASE_URL says; work is found by polling (JOB_POLL_INTERVAL_MS)");
  if (pooler === "transaction") {
    return warn(
      "pooler",
      "one that lends sessions by transaction stands in between",
      "Add ?pooler=transaction to DATABASE_URL. Work is then found by polling (JOB_POLL_INTERVAL_MS), not announced.",
    );
  }
  if (!heard)
    return warn("pooler", "notifications do not arrive", "Work is found by polling. Connect to the server directly.");
  return ok("pooler", "none, or by session; notifications arrive");
}

function durabilityFinding({ settings }: DatabaseReport): Finding {
  if (!settings.fsync) return fail("durability", "fsync is off", "A power cut can destroy the database: fsync = on.");
  if (settings.synchronousCommit === "off")
    return ok("durability", "synchronous_commit is off on the server; Millrace asks for it where DURABILITY=full");
  return ok("durability", `synchronous_commit = ${settings.synchronousCommit}`);
}

function vacuumFinding({ settings, deadRows }: DatabaseReport): Finding {
  if (!settings.autovacuum || !settings.trackCounts)
    return fail("autovacuum", "is off", "autovacuum = on and track_counts = on: without it the tables only grow.");
  const [worst] = deadRows;
  if (worst) {
    return warn(
      "autovacuum",
      `${worst.dead} dead rows to ${worst.live} live ones in ${worst.table}`,
      "Look for a transaction that stays open for long; then give autovacuum more workers.",
    );
  }
  return ok("autovacuum", "keeps up");
}

function transactionFinding({ oldestTransaction }: DatabaseReport): Finding[] {
  if (!oldestTransaction || oldestTransaction.seconds < LONG_TRANSACTION_S) return [];
  const text = `one of process ${oldestTransaction.pid} is open for ${duration(oldestTransaction.seconds * 1000)}`;
  return [warn("transactions", text, "It keeps dead rows from being cleared away: end it.")];
}

function connectionFinding({ connections: { used, most } }: DatabaseReport): Finding {
  const text = `${used} of ${plural(most, "connection")} in use`;
  if (most - used < FEW_CONNECTIONS)
    return warn("connections", text, "Raise max_connections, or put a pooler in front.");
  return ok("connections", text);
}

function clockOffFinding({ clockOffMs }: DatabaseReport): Finding {
  const off = Math.abs(Math.round(clockOffMs));
  const text = `this machine's clock is ${duration(off)} ${clockOffMs > 0 ? "behind" : "ahead of"} the database's, which rules`;
  if (off > MOST_CLOCK_OFF_MS) return warn("database clock", text, "Nothing breaks; let a time service set both.");
  return ok("database clock", text);
}
