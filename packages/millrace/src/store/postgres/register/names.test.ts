// runtimes: bun
import assert from "node:assert/strict";
import { test } from "node:test";
import { freshDatabase, removeDatabasesAfterwards } from "../../../../../../test/support/postgres.ts";
import { planOf } from "../../contract/rig.ts";
import { NO_EVENTS } from "../../contract/thread.ts";
import { Connections } from "../connection/connections.ts";
import { DatabaseTarget } from "../connection/target.ts";
import { PostgresStore } from "../store.ts";
import { Names } from "./names.ts";

removeDatabasesAfterwards();

const REGISTRATIONS = 20;

test("a process that reads kinds and stages while another registers them knows the kind of every stage", async (t) => {
  const url = await freshDatabase();
  const store = new PostgresStore({ url });
  const connections = new Connections(new DatabaseTarget(url));
  t.after(async () => {
    await connections.close();
    await store.close();
  });
  await store.open(NO_EVENTS);
  const names = new Names(connections, () => null);
  let isOver = false;
  const reads = async () => {
    while (!isOver) {
      await names.load();
      for (const stage of names.allStages()) assert.equal(names.rules(stage.kind).name, stage.kindName);
    }
  };
  const reading = reads();
  reading.catch(() => {});
  for (let n = 0; n < REGISTRATIONS; n++) await store.register([planOf(`kind ${n}`, ["first", "second"])]);
  isOver = true;
  await reading;
  await names.load();
  assert.equal(names.allStages().filter(({ name }) => name === "second").length >= REGISTRATIONS, true);
});
