import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeRemoval, freshDatabase } from "../../../../../test/support/postgres.ts";
import { newIdSecret } from "../../lib/public-id.ts";
import type { InstanceOptions, TestData } from "../contract/rig.ts";
import { SqliteStore } from "../sqlite/store.ts";
import type { Bundles } from "./claim/bundles.ts";
import { Connections } from "./connection/connections.ts";
import { inspect } from "./connection/inspect.ts";
import { DatabaseTarget } from "./connection/target.ts";
import { PostgresStore } from "./store.ts";

let database: Promise<string> | undefined;
const empty: Schema[] = [];
let schemas = 0;
let instances = 0;

/** For tests: a schema of its own, opened without a thread so that time can be moved by hand. */
export function openTemporaryPostgres(): Promise<TestData> {
  return openTemporary({ bundled: false });
}

/** For tests: a store that writes every claim as a bundle if it can. */
export function openTemporaryBundles(): Promise<TestData> {
  return openTemporary({ bundled: true });
}

async function openTemporary({ bundled }: { bundled: boolean }): Promise<TestData> {
  database ??= freshDatabase();
  const schema = empty.pop() ?? newSchema(`${await database}?schema=s${++schemas}`);
  const { url, connections } = schema;
  const bundles = { ...(bundled && { least: 1 }), ofAllStores: new Set<Bundles>() };
  const folder = mkdtempSync(join(tmpdir(), "millrace-"));
  return {
    open: async ({ clock, random, leaseMs, limits, events }: InstanceOptions) => {
      const inline = { clock, random, connections, bundles };
      const instanceName = `i${++instances}`;
      const store = new PostgresStore({ url, durability: "normal", leaseMs, limits, inline, instanceName });
      await store.open(events);
      return store;
    },
    // A backup of PostgreSQL is a file.
    backup: () => {
      const path = join(folder, "copy.db");
      return {
        path,
        open: async ({ clock, random, leaseMs, limits, events }) => {
          const store = new SqliteStore({ path, durability: "normal", leaseMs, limits, inline: { clock, random } });
          await store.open(events);
          return store;
        },
      };
    },
    raiseNeeds: async (kind) => {
      const raise = "UPDATE millrace.plan SET needs = 99 WHERE kind = (SELECT id FROM millrace.kind WHERE name = $1)";
      await connections.write.run(raise, [kind]);
    },
    rewriteLinks: async (kind, stages) => {
      for (const [i, name] of stages.entries())
        await connections.write.run(REWRITE, [stages[i + 1] ?? null, name, kind]);
      await connections.write.run(
        "UPDATE millrace.meta SET value = (value::int + 1)::text WHERE name = 'names_version'",
      );
    },
    forgetRegisteredPlans: async () => {
      await connections.write.run("UPDATE millrace.instance SET plans = NULL");
    },
    forgetCauses: async (cause) => {
      await connections.write.run("UPDATE millrace.finished SET cause = $1", [cause ?? null]);
    },
    plans: async (kind) => {
      const find = "SELECT stages FROM millrace.plan WHERE kind = (SELECT id FROM millrace.kind WHERE name = $1)";
      const rows = await connections.write.run<{ stages: string }>(find, [kind]);
      return rows.map(({ stages }) => JSON.parse(stages) as string[]);
    },
    inspect: async () => {
      for (const each of bundles.ofAllStores) await each.openAll();
      return inspect(connections.write);
    },
    remove: async () => {
      await connections.write.run(CLEAR, []);
      await connections.write.run("UPDATE millrace.meta SET value = $1 WHERE name = 'id_secret'", [newIdSecret()]);
      empty.push(schema);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const REWRITE = `UPDATE millrace.stage SET next = (SELECT id FROM millrace.stage AS following WHERE following.name = $1::text
  AND following.kind = stage.kind ORDER BY id DESC LIMIT 1) WHERE name = $2 AND kind = (SELECT id FROM millrace.kind WHERE name = $3)`;

/** The connections are lent to the stores of one test after the other. */
interface Schema {
  url: string;
  connections: Connections;
}

function newSchema(url: string): Schema {
  const connections = new Connections(new DatabaseTarget(url));
  beforeRemoval(() => connections.close());
  return { url, connections };
}

/** Making a schema takes a hundred times as long as emptying one, so the next test gets this one. */
const CLEAR = [
  ...[
    "lane",
    "instance",
    "bundle",
    "job",
    "finished",
    "attempt",
    "step",
    "log",
    "unique_key",
    "follower",
    "follower_caller",
    "throttle",
    "idempotency",
    "window_entry",
  ],
  ...[
    "limiter",
    "limiter_use",
    "schedule",
    "artifact",
    "api_key",
    "session",
    "audit",
    "job_share",
    "shared",
    "link",
    "worker",
    "record",
    "wait",
    "signal",
    "signal_caller",
    "stream",
    "stream_part",
    "event",
    "event_field",
    "workflow",
    "undo",
    "edge",
    "tree",
    "batch",
    "left_work",
    "operation",
    "operation_part",
    "operation_done",
    "outbox",
    "outbox_applied",
    "place",
    "place_due",
    "concurrency_limit",
  ],
  ...["outbox", "outbox_applied"],
  ...["deployment_plan", "deployment", "stage", "plan", "kind", "tenant"],
]
  .map((table) => `DELETE FROM millrace.${table};`)
  .concat("DELETE FROM millrace.meta WHERE name IN ('leader', 'names_version', 'limits_version');")
  .concat("ALTER SEQUENCE millrace.audit_id_seq RESTART; ALTER SEQUENCE millrace.job_key RESTART;")
  .join(" ");
