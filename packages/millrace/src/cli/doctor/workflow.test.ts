import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { Millrace, sqlite } from "../../index.ts";
import { fileFindings } from "./file.ts";
import { workflowFindings } from "./workflow.ts";

const words = (report: Parameters<typeof workflowFindings>[0], limit = 10) =>
  workflowFindings(report, limit).map(({ check, state, text }) => `${state} ${check}: ${text}`);

test("events are told beside their limit, and warned of before it refuses more", () => {
  const withEvents = (count: number, limit?: number) =>
    words({ leftBehind: 0, mostEvents: { tenant: "acme", count } }, limit)[0];
  assert.equal(words({ leftBehind: 0 })[0], "ok events: none is kept");
  assert.equal(withEvents(7), 'ok events: the tenant "acme" has most: 7 of 10');
  assert.equal(withEvents(8), 'warn events: the tenant "acme" has most: 8 of 10');
  assert.equal(withEvents(8, 0), 'ok events: the tenant "acme" has most: 8', "there is no limit");
  assert.deepEqual(words(undefined), [], "the schema is not that of this version");
});

test("a file says what its tenants keep, and what no process has done", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "millrace-doctor-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "jobs.db");
  const millrace = await Millrace.open({ store: sqlite(path), kinds: [], log: false });
  for (const tenant of ["a", "b", "b"]) await millrace.publish("order.paid", { n: 1 }, { tenant });
  await millrace.stop();
  const found = (check: string) => {
    const { state, text } = fileFindings(path, Date.now(), 2).find((finding) => finding.check === check) ?? {};
    return `${state} ${text}`;
  };
  assert.equal(found("events"), 'warn the tenant "b" has most: 2 of 2');
  assert.equal(found("follow-up work"), "ok none is overdue");
  const db = new DatabaseSync(path);
  db.exec(`INSERT INTO left_work (what, ref, at) VALUES (1, 1, ${Date.now() - 61_000}), (1, 2, ${Date.now()})`);
  db.close();
  assert.match(found("follow-up work"), /^warn 1 task overdue by more than a minute/);
});
