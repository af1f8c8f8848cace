// What a confined processor is denied, tried in earnest: the claims of `confinement()`, of the log and of `millrace doctor` have
// to be true on whatever machine this runs on.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Confinement, ConfinementWords } from "../../../packages/millrace/src/index.ts";
import { isGone, processIdentity } from "../../../packages/millrace/src/lib/runtime/process-identity.ts";
import { engineRoot, type Program, RUNTIME, root, run } from "../../support/program.ts";
import { until } from "../../support/until.ts";
import type { Tried } from "../modules/escape-thread.ts";

interface Report {
  held: Confinement;
  words: ConfinementWords;
  tried: Tried[];
  alive: boolean[];
  logged: { event: string; denied?: string[]; open?: string[] }[];
  fill: string;
}

/** As on a machine that gives its users no namespaces. */
const FORBIDDEN = [
  "unshare",
  "--map-root-user",
  "sh",
  "-c",
  'echo 0 >/proc/sys/user/max_user_namespaces && exec "$@"',
  "sh",
];

test("a confined processor reaches what it is said to reach on this machine, and nothing else", async (t) => {
  const report = await escapes(t);
  assertTrue(report);
  assert.equal(report.fill, "out-of-memory", "the memory cap is known as the cause");
  assertDoctorAgrees(report, []);
});

test("the claims are true too where the machine forbids namespaces", async (t) => {
  if (spawnSync(FORBIDDEN[0] as string, [...FORBIDDEN.slice(1), "true"]).status !== 0)
    return t.skip("this machine does not let us make, and so forbid, namespaces");
  const report = await escapes(t, FORBIDDEN);
  assert.equal(report.held.signals, "allowed");
  assertTrue(report);
  assertDoctorAgrees(report, FORBIDDEN);
});

test("when the parent is killed, a confined child that spins goes too", async (t) => {
  const program = start(t, [...RUNTIME, ESCAPE, folderOf(t), "spin"]);
  await program.said(/spins/);
  const places = await until("the child spins", () => {
    const pids = descendants(program.child.pid as number);
    return pids.some((pid) => processorTicks(pid) > 20) && pids.flatMap((pid) => processIdentity(pid) ?? []);
  });
  process.kill(program.child.pid as number, "SIGKILL");
  for (const place of places) await until("it is gone", () => isGone(place));
});

const ESCAPE = join(root, "test/flow/scripts/escape.ts");

async function escapes(t: TestContext, prefix: readonly string[] = []): Promise<Report> {
  const program = start(t, [...prefix, ...RUNTIME, ESCAPE, folderOf(t)]);
  assert.equal((await program.ended()).code, 0, program.stderr());
  return JSON.parse(program.stdout());
}

/** A program that is killed leaves its socket file behind. */
function start(t: TestContext, command: readonly string[]): Program {
  const program = run(t, command, { env: { SECRET: "xyzzy" } });
  t.after(() => rmSync(`/var/tmp/millrace-escape-${program.child.pid}.sock`, { force: true }));
  return program;
}

/** Not in /tmp, which a confined processor does not see at all. */
function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(root, "node_modules/.escape-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function assertTrue({ held, words, tried, alive, logged }: Report): void {
  const wrong = tried.filter(({ part, name, open }) => open !== isOpen(held, part, name));
  assert.deepEqual(wrong, []);
  const parts = Object.keys(held) as (keyof Confinement)[];
  assert.deepEqual(
    parts.filter((part) => !tried.some((each) => each.part === part)),
    [],
    "every claim is tried",
  );
  if (held.signals === "namespace") assert.deepEqual(alive, [true, true, true]);
  const said = logged.filter(({ event }) => event === "processors are confined");
  assert.deepEqual(
    said.map(({ denied, open }) => ({ denied, open })),
    [words],
    "the log says so once",
  );
}

/** Where files may not grow, a write by the runtime fails too; a mapped file is not written to in that sense. */
const STOPPED_BY_LIMIT = ["grow", "overwrite"];
/** A program that cannot be started does nothing. */
const BY_A_PROGRAM = /by a program|unmount/;

function isOpen(held: Confinement, part: keyof Confinement, name: string): boolean {
  if (BY_A_PROGRAM.test(name) && held.programs === "permissions") return false;
  // Nothing is mounted over what nobody hides.
  if (name === "unmount") return false;
  const holder = held[part];
  if (holder === "limit") return !STOPPED_BY_LIMIT.includes(name);
  return holder === "allowed" || holder === "globals" || holder === "inside";
}

function assertDoctorAgrees({ words }: Report, prefix: readonly string[]): void {
  const [command = "", ...args] = [...prefix, ...RUNTIME, join(engineRoot, "src/cli/main.ts"), "doctor", "--json"];
  const { stdout } = spawnSync(command, args, { encoding: "utf8", cwd: "/", env: { PATH: process.env["PATH"] } });
  const texts = (JSON.parse(stdout).findings as { text: string }[]).map(({ text }) => text);
  assert.ok(texts.includes(`confined processors cannot ${words.denied.join("; ")}`));
  assert.ok(texts.includes(`confined processors can ${words.open.join("; ")}`));
}

function descendants(pid: number): number[] {
  const children = readIfThere(`/proc/${pid}/task/${pid}/children`).trim().split(" ").filter(Boolean).map(Number);
  return children.flatMap((child) => [child, ...descendants(child)]);
}

function processorTicks(pid: number): number {
  const [, fields = ""] = readIfThere(`/proc/${pid}/stat`).split(") ");
  return Number(fields.split(" ")[11] ?? 0);
}

/** A process that tries what the machine permits ends at any moment. */
function readIfThere(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
