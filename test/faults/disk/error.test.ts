// runtimes: both

// The disk under SQLite fails. One failed fsync may have lost pages that SQLite believes written, so that every such
// error ends the process; the next start recovers, and nothing that was acknowledged is gone.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { until } from "../../support/until.ts";
import { Crew, type Member } from "../support/crew.ts";

const LEASE_MS = 1_000;
const settings = { leaseMs: LEASE_MS };
const FATAL_EXIT = 70;

// Only the calls in question stop at the tracer: else each of the thousands that a start makes does.
const QUICK = ["-f", "--seccomp-bpf"];
const STRACE = strace();
if (STRACE.missing)
  console.log(`disk-error.test: without errors injected by strace (${STRACE.missing}); a size limit stands in`);

/** Which system call fails, and at which of its calls: in the middle of the work, not while the file is opened. */
const INJECTED = STRACE.missing
  ? []
  : [
      { what: "an fsync that fails once", inject: "fsync,fdatasync:error=EIO:when=60" },
      { what: "a write that fails once", inject: "pwrite64:error=EIO:when=150" },
      { what: "a disk that fails from some write on", inject: "pwrite64,fsync,fdatasync:error=EIO:when=150+" },
    ];

for (const { what, inject } of INJECTED) {
  test(`${what} ends the process; the next start finds all that was acknowledged`, { timeout: 60_000 }, async (t) => {
    const calls = inject.slice(0, inject.indexOf(":"));
    const crew = new Crew(t);
    await crew.ready("first", { works: ["single", "five"], settings }).then((first) => first.stop());
    const log = join(crew.folder, "strace.log");
    // -D: the tracer is a grandchild, so that the process we start is the one that works.
    const tracer = [STRACE.path, "-D", ...QUICK, "-qq", "-o", log, "-e", `trace=${calls}`, "-e", `inject=${inject}`];
    await failAndRecover(crew, tracer);
  });
}

test("a file that may not grow ends the process; the next start finds all that was acknowledged", {
  timeout: 60_000,
}, async (t) => {
  const crew = new Crew(t);
  await crew.ready("first", { works: ["single", "five"], settings }).then((first) => first.stop());
  // In blocks of 1 KiB: above the reserve, so that the WAL is what meets the limit. Without the trap the signal would end it.
  const limited = ["bash", "-c", `trap '' XFSZ; ulimit -f ${4_500}; exec "$@"`, "limited"];
  await failAndRecover(crew, limited);
});

test("an app that goes on after the error writes nothing more, and another process takes its work", {
  timeout: 60_000,
}, async (t) => {
  const crew = new Crew(t);
  await crew.ready("first", { works: ["single"], settings }).then((first) => first.stop());
  const limited = ["bash", "-c", `trap '' XFSZ; ulimit -f ${4_500}; exec "$@"`, "limited"];
  const load = { kinds: ["single" as const], pauseMs: 1, lanes: 4 };
  const deaf = await crew.ready("deaf", { settings, works: ["single"], submits: load, staysAfterFatal: true }, limited);
  await until("its disk fails", () => crew.all("fatal", deaf).length > 0, 30_000);
  await deaf.ask({ do: "stop-submitting" });
  const next = await crew.ready("next", { settings, works: ["single"] });
  await crew.allFinished(20_000);
  assert.ok(!deaf.gone);
  assert.equal((await deaf.ask<{ status: string }>({ do: "health" })).status, "error");
  assertNothingWrittenAfterFatal(crew, deaf);
  await crew.kill(deaf);
  await next.stop();
  assert.deepEqual(await crew.found({ leaseMs: LEASE_MS }), []);
});

async function failAndRecover(crew: Crew, before: string[]): Promise<void> {
  const load = { kinds: ["single" as const, "five" as const], pauseMs: 1, lanes: 4 };
  const doomed = crew.start("doomed", { settings, works: ["single", "five"], submits: load }, before);
  await doomed.ready;
  assert.deepEqual(await endOf(doomed), { code: FATAL_EXIT, signal: null }, doomed.words);
  assert.equal(crew.all("fatal", doomed)[0]?.code, "store-failed", "it says so");
  const refused = crew.all("submit-refused", doomed).find((event) => event.key === `${doomed.by} after fatal`);
  assert.equal(refused?.code, "store-failed", "it accepts nothing more");
  assertNothingWrittenAfterFatal(crew, doomed);
  const acknowledged = crew.all("submit-acknowledged", doomed).length;
  assert.ok(acknowledged > 0, "it failed in the middle of the work");

  const next = await crew.ready("next", { settings, works: ["single", "five"] });
  await crew.allFinished(20_000);
  assert.deepEqual(await next.stop(), { code: 0, signal: null }, next.words);
  assert.deepEqual(await crew.found({ leaseMs: LEASE_MS }), []);
  console.log(`disk-error.test: ${acknowledged} acknowledged before the error, all there after the next start`);
}

async function endOf(member: Member): Promise<{ code: number | null; signal: string | null }> {
  await until(`${member.by} ends by itself`, () => member.gone, 30_000);
  return member.exited;
}

/** SQLite itself would go on after a failed fsync. */
function assertNothingWrittenAfterFatal(crew: Crew, doomed: Member): void {
  const events = crew.eventsOf(doomed);
  const after = events.slice(events.findIndex((event) => event.type === "fatal"));
  const written = after.filter(
    (event) => event.type === "settled" || event.type === "submit-acknowledged" || event.type === "claimed",
  );
  assert.deepEqual(written, [], "after the error nothing more is called written");
}

function strace(): { path: string; missing?: string } {
  const tried = spawnSync(
    "strace",
    [...QUICK, "-qq", "-o", "/dev/null", "-e", "trace=fsync", "-e", "inject=fsync:error=EIO", "true"],
    { encoding: "utf8" },
  );
  const missing = tried.error?.message ?? (tried.status === 0 ? undefined : tried.stderr.trim());
  return missing === undefined ? { path: "strace" } : { path: "", missing };
}
