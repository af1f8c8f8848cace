// An example of examples/ in a place of its own: its packages from its lockfile, Millrace as npm would publish it.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { promisify } from "node:util";
import { unpacked } from "../../support/packed.ts";
import { type Program, root, run, temporaryFolder } from "../../support/program.ts";
import { npmSettings, pathWithRuntimes } from "./new-project.ts";

const execute = promisify(execFile);
const LEFT_OUT = /\/(node_modules|dist|\.next|data)(\/|$)|jobs\.db/;

/** The folder of the installed example. */
export async function installedExample(t: TestContext, name: string): Promise<string> {
  const place = temporaryFolder(t);
  const folder = join(place, "examples", name);
  const source = join(root, "examples", name);
  cpSync(source, folder, { recursive: true, filter: (file) => !LEFT_OUT.test(file.slice(source.length)) });
  // Its package.json says file:../../packages/millrace.
  await unpacked("millrace", join(place, "packages"));
  const flags = ["--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"];
  const env = { ...process.env, ...npmSettings(), PATH: pathWithRuntimes() };
  await execute("npm", ["ci", ...flags], { cwd: folder, env });
  return folder;
}

/** Runs a program of node_modules/.bin to its end. */
export async function runs(t: TestContext, folder: string, command: readonly string[]): Promise<string> {
  const [bin = "", ...args] = command;
  const env = { PATH: pathWithRuntimes(), NEXT_TELEMETRY_DISABLED: "1" };
  const program = run(t, [join(folder, "node_modules/.bin", bin), ...args], { cwd: folder, env });
  const said = () => program.stdout() + program.stderr();
  assert.deepEqual(await program.ended(), { code: 0, signal: null }, said());
  return said();
}

const COOKIE = { cookie: "session=change-me" };

/** What every example has to do below /millrace: keep strangers out, run a job, stream, show the dashboard. */
export async function servesMillrace(url: string): Promise<void> {
  const base = `${url.replace(/\/+$/, "")}/millrace`;
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(base + path, { ...init, headers: { ...COOKIE, "content-type": "application/json" } });
  assert.match(await (await fetch(url)).text(), /The application/);
  assert.equal((await fetch(`${base}/jobs`)).status, 401);

  const gone = new AbortController();
  const feed = (await ask("/live", { signal: gone.signal })).body?.getReader();
  const submitted = await ask("/jobs", {
    method: "POST",
    body: JSON.stringify({ kind: "greet", payload: { name: "Ada" } }),
  });
  assert.equal(submitted.status, 201, await submitted.clone().text());
  const { jobId } = (await submitted.json()) as { jobId: string };
  assert.partialDeepStrictEqual(await (await ask(`/jobs/${jobId}?wait=30`)).json(), {
    state: "completed",
    result: "Hello Ada",
  });
  let streamed = "";
  while (!streamed.includes(jobId)) {
    const part = await feed?.read();
    assert.ok(part && !part.done, `the live feed ended without the job: ${streamed}`);
    streamed += new TextDecoder().decode(part.value);
  }
  gone.abort();

  const refused = await ask("/jobs", { method: "POST", body: "{" });
  assert.equal(refused.status, 400);
  const page = await ask("/ui/");
  const [, script = ""] = /src="([^"]+\.js)"/.exec(await page.text()) ?? [];
  assert.equal((await fetch(new URL(script, page.url), { headers: COOKIE })).status, 200);
}

export async function endsWell(program: Program): Promise<void> {
  program.child.kill("SIGTERM");
  assert.deepEqual(await program.ended(), { code: 0, signal: null }, program.stdout() + program.stderr());
}
