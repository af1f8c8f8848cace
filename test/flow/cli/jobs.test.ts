// runtimes: bun
// The commands do the same on both; that the program starts on Node too is shown by cli.test.ts, which is quick.
// time-limit: 300 s

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { cli, freePort, kindsFile, serving } from "../../support/cli.ts";
import { temporaryFolder } from "../../support/program.ts";

const FAST = { RETRY_BASE_MS: "1", RETRY_MAX_MS: "1" };

async function server(t: TestContext, env: Readonly<Record<string, string>> = {}) {
  const folder = temporaryFolder(t);
  return serving(t, { ...FAST, ...env }, ["--load", kindsFile(folder)], folder);
}

describe("millrace submit", () => {
  test("gives the job's id; with --wait its result, or exit code 6", async (t) => {
    const { call, json } = await server(t);
    assert.match((await call("submit", "quick", "{}")).stdout, /^job_\w{8} {2}(pending|running|completed)\n$/);
    const done = await call("submit", "quick", '{"a":[1,"ü"]}', "--wait");
    assert.deepEqual([done.code, JSON.parse(done.stdout)], [0, { got: { a: [1, "ü"] } }]);
    const failed = await call("submit", "failing", "1", "--wait");
    assert.deepEqual([failed.code, failed.stdout], [6, ""]);
    assert.match(failed.stderr, /^millrace: job_\w{8} failed: It broke \ufffd\[31mbadly\./);
    const { retries, state } = await json("submit", "failing", "1", "--max-retries", "1");
    assert.deepEqual([retries, state === "pending" || state === "running" || state === "failed"], [0, true]);
  });

  test("with --wait, Ctrl-C leaves the job and says how to find it again", async (t) => {
    const { program, start, json } = await server(t);
    const waiting = start("submit", "slow", "{}", "--wait");
    const [, jobId = ""] = await program.said(/"jobId":"(job_\w{8})".*"claimed"/);
    assert.equal((await json("jobs", "show", jobId)).inProgress, true);
    waiting.child.kill("SIGINT");
    assert.equal((await waiting.ended()).code, 130);
    assert.match(waiting.stderr(), new RegExp(`${jobId} continues.*millrace jobs wait ${jobId}`));
    assert.equal((await json("jobs", "show", jobId)).inProgress, true);
  });

  test("takes the payload from a file or from standard input, and all options", async (t) => {
    const { call, json, start, folder } = await server(t);
    writeFileSync(join(folder, "payload.json"), '{"from": "file"}');
    const options = ["--priority", "-3", "--delay", "1h", "--tag", "a", "--tag", "b", "--key", "once"];
    const job = await json("submit", "quick", "@payload.json", ...options);
    assert.partialDeepStrictEqual(job, {
      payload: { from: "file" },
      priority: -3,
      tags: ["a", "b"],
      status: "pending",
    });
    assert.ok(Math.abs(Date.parse(job.runAt) - Date.now() - 3_600_000) < 60_000);
    assert.equal((await json("submit", "quick", "@payload.json", ...options)).jobId, job.jobId);
    const other = await call("submit", "quick", "{}", "--key", "once");
    assert.deepEqual([other.code, /idempotency/i.test(other.stderr)], [4, true]);

    const piped = start("submit", "quick", "-", "--wait");
    piped.child.stdin?.end('"piped"');
    assert.equal((await piped.ended()).code, 0);
    assert.deepEqual(JSON.parse(piped.stdout()), { got: "piped" });
  });

  test("says what is wrong, with exit code 2, 3 or 5", async (t) => {
    const { call } = await server(t);
    const nobody = `http://127.0.0.1:${await freePort()}`;
    const expectations = [
      { args: ["submit", "quick"], code: 2, says: /<json\|@file\|-> is missing/ },
      { args: ["submit", "quick", "{oops"], code: 2, says: /payload is not JSON/ },
      { args: ["submit", "quick", "@nowhere.json"], code: 2, says: /could not be read from the file nowhere\.json/ },
      { args: ["submit", "quick", "1", "2"], code: 2, says: /Unexpected argument "2"/ },
      { args: ["submit", "quick", "1", "--delay", "soon"], code: 2, says: /--delay is "soon"\. Allowed/ },
      { args: ["submit", "quick", "1", "--priority", "1.5"], code: 2, says: /--priority is "1\.5"\. Allowed/ },
      {
        args: ["submit", "quick", "1", "2", "--json"],
        code: 2,
        says: /^\{"error":"Unexpected argument \S+2.*\}\n$/,
      },
      { args: ["jobs", "show", "xyz"], code: 3, says: /^millrace: Job not found\n/ },
      { args: ["jobs", "cancel", "job_abc123"], code: 3, says: /^millrace: Job not found\n/ },
      { args: ["jobs", "show", ""], code: 2, says: /jobId must be a non-empty string/ },
      { args: ["submit", "nowhere", "1"], code: 3, says: /Unknown kind "nowhere"/ },
      { args: ["submit", "quick", "1", "--url", nobody], code: 5, says: /connection refused/ },
      { args: ["submit", "quick", "1", "--url", "nonsense"], code: 2, says: /--url is "nonsense"/ },
    ];
    await Promise.all(
      expectations.map(async ({ args, code, says }) => {
        const answer = await call(...args);
        assert.equal(answer.code, code, `${args.join(" ")}: ${answer.stderr}`);
        assert.match(answer.stderr, says);
        assert.equal(answer.stdout, "");
      }),
    );
  });
});

describe("millrace jobs", () => {
  test("list and show a job, for people and for programs", async (t) => {
    const { call, json, folder } = await server(t);
    const { jobId } = await json("submit", "quick", '{"name": "Ada"}', "--tag", "t1");
    await call("jobs", "wait", jobId);
    const listed = await call("jobs", "list", "--kind", "quick", "--tag", "t1", "--since", "1h", "--status", "done");
    assert.match(listed.stdout, /^JOB +KIND +STATUS .*\njob_\w{8} +quick +completed +1\/3 .*\{"name":"Ada"\}\n$/);
    assert.equal((await call("jobs", "list", "--tag", "none")).stdout, "No jobs.\n");
    const { jobs } = await json("jobs", "list", "--limit", "1");
    assert.deepEqual([jobs.length, jobs[0].jobId], [1, jobId]);
    const shown = await call("jobs", "show", jobId);
    for (const part of [jobId, '"name": "Ada"', "copy", "completed"]) assert.ok(shown.stdout.includes(part), part);
    assert.deepEqual((await json("jobs", "show", jobId)).result, { got: { name: "Ada" } });
    assert.match((await call("jobs", "logs", jobId)).stdout, /info {2}at work \{"value":\{"name":"Ada"\}\}/);
    assert.match((await call("jobs", "logs", jobId, "--follow", "--json")).stdout, /^\{.*"message":"at work".*\}\n$/);
    assert.match((await call("jobs", "artifacts", jobId)).stdout, /^NAME +TYPE +BYTES\nnote\.txt +text\/plain +5\n$/);
    assert.deepEqual((await json("jobs", "artifacts", jobId)).artifacts[0].size, 5);
    assert.equal((await call("jobs", "artifacts", jobId, "note.txt")).stdout, "kept\n");
    assert.equal((await call("jobs", "artifacts", jobId, "note.txt", "--out", "copy.txt")).stdout, "");
    assert.equal(readFileSync(join(folder, "copy.txt"), "utf8"), "kept\n");
    assert.equal((await call("jobs", "artifacts", jobId, "other.txt")).code, 3);
    assert.equal((await call("jobs", "artifacts", jobId, "--out", "copy.txt")).code, 2);
    assert.equal((await call("jobs", "forget", jobId)).code, 0);
    assert.equal((await call("jobs", "show", jobId)).code, 3);
  });

  test("cancel a running job, which the one who waits is told; a second cancel is refused", async (t) => {
    const { call, json, start } = await server(t);
    const { jobId } = await json("submit", "slow", "1");
    const waiting = start("jobs", "wait", jobId);
    assert.match((await call("jobs", "cancel", jobId, "--reason", "enough")).stdout, /cancelled/);
    assert.equal((await waiting.ended()).code, 6);
    assert.match(waiting.stderr(), /was cancelled: enough/);
    assert.equal((await call("jobs", "cancel", jobId)).code, 4);
    assert.equal((await call("jobs", "cancel")).code, 2);
    const late = await json("submit", "slow", "1");
    assert.equal((await call("jobs", "wait", late.jobId, "--timeout", "10ms")).code, 1);
    const many = await json("jobs", "cancel", "--kind", "slow", "--status", "running", "--dry-run");
    assert.partialDeepStrictEqual(many, { matched: 1, changed: 0, dryRun: true });
    assert.match((await call("jobs", "cancel", "--kind", "slow", "--status", "running")).stdout, /^1 job cancelled/);
  });

  test("update a pending job, and refuse a running one", async (t) => {
    const { call, json } = await server(t);
    const { jobId } = await json("submit", "quick", '{"a":1}', "--delay", "1h");
    const flags = ["--payload", '{"a":2}', "--priority", "-4", "--tag", "x", "--run-at", "2h"];
    assert.match((await call("jobs", "update", jobId, ...flags)).stdout, new RegExp(`^${jobId} {2}`));
    const job = await json("jobs", "show", jobId);
    assert.partialDeepStrictEqual(job, { payload: { a: 2 }, priority: -4, tags: ["x"], state: "pending" });
    assert.ok(Date.parse(job.runAt) > Date.now() + 5_400_000);
    const empty = await call("jobs", "update", jobId);
    assert.deepEqual([empty.code, /Nothing to change/.test(empty.stderr)], [2, true]);
    await call("jobs", "cancel", jobId);
    assert.equal((await call("jobs", "update", jobId, "--priority", "1")).code, 4);
  });

  test("show what changes with --watch: a line for each state, in a pipe", async (t) => {
    const { json, call, start } = await server(t);
    const { jobId } = await json("submit", "quick", "1", "--delay", "1h");
    const watching = start("jobs", "list", "--watch", "--json");
    const table = start("jobs", "list", "--watch");
    await watching.said(/"state":"pending"/);
    await table.said(/pending/);
    await call("jobs", "cancel", jobId);
    await watching.said(/"state":"cancelled"/);
    await table.said(/cancelled/);
    assert.equal(table.stdout().match(/^JOB /gm)?.length, 2, "not again because a second went by");
    for (const line of watching.stdout().trim().split("\n")) assert.equal(JSON.parse(line).jobs[0].jobId, jobId);
  });
});

describe("millrace dlq", () => {
  test("groups, revives and discards dead letters", async (t) => {
    const { call, json } = await server(t);
    const dead = [await json("submit", "failing", "1"), await json("submit", "failing", "2")];
    for (const { jobId } of dead) await call("jobs", "wait", jobId);
    assert.match((await call("dlq", "list")).stdout, /failing\/running .*It broke/);
    const { groups } = await json("dlq", "groups");
    assert.partialDeepStrictEqual(groups[0], { count: 2, kind: "failing" });
    assert.equal((await call("dlq", "revive")).code, 2);
    assert.match((await call("dlq", "revive", "--all", "--dry-run")).stdout, /^2 jobs would be revived/);
    const revived = await json("jobs", "retry", dead[0].jobId, "--payload", '"other"');
    assert.partialDeepStrictEqual(revived, { retryOf: dead[0].jobId, payload: "other" });
    assert.equal((await call("jobs", "retry", dead[0].jobId)).code, 4);
    await call("jobs", "wait", revived.jobId);
    assert.match((await call("dlq", "discard", revived.jobId, "--dry-run")).stdout, /^1 job would be discarded/);
    const some = await call("dlq", "discard", revived.jobId, "job_00000000");
    assert.match(some.stdout, /^1 job discarded/);
    assert.equal(some.code, 4, "one of them was not there");
    assert.match((await call("dlq", "discard", "--kind", "failing")).stdout, /^1 job discarded/);
    assert.equal((await call("dlq", "list")).stdout, "No dead letters.\n");
  });
});

describe("millrace for operators", () => {
  test("shows kinds, pools, figures, schedules and who did what", async (t) => {
    const { call, json } = await server(t);
    await call("submit", "slow", "1");
    assert.match((await call("kinds")).stdout, /pipeline +second +served/);
    assert.match((await call("pools")).stdout, /slow\/running .*\n[\s\S]*busy +job_\w{8}/);
    assert.match((await call("metrics")).stdout, /submitted +1/);
    assert.match((await call("metrics", "--prometheus")).stdout, /^# (HELP|TYPE)/);
    assert.match((await call("health")).stdout, /^ok/);
    assert.match((await call("pause", "quick")).stdout, /quick {2}paused/);
    assert.match((await call("kinds")).stdout, /quick +running +paused/);
    await call("resume", "quick");
    assert.equal((await call("pause", "nowhere")).code, 3);

    const put = await call("schedules", "put", "weekly", "30 6 * * 1", "quick", "{}", "--zone", "Europe/Berlin");
    assert.match(put.stdout, /^weekly {2}next in /);
    assert.match((await call("schedules", "list")).stdout, /weekly +30 6 \* \* 1 +Europe\/Berlin +quick/);
    assert.equal((await call("schedules", "put", "bad", "61 * * * *", "quick", "{}")).code, 2);
    await call("schedules", "remove", "weekly");
    assert.deepEqual(await json("schedules", "list"), { schedules: [] });
    assert.match((await call("audit")).stdout, /schedule put/);
    assert.match((await call("tenants")).stdout, /default +1 +0/);
  });

  test("needs the key where the server has one; a tenant's key sees its own jobs", async (t) => {
    const { call, json, url, folder } = await server(t, { API_KEY: "root" });
    const { secret, id } = await json("keys", "create", "ci", "--tenant", "acme");
    await call("submit", "quick", "1");
    const as = async (key: string, ...args: string[]) => {
      const program = cli(t, args, { MILLRACE_URL: url, API_KEY: key }, folder);
      return { code: (await program.ended()).code, stdout: program.stdout(), stderr: program.stderr() };
    };
    assert.equal((await as(secret, "submit", "quick", "2", "--wait")).code, 0);
    assert.equal((await as(secret, "jobs", "list", "--json")).stdout.match(/"jobId"/g)?.length, 1);
    assert.equal((await call("jobs", "list", "--tenant", "*", "--json")).stdout.match(/"jobId"/g)?.length, 2);
    assert.equal((await as(secret, "keys", "list")).code, 4);
    const wrong = await as("wrong", "jobs", "list");
    assert.deepEqual([wrong.code, /API_KEY or with --api-key/.test(wrong.stderr)], [4, true]);
    await call("keys", "revoke", id);
    assert.match((await call("keys", "list")).stdout, /ci +acme +submit,read +revoked/);
    assert.equal((await as(secret, "jobs", "list")).code, 4);
  });
});
