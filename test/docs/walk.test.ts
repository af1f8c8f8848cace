// runtimes: node
// time-limit: 180 s
// What the README and the first guide tell a newcomer to type, typed: the very blocks, against a real server.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { ALL_WORKLOADS, serving } from "../support/cli.ts";
import { engineRoot, run, temporaryFolder } from "../support/program.ts";
import { type Block, blocksUnder } from "./support/blocks.ts";

const WALK = blocksUnder("README.md", "## See it work: submit, fail, revive, measure");
const START = blocksUnder("docs/start.md", "# The first five minutes");
const ADDRESS = "http://127.0.0.1:3000";

/** Side by side, each with a server of its own: they mostly wait, as the newcomer does. */
const walks: [name: string, done: (t: TestContext) => Promise<void>][] = [];
const walk = (...each: (typeof walks)[number]) => walks.push(each);

walk("the README's walk by curl: a job fails, is revived, and shows in the metrics", async (t) => {
  const said = await shell(t, block(WALK, "sh", 0));
  const [ended, dlq, revived, metrics] = answers(said);
  assert.partialDeepStrictEqual(ended, { state: "failed", retries: 3, error: 'The text "fail" fails every time.' });
  assert.equal(dlq["items"][0].jobId, ended["jobId"]);
  assert.partialDeepStrictEqual(revived, { retryOf: ended["jobId"], payload: { text: "ok" } });
  assert.partialDeepStrictEqual(metrics, { jobsSubmitted: 2, jobsFailed: 1, dlq: 0 });
});

walk("the README's walk by the command line", async (t) => {
  const said = await shell(t, block(WALK, "sh", 1));
  assert.match(said, /job_\w{8} failed: The text "fail" fails every time/);
  assert.match(said, /JOB +KIND +FAILED[\s\S]*text\/running/, "the dead letter is listed");
  assert.match(said, /1 job revived/);
  assert.match(said, /submitted +2/, "the metrics");
});

walk("the first five minutes of the guide", async (t) => {
  const said = await shell(t, block(START, "sh", 1));
  const [hello, bad, attempts, dlq, revived, metrics] = answers(said);
  assert.partialDeepStrictEqual(hello, { state: "completed", payload: { text: "hello" } });
  assert.partialDeepStrictEqual(bad, { state: "failed", error: 'Text contains "forbidden"' });
  assert.equal(attempts["attempts"].length, 3);
  assert.equal(dlq["items"].length, 1);
  assert.equal(revived["retryOf"], bad["jobId"]);
  assert.equal(metrics["jobsSubmitted"], 3);
});

test("what a newcomer is told to type works", async (t) => {
  const ended = await Promise.allSettled(walks.map(([, done]) => done(t)));
  const failed = ended.flatMap((end, i) => (end.status === "rejected" ? [`${walks[i]?.[0]}: ${end.reason}`] : []));
  assert.deepEqual(failed, []);
});

function block(blocks: Block[], language: string, index: number): string {
  const found = blocks.filter((each) => each.language === language)[index];
  assert.ok(found, `there is no block ${index} of ${language}`);
  return found.code;
}

/** As typed, but for the address; `npx millrace` is the command of this clone. */
async function shell(t: TestContext, code: string): Promise<string> {
  const { url, folder } = await server(t);
  const bin = join(folder, "bin");
  mkdirSync(bin);
  writeFileSync(
    join(bin, "npx"),
    `#!/bin/sh\nshift\nexec node ${JSON.stringify(join(engineRoot, "bin/millrace.js"))} "$@"\n`,
    {
      mode: 0o755,
    },
  );
  const script = `${code.replaceAll(ADDRESS, url).replaceAll(/^(?=curl)/gm, "echo; ")}\n`;
  const env = { MILLRACE_URL: url, PATH: `${bin}:${process.env["PATH"]}` };
  const typed = run(t, ["sh", "-c", script], { cwd: folder, env });
  assert.deepEqual(await typed.ended(), { code: 0, signal: null }, typed.stderr());
  return typed.stdout() + typed.stderr();
}

async function server(t: TestContext) {
  return serving(t, { ...ALL_WORKLOADS, RETRY_BASE_MS: "1", LOG_LEVEL: "info" }, [], temporaryFolder(t));
}

/** Each answer of curl is a line of JSON. */
// biome-ignore lint/suspicious/noExplicitAny: of many shapes, each looked into by its test
function answers(said: string): [any, any, any, any, any, any] {
  const lines = said.split("\n").filter((line) => line.startsWith("{"));
  return lines.map((line) => JSON.parse(line)) as never;
}
