// runtimes: bun, node or node22

import assert from "node:assert/strict";
import { readdirSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { cli, NOTHING_WARM } from "../../support/cli.ts";
import { engineRoot, type Program, temporaryFolder } from "../../support/program.ts";
import { until } from "../../support/until.ts";

const LIBRARY = JSON.stringify(join(engineRoot, "src/index.ts"));

/** `word` is what a `quick` job returns; a `slow` job ends only when it is aborted, and then returns the word too. */
function writeKinds(folder: string, name = "quick"): void {
  writeFileSync(
    join(folder, "kinds.ts"),
    `import { defineKind } from ${LIBRARY};
import { word } from "./word.ts";
const payload = { "~standard": { version: 1 as const, vendor: "test", validate: (value: unknown) => ({ value }) } };
export const quick = defineKind({ name: "${name}", payload, run: async () => word() });
export const slow = defineKind({ name: "slow", payload, run: (ctx) => word() === "two" ? word() : new Promise((_, reject) => {
  ctx.signal.addEventListener("abort", () => reject(ctx.signal.reason));
}) });
export const failing = defineKind({ name: "failing", payload, maxAttempts: 1, run: async () => { throw new Error("It broke."); } });
`,
  );
}

const writeWord = (folder: string, text: string) =>
  writeFileSync(join(folder, "word.ts"), `export const word = (): string => "${text}";\n`);

function develop(t: TestContext, folder: string): Program {
  // With a setting that names none, the workloads of the repository are not loaded.
  const env = { ...NOTHING_WARM, MILLRACE_LOAD: "", NO_COLOR: "1" };
  return cli(t, ["dev", "--load", "./kinds.ts", "--port", "0", "--grace", "300ms"], env, folder);
}

async function submit(url: string, kind: string): Promise<string> {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ kind, payload: {} });
  const answer = await fetch(`${url}/jobs`, { method: "POST", headers, body });
  const { jobId, error } = (await answer.json()) as { jobId?: string; error?: string };
  assert.ok(jobId, error);
  return jobId;
}

async function result(url: string, jobId: string): Promise<unknown> {
  const answer = await fetch(`${url}/jobs/${jobId}?wait=20`);
  const { state, result, error } = (await answer.json()) as Record<string, unknown>;
  return state === "completed" ? result : error;
}

const runs = async (url: string) => result(url, await submit(url, "quick"));

async function isRefused(url: string): Promise<boolean> {
  return fetch(url).then(
    () => false,
    () => true,
  );
}

describe("millrace dev", () => {
  test("runs new code after a save, old code while a save does not load, and answers all the time", async (t) => {
    const folder = temporaryFolder(t);
    writeWord(folder, "one");
    writeKinds(folder);
    const program = develop(t, folder);
    const [, url = ""] = await program.said(/listens on (http:\S+)/);
    assert.match(program.stderr(), /Kinds +failing, quick, slow\n.*\n +Watching +kinds\.ts and 1 imported file/);
    assert.equal(await runs(url), "one");
    const slow = await submit(url, "slow");
    await submit(url, "failing");
    await program.said(/It broke\.[^\n]*kinds\.ts[^\n]*"attempt failed"/);
    const calls = callUntil(url, () => /\+other/.test(program.stderr()));

    // Saved several times in a row: the last one counts.
    for (const text of ["a", "b", "c", "two"]) writeWord(folder, text);
    await program.said(/Reloaded in \d+ ms: word\.ts changed\./);
    await until("the last save runs", async () => (await runs(url)) === "two");
    assert.equal(await result(url, slow), "two", "a job that outlived the grace runs with the new code");
    const reloads = program.stderr().match(/Reloaded/g)?.length ?? 0;
    assert.ok(reloads <= 2, `${reloads} reloads for 4 saves in a row`);

    writeFileSync(join(folder, "word.ts"), "export const word = (): string => ;\n");
    await program.said(/word\.ts:1[\s\S]*Not reloaded: word\.ts changed.*keeps running/);
    assert.equal(await runs(url), "two");
    writeWord(folder, "three");
    writeKinds(folder, "other");
    await program.said(/Reloaded in \d+ ms: .* changed \(kinds: \+other -quick\)/);
    assert.equal(await result(url, await submit(url, "other")), "three");

    assert.deepEqual((await calls).failures, []);
    program.child.kill("SIGINT");
    assert.deepEqual(await program.ended(), { code: 0, signal: null });
    assert.ok(await isRefused(url));
  });

  test("waits for a fix when the first version does not load", async (t) => {
    const folder = temporaryFolder(t);
    writeKinds(folder);
    const program = develop(t, folder);
    const [, url = ""] = await program.said(/Not started: .* (http:\S+) answers 503/);
    assert.match(program.stderr(), /word\.ts/);
    assert.equal((await fetch(`${url}/health`)).status, 503);
    // The missing file appears.
    writeWord(folder, "one");
    await program.said(/Ready in/);
    assert.equal(await runs(url), "one");
    program.child.kill("SIGKILL");
    await program.ended();
    // The worker stops by itself when its supervisor is gone.
    await until("its worker ends", () => !worksIn(folder));
  });
});

/** Requests all the time, over connections that are kept alive where the server allows it. */
async function callUntil(url: string, isDone: () => boolean): Promise<{ failures: string[] }> {
  const failures: string[] = [];
  while (!isDone()) {
    const paths = ["/health", "/kinds", "/ui/"];
    for (const path of paths) {
      const answer = await fetch(url + path).catch((error: Error) => error);
      if (answer instanceof Error) failures.push(`${path}: ${answer.message}`);
      else if (answer.status >= 500) failures.push(`${path}: ${answer.status} ${await answer.text()}`);
      else await answer.body?.cancel();
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return { failures };
}

/** Whether a process runs in this folder. */
function worksIn(folder: string): boolean {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .some((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
      } catch {
        return false;
      }
    });
}
