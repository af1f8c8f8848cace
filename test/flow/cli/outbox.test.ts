// runtimes: bun or node
// The commands of outboxes: they create tables in a database of the application, and show what waits.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { defineKind, Millrace, sqlite } from "millrace";
import { outbox } from "millrace/outbox";
import { z } from "zod";
import { cli, output } from "../../support/cli.ts";
import { temporaryFolder } from "../../support/program.ts";
import { until } from "../../support/until.ts";

const noted = defineKind({ name: "noted", payload: z.object({}), run: () => null });

test("outbox init creates the tables of a file, and outbox status shows what waits", async (t) => {
  const folder = temporaryFolder(t);
  const app = join(folder, "app.db");
  assert.match(await output(t, ["outbox", "init", app]), /millrace_outbox, millrace_step and millrace_meta exist/);
  // Again it changes nothing.
  const db = new (process.getBuiltinModule("node:sqlite").DatabaseSync)(app);
  t.after(() => db.close());
  const identity = () => db.prepare("SELECT value FROM millrace_meta").all();
  const before = identity();
  await output(t, ["outbox", "init", app]);
  assert.deepEqual(identity(), before);

  const jobs = join(folder, "jobs.db");
  db.prepare("INSERT INTO millrace_outbox (id, kind, payload) VALUES ('1', 'other', '{}')").run();
  const millrace = await Millrace.open({
    store: sqlite(jobs),
    kinds: [noted],
    outboxes: [outbox.sqlite(app, { label: "shop" })],
    log: false,
  });
  t.after(() => millrace.stop());
  await until("the row is seen", async () => (await millrace.admin.outboxes())[0]?.waiting === 1);
  const shown = await output(t, ["outbox", "status", "--db", jobs]);
  assert.match(shown, /OUTBOX +WAITING +LAG/);
  assert.match(shown, /shop +1 .*"other"/);
  const [status] = JSON.parse(await output(t, ["outbox", "status", "--db", jobs, "--json"])).outboxes;
  assert.equal(status.label, "shop");
});

test("outbox init prints the statements of each kind of database", async (t) => {
  for (const [address, word] of [
    ["app.db", "julianday"],
    ["postgres://localhost/app", "clock_timestamp"],
    ["mysql://localhost/app", "ENGINE = InnoDB"],
  ] as const) {
    const printed = await output(t, ["outbox", "init", address, "--print"]);
    assert.ok(printed.includes(word), printed);
    assert.equal(printed.match(/CREATE TABLE IF NOT EXISTS/g)?.length, 3);
  }
});

test("outbox init says that it needs the driver of MySQL", async (t) => {
  const program = cli(t, ["outbox", "init", "mysql://localhost/app"]);
  assert.equal((await program.ended()).code, 1);
  assert.match(program.stderr(), /mysql2 is not installed in this folder/);
});
