import assert from "node:assert/strict";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { temporaryFolder } from "../../../../../../test/support/program.ts";
import { NO_EVENTS } from "../../contract/thread.ts";
import { NO_LIMITS } from "../../no-limits.ts";
import type { Call, CallReply } from "../../thread/calls.ts";
import { Core } from "../core.ts";
import { runGroup } from "../thread/group.ts";

const FULL = 2;
const NAME = { space: "notes", tenant: "default", key: "a" };

test("a put and a delete wait for the disk before they are answered", (t) => {
  const core = open(t);
  const calls: Call[] = [
    { verb: "putRecord", args: [{ ...NAME, value: "1" }] },
    { verb: "deleteRecord", args: [NAME] },
  ];
  for (const call of calls) {
    runGroup(core, [{ verb: "lead", args: [1_000] }], assert.fail);
    assert.ok(synchronous(core) < FULL, "the call before did not wait");
    const [reply] = runGroup(core, [call], assert.fail);
    assert.ok(reply && "ok" in reply);
    assert.equal(synchronous(core), FULL);
  }
});

test("a full disk refuses puts, as it does submissions; records can be deleted", (t) => {
  const core = open(t);
  const ask = (call: Call) => runGroup(core, [call], assert.fail)[0] as CallReply;
  assert.ok("ok" in ask({ verb: "putRecord", args: [{ ...NAME, value: "1" }] }));
  core.room.exhausted();
  const refused = ask({ verb: "putRecord", args: [{ ...NAME, value: "2" }] });
  assert.equal("error" in refused && refused.error.code, "disk-full");
  assert.deepEqual(ask({ verb: "deleteRecord", args: [NAME] }), { ok: true });
});

function open(t: TestContext): Core {
  const path = join(temporaryFolder(t), "jobs.db");
  const options = { path, leaseMs: 15_000, instanceName: "test", limits: NO_LIMITS };
  const core = new Core({ ...options, durability: "full" }, NO_EVENTS);
  t.after(() => core.close());
  return core;
}

function synchronous({ db }: Core): number {
  return (db.prepare("PRAGMA main.synchronous").get() as { synchronous: number }).synchronous;
}
