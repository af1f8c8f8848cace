// runtimes: bun

import assert from "node:assert/strict";
import { readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { Connections } from "../../../packages/millrace/src/store/postgres/connection/connections.ts";
import { DatabaseTarget } from "../../../packages/millrace/src/store/postgres/connection/target.ts";
import {
  MIGRATIONS as DATABASE_MIGRATIONS,
  SCHEMA_VERSION as DATABASE_SCHEMA,
  migrate as migrateDatabase,
} from "../../../packages/millrace/src/store/postgres/migrations/migrate.ts";
import { DatabaseSync } from "../../../packages/millrace/src/store/sqlite/connection/driver.ts";
import {
  MIGRATIONS as FILE_MIGRATIONS,
  SCHEMA_VERSION as FILE_SCHEMA,
  migrate as migrateFile,
} from "../../../packages/millrace/src/store/sqlite/migrations/migrate.ts";
import { cli } from "../../support/cli.ts";
import { freshDatabase, removeDatabasesAfterwards } from "../../support/postgres.ts";
import { temporaryFolder } from "../../support/program.ts";

removeDatabasesAfterwards();

test("millrace migrate creates a schema, brings an older one up to date, and says from where to where", async (t) => {
  const file = join(temporaryFolder(t), "jobs.db");
  const url = await freshDatabase();
  const olderFile = async () => {
    for (const each of readdirSync(dirname(file))) rmSync(join(dirname(file), each));
    const db = new DatabaseSync(file);
    db.prepare("ATTACH ? AS artifacts").run(file.replace(".db", ".artifacts.db"));
    migrateFile(db, FILE_MIGRATIONS.slice(0, -1));
    db.close();
  };
  const olderDatabase = async () => {
    const target = new DatabaseTarget(url);
    const connections = new Connections(target);
    await connections.write.run("DROP SCHEMA millrace CASCADE", []);
    await migrateDatabase(connections.write, target, DATABASE_MIGRATIONS.slice(0, -1));
    await connections.close();
  };
  for (const [db, makeOlder, newest] of [
    [file, olderFile, FILE_SCHEMA],
    [url, olderDatabase, DATABASE_SCHEMA],
  ] as const) {
    const migrate = async (...flags: string[]) => {
      const program = cli(t, ["migrate", "--db", db, ...flags]);
      const { code } = await program.ended();
      return [code, program.stdout().trim(), program.stderr()].join(" ");
    };
    assert.match(await migrate("--check"), /^3 .*has no schema yet/);
    assert.match(await migrate(), new RegExp(`^0 Created schema ${newest} in `));
    assert.match(await migrate(), new RegExp(`^0 .* already has schema ${newest}\\.`));
    await makeOlder();
    assert.match(await migrate("--check"), new RegExp(`^3 .* migrates it to schema ${newest}\\.`));
    assert.match(await migrate(), new RegExp(`^0 Migrated .* from schema ${newest - 1} to schema ${newest}\\.`));
    assert.match(await migrate("--check"), /^0 .* needs no migration/);
    assert.match(await migrate("--json"), new RegExp(`"from": ${newest},\\s+"to": ${newest}`));
  }
});

test("millrace migrate says why it cannot, by exit code and sentence", async (t) => {
  const away = cli(t, ["migrate", "--db", "postgres://me:secret@127.0.0.1:1/jobs"]);
  assert.equal((await away.ended()).code, 5);
  assert.match(away.stderr(), /^millrace: .*ECONNREFUSED/);
  assert.doesNotMatch(away.stderr(), /secret/);

  const file = join(temporaryFolder(t), "newer.db");
  await cli(t, ["migrate", "--db", file]).ended();
  const db = new DatabaseSync(file);
  db.exec("PRAGMA user_version = 99; UPDATE meta SET value = '99' WHERE name = 'schema_breaking'");
  db.close();
  const newer = cli(t, ["migrate", "--db", file]);
  assert.equal((await newer.ended()).code, 1);
  assert.match(newer.stderr(), /has schema 99; this version of Millrace supports schema \d+.*newer version/s);
});
