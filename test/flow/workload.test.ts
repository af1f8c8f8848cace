// runtimes: bun

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { AppError } from "../../packages/millrace/src/index.ts";
import { defineWorkload } from "../../packages/millrace/src/workload/workload.ts";
import { cli, output, serving } from "../support/cli.ts";
import { engineRoot, root, temporaryFolder } from "../support/program.ts";

const GREETINGS = join(root, "examples/workload/greetings.ts");

describe("a workload of one's own", () => {
  test("is served with its kind, its route, its errors, its settings and its events", async (t) => {
    const { url, json } = await serving(t, { GREETING_DELAY_MS: "1" }, ["--load", GREETINGS]);
    const live = await fetch(`${url}/live`);
    const feed = live.body?.pipeThrough(new TextDecoderStream()).getReader();
    const answer = await greet(url, "Ada");
    assert.equal(answer.status, 202);
    const { jobId } = (await answer.json()) as { jobId: string };
    const { job } = await json("jobs", "wait", jobId).then((waited) => ({ job: waited.job ?? waited }));
    assert.deepEqual(job.result, { text: "Hello, Ada!" });
    let told = "";
    while (!told.includes("event: greetings.greeted")) told += (await feed?.read())?.value ?? "";
    assert.match(told, new RegExp(`"jobId":"${jobId}","name":"Ada"`));
    await feed?.cancel();

    const refused = await greet(url, "nobody");
    assert.deepEqual([refused.status, ((await refused.json()) as { code: string }).code], [422, "name-refused"]);
    const invalid = (await (await greet(url, "")).json()) as { code: string; issues: unknown[] };
    assert.deepEqual(
      [invalid.code, invalid.issues],
      ["invalid-request", [{ path: "name", message: "must not be empty" }]],
    );

    const document = JSON.stringify(await (await fetch(`${url}/openapi.json`)).json());
    assert.match(document, /"\/greetings"/);
    assert.match(document, /`name-refused`: Nobody is called that\./);
    assert.match(await (await fetch(`${url}/docs`)).text(), /Greet somebody in the background\./);
  });

  test("brings its settings and commands where the project names it", async (t) => {
    const folder = temporaryFolder(t);
    const env = { MILLRACE_LOAD: GREETINGS };
    assert.match(await output(t, ["--help"], env, folder), /greet +greet somebody/);
    assert.match(await output(t, ["config"], env, folder), /^GREETING_DELAY_MS=0$/m);
    const { call } = await serving(t, env, [], folder);
    assert.deepEqual(await call("render", "x.mmd").then(({ code }) => code), 2);
    const greeted = await call("greet", "Ada", "--wait");
    assert.match(greeted.stdout, /Hello, Ada!/);
  });

  test("is refused with a sentence when it is mistyped", () => {
    const refused = (options: unknown, message: RegExp) =>
      assert.throws(
        () => defineWorkload(options as never),
        (error) => error instanceof AppError && error.code === "workload-invalid" && message.test(error.message),
      );
    refused(undefined, /needs an object with a name/);
    refused({ name: "Shop" }, /Invalid workload name "Shop"/);
    refused({ name: "shop", kind: [] }, /Did you mean "kinds"\?/);
  });

  test("gives keys its scope, and its route refuses keys without it", async (t) => {
    const API_KEY = "the-administrators-own-key";
    const { url, call } = await serving(t, { API_KEY }, ["--load", GREETINGS]);
    const key = async (scopes: string) => (await call("keys", "create", "k", "--scopes", scopes)).stdout.trim();
    const greetedWith = async (apiKey: string) => (await greet(url, "Ada", { "x-api-key": apiKey })).status;
    assert.equal(await greetedWith(await key("greetings:write")), 202);
    assert.equal(await greetedWith(await key("admin")), 202, "admin has every scope of its tenant");
    assert.equal(await greetedWith(await key("submit,read")), 403);
    const unknown = await call("keys", "create", "k", "--scopes", "greetings:wrote");
    assert.equal(unknown.code, 2);
    assert.match(unknown.stderr, /Unknown scope "greetings:wrote"\. Did you mean "greetings:write"\?/);
    const openapi = await (await fetch(`${url}/openapi.json`)).text();
    assert.match(openapi, /Needs the scope `greetings:write`/);
    assert.match(openapi, /"const":"greetings\.greeted"/);
  });

  test("serves the module of its pages, and no other file beside it", async (t) => {
    const { url } = await serving(t, {}, ["--load", GREETINGS]);
    const file = (name: string, init?: RequestInit) => fetch(`${url}/workloads/greetings/${name}`, init);
    const module = await file("page.js");
    assert.match(await module.text(), /definePages/);
    const headers = ["content-type", "cache-control", "x-content-type-options"].map((name) => module.headers.get(name));
    assert.deepEqual(headers, ["text/javascript; charset=utf-8", "private, no-cache", "nosniff"]);
    const again = await file("page.js", { headers: { "if-none-match": module.headers.get("etag") ?? "" } });
    assert.equal(again.status, 304);
    for (const name of [
      "greetings.ts",
      "greet-command.ts",
      "..%2Fgreetings.ts",
      "..%2f..%2fpackage.json",
      "%00",
      "none.js",
    ])
      assert.equal((await file(name)).status, 404, name);
    assert.equal((await fetch(`${url}/workloads/other/page.js`)).status, 404);
  });

  test("is refused with exit code 2 when another one has its page", async (t) => {
    const folder = temporaryFolder(t);
    const twice = join(folder, "twice.ts");
    const workload = join(engineRoot, "src/workload/workload.ts");
    writeFileSync(
      twice,
      `import { defineWorkload } from ${JSON.stringify(workload)};
const module = new URL("./page.js", import.meta.url);
export const other = defineWorkload({ name: "other", pages: { module, nav: [{ path: "/greetings", title: "Mine" }] } });`,
    );
    const program = cli(t, ["serve", "--load", GREETINGS, "--load", twice], { PORT: "0" }, folder);
    assert.equal((await program.ended()).code, 2, program.stderr());
    assert.match(program.stderr(), /"other" has the same page "\/greetings" as the workload "greetings"/);
  });
});

function greet(url: string, name: string, more: Record<string, string> = {}): Promise<Response> {
  const headers = { "content-type": "application/json", ...more };
  return fetch(`${url}/greetings`, { method: "POST", headers, body: JSON.stringify({ name }) });
}
