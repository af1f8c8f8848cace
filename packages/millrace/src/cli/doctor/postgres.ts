import { AppError, messageOf } from "../../lib/app-error.ts";
import { type DatabaseReport, examine } from "../../store/postgres/connection/examine.ts";
import { bytes, duration, plural } from "../output/format.ts";
import { batchFinding } from "./batches.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";
import { workflowFindings } from "./workflow.ts";

const LONG_TRANSACTION_S = 300;
const MOST_CLOCK_OFF_MS = 2_000;
/** A process of ours takes up to twelve. */
const FEW_CONNECTIONS = 20;

/** Findings about the server, our schema on it, our rights there, and a pooler in between. */
export async function postgresFindings(url: string, maxEventsPerTenant: number): Promise<Finding[]> {
  let report: DatabaseReport;
  try {
    report = await examine(url);
  } catch (error) {
    const hint = error instanceof AppError && error.code !== "store-unavailable" ? error.hint : undefined;
    return [
      fail(
        "PostgreSQL",
        messageOf(error),
        hint ?? "Check DATABASE_URL, that the server runs, and that it accepts this user.",
      ),
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
    ...batchFinding(report.unsealed),
    ...workflowFindings(report.workflow, maxEventsPerTenant),
  ];
}

function serverFinding({ server, soundServer, shown, bytes: size }: DatabaseReport): Finding {
  if (!soundServer) return fail("PostgreSQL", server, "Millrace needs PostgreSQL 16 or newer.");
  return ok("PostgreSQL", `${server} at ${shown}, ${bytes(size)}`);
}

function schemaFinding({ schema, breaking, knownSchema, schemaName, foreign }: DatabaseReport): Finding {
  if (foreign) return fail("schema", foreign.message, foreign.hint ?? "");
  if (schema === undefined) return ok("schema", `"${schemaName}" will be created at the first start`);
  const text = `"${schemaName}" has schema ${schema}; this version has schema ${knownSchema}`;
  if (breaking > knownSchema)
    return fail("schema", text, "Start the newer version of Millrace, or restore an older backup.");
  if (schema < knownSchema)
    return warn("schema", text, "The next start migrates it, and so does millrace migrate. Make a backup first.");
  return ok("schema", text);
}

function indexFinding({ schema, missingIndexes }: DatabaseReport): Finding {
  if (schema === undefined) return ok("indexes", "will be created with the schema");
  if (missingIndexes.length === 0) return ok("indexes", "complete and valid");
  return fail(
    "indexes",
    `missing or invalid: ${missingIndexes.join(", ")}`,
    "Create them as in Millrace's migrations. Without them, claims get slower as the table grows.",
  );
}

function rightsFinding({ missingRights, schemaName, schema }: DatabaseReport): Finding {
  if (missingRights.length === 0) return ok("rights", "sufficient");
  return fail(
    "rights",
    `this user may not ${missingRights.slice(0, 5).join(", ")}`,
    schema === undefined
      ? `CREATE SCHEMA ${schemaName} AUTHORIZATION <this user>, or GRANT CREATE ON DATABASE … TO <this user>.`
      : `Make this user the owner (ALTER SCHEMA ${schemaName} OWNER TO …), or GRANT the missing rights.`,
  );
}

function poolerFinding({ pooler, poolerSaid, heard }: DatabaseReport): Finding {
  if (pooler === "transaction" && poolerSaid)
    return ok("pooler", "transaction mode, as in DATABASE_URL; jobs are found by polling (JOB_POLL_INTERVAL_MS)");
  if (pooler === "transaction") {
    return warn(
      "pooler",
      "a pooler in transaction mode is in between",
      "Add ?pooler=transaction to DATABASE_URL. Millrace then finds jobs by polling (JOB_POLL_INTERVAL_MS), not by notifications.",
    );
  }
  if (!heard)
    return warn(
      "pooler",
      "notifications do not arrive",
      "Jobs are found by polling, which is slower. Connect to the server directly.",
    );
  return ok("pooler", "none, or session mode; notifications arrive");
}

function durabilityFinding({ settings }: DatabaseReport): Finding {
  if (!settings.fsync)
    return fail("durability", "fsync is off", "A power cut can destroy the database. Set fsync = on.");
  if (settings.synchronousCommit === "off")
    return ok(
      "durability",
      "synchronous_commit is off on the server; with DURABILITY=full Millrace turns it on for its own commits",
    );
  return ok("durability", `synchronous_commit = ${settings.synchronousCommit}`);
}

function vacuumFinding({ settings, deadRows }: DatabaseReport): Finding {
  if (!settings.autovacuum || !settings.trackCounts)
    return fail(
      "autovacuum",
      "is off",
      "Set autovacuum = on and track_counts = on. Without them the tables only grow.",
    );
  const [worst] = deadRows;
  if (worst) {
    return warn(
      "autovacuum",
      `${worst.table} has ${worst.dead} dead rows and ${worst.live} live rows`,
      "Look for long transactions first. Then give autovacuum more workers.",
    );
  }
  return ok("autovacuum", "keeps up");
}

function transactionFinding({ oldestTransaction }: DatabaseReport): Finding[] {
  if (!oldestTransaction || oldestTransaction.seconds < LONG_TRANSACTION_S) return [];
  const text = `process ${oldestTransaction.pid} has had a transaction open for ${duration(oldestTransaction.seconds * 1000)}`;
  return [warn("transactions", text, "End it: vacuum cannot remove dead rows while it is open.")];
}

function connectionFinding({ connections: { used, most } }: DatabaseReport): Finding {
  const text = `${used} of ${plural(most, "connection")} in use`;
  if (most - used < FEW_CONNECTIONS)
    return warn("connections", text, "Raise max_connections, or put a pooler in front.");
  return ok("connections", text);
}

function clockOffFinding({ clockOffMs }: DatabaseReport): Finding {
  const off = Math.abs(Math.round(clockOffMs));
  const text = `this machine's clock is ${duration(off)} ${clockOffMs > 0 ? "behind" : "ahead of"} the database's; Millrace uses the database's clock`;
  if (off > MOST_CLOCK_OFF_MS)
    return warn("database clock", text, "Jobs are not affected. Let a time service set both clocks.");
  return ok("database clock", text);
}
