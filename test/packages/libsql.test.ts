// runtimes: both
// time-limit: 600 s
// packages only
// An outbox in a database of libSQL. Its client has a lockfile of its own, and binaries that npm brings.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { defineKind, Millrace, sqlite } from "millrace";
import { type OutboxTransaction, outbox } from "millrace/outbox";
import { z } from "zod";
import { oncePerRun } from "../support/packed.ts";
import { root } from "../support/program.ts";
import { until } from "../support/until.ts";
import { npmSettings, pathWithRuntimes } from "./support/new-project.ts";

const execute = promisify(execFile);
const TIMEOUT_MS = 300_000;
const INSERT_ORDER = "INSERT INTO customer_order (id) VALUES (?)";

const charge = defineKind({
  name: "charge",
  payload: z.object({ order: z.number() }),
  run: (_ctx, { order }) => ({ charged: order }),
});

interface Transaction {
  execute(statement: { sql: string; args: unknown[] }): Promise<{ rows: ArrayLike<Record<string, unknown>> }>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
}
interface Client extends Pick<Transaction, "execute"> {
  transaction(mode: "write"): Promise<Transaction>;
  executeMultiple(statements: string): Promise<void>;
  close(): void;
}

async function openClient(t: TestContext): Promise<{ client: Client; folder: string }> {
  const project = await oncePerRun("libsql", async (folder) => {
    cpSync(join(root, "test/packages/fixtures/libsql"), folder, { recursive: true });
    const env = { ...process.env, ...npmSettings(), PATH: pathWithRuntimes() };
    const flags = ["--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    await execute("npm", ["ci", ...flags], { cwd: folder, env });
  });
  const entry = pathToFileURL(join(project, "node_modules/@libsql/client/lib-esm/node.js")).href;
  const { createClient }: { createClient(config: { url: string }): Client } = await import(entry);
  const folder = mkdtempSync(join(tmpdir(), "millrace-libsql-"));
  const client = createClient({ url: pathToFileURL(join(folder, "app.db")).href });
  t.after(() => {
    client.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { client, folder };
}

describe("an outbox in libSQL", { timeout: TIMEOUT_MS }, () => {
  test("has a job for each row that is committed, and no other", async (t) => {
    const { client, folder } = await openClient(t);
    const database = outbox.libsql(client, { pollMs: 20 });
    await client.executeMultiple("PRAGMA journal_mode = WAL; CREATE TABLE customer_order (id INTEGER PRIMARY KEY)");
    await assert.rejects(outbox.within(client as OutboxTransaction).submit(charge, { order: 0 }), {
      code: "table-missing",
    });
    await database.init();
    await database.init();

    const store = sqlite(join(folder, "jobs.db"));
    const millrace = await Millrace.open({ store, kinds: [charge], outboxes: [database], log: false });
    t.after(() => millrace.stop());
    const order = async (id: number, how: "commit" | "rollback") => {
      const tx = await client.transaction("write");
      await tx.execute({ sql: INSERT_ORDER, args: [id] });
      const options = { tags: ['with "quotes" and \\'], tenant: "acme" };
      await outbox.within(tx as OutboxTransaction).submit(charge, { order: id }, options);
      await tx[how]();
    };
    await order(1, "commit");
    await order(2, "rollback");
    await order(3, "commit");
    const rowsOf = async (sql: string) => Array.from((await client.execute({ sql, args: [] })).rows);
    await until("two jobs have completed", async () => (await millrace.count({ status: "completed" })) === 2);
    await until("the rows are deleted", async () => (await rowsOf("SELECT id FROM millrace_outbox")).length === 0);
    const jobs = await millrace.list({ tenant: "acme" });
    assert.deepEqual(jobs.map(({ result }) => (result as { charged: number }).charged).sort(), [1, 3]);
    assert.deepEqual(jobs[0]?.tags, ['with "quotes" and \\']);
    const orders = (await rowsOf("SELECT id FROM customer_order ORDER BY id")).map(({ id }) => id);
    assert.deepEqual(orders, [1, 3]);
  });
});
