// runtimes: bun or node

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { z } from "zod";
import { accessRoutes } from "../../packages/millrace/src/api/access.ts";
import { workflowRoutes } from "../../packages/millrace/src/api/workflow.ts";
import { createHandler } from "../../packages/millrace/src/http/index.ts";
import { defineKind, Millrace, sqlite } from "../../packages/millrace/src/index.ts";
import { until } from "../support/until.ts";
import { good } from "./support/call.ts";
import { submitted } from "./support/jobs.ts";
import { newKey } from "./support/keys.ts";
import { sharedServer } from "./support/server.ts";

const server = await sharedServer({ apiKey: "the administrator's" });

async function approvalFor(audience?: string): Promise<{ id: string; jobId: string; link?: string | undefined }> {
  const { jobId } = await submitted(server, { kind: "asks", payload: null }, { tenant: "shop" });
  return until("the job waits for its approval", async () => {
    const query = { jobId, ...(audience !== undefined && { audience }) };
    return (await good(server, workflowRoutes.approvals, { tenant: "shop", query })).approvals[0];
  });
}

const at = (link: string | undefined) => `${server.url}${link}`;
const form = (fields: Record<string, string>) => ({ method: "POST", body: new URLSearchParams(fields) });

describe("the link of an approval", () => {
  test("shows on GET, decides only on POST, once, in the name that it was signed for", async () => {
    const { id, jobId, link } = await approvalFor("ann");
    assert.match(link ?? "", /^\/approvals\/links\/mra1\./);
    for (let n = 0; n < 2; n++) {
      const page = await fetch(at(link));
      assert.equal(page.status, 200);
      assert.match(page.headers.get("content-security-policy") ?? "", /form-action 'self'/);
      const html = await page.text();
      assert.match(html, /Ship it\?/);
      assert.match(html, /You decide as <strong>ann<\/strong>/);
    }
    assert.equal((await fetch(at(link), { method: "HEAD" })).status, 200);
    const { approvals } = await good(server, workflowRoutes.approvals, { tenant: "shop", query: { jobId } });
    assert.equal(approvals[0]?.id, id, "a look decides nothing");

    assert.equal((await fetch(at(link), form({ choice: "maybe" }))).status, 422);
    const decided = await fetch(at(link), form({ choice: "yes", comment: "<b>Fine.</b>" }));
    assert.equal(decided.status, 200);
    assert.match(await decided.text(), /Decided: <strong>yes<\/strong>, by ann/);
    assert.equal((await fetch(at(link), form({ choice: "no" }))).status, 409);
    assert.equal((await fetch(at(link))).status, 410);

    const [wait] = (await good(server, workflowRoutes.waits, { tenant: "shop", params: { jobId } })).waits;
    const { by, choice, comment } = (wait?.value ?? {}) as Record<string, string>;
    assert.deepEqual({ by, choice, comment }, { by: "ann", choice: "yes", comment: "<b>Fine.</b>" });
    const { entries } = await good(server, accessRoutes.audit, { tenant: "shop" });
    const entry = entries.find(({ target }) => target === jobId);
    assert.deepEqual([entry?.who, entry?.what], ["ann", 'approval "ship" decided: yes']);
  });

  test("takes JSON too, and answers with it", async () => {
    const { jobId, link } = await approvalFor("bob");
    const answer = await fetch(at(link), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ choice: "no" }),
    });
    assert.deepEqual(await answer.json(), { jobId, name: "ship", choice: "no", by: "bob" });
  });

  test("does not work with another name, approval, letter or site", async () => {
    const { link } = await approvalFor("ann");
    const [path, body, signature] = (link ?? "").split(".");
    const claims = (values: unknown) => Buffer.from(JSON.stringify(values)).toString("base64url");
    const [approvalId] = JSON.parse(Buffer.from(body ?? "", "base64url").toString()) as string[];
    const last = signature?.endsWith("A") ? "B" : "A";
    const forged = [
      `${path}.${claims([approvalId, "root"])}.${signature}`,
      `${path}.${claims(["apr_00000000", "ann"])}.${signature}`,
      `${path}.${body}.${signature?.slice(0, -2)}${last}${last}`,
      `${path}.${body}`,
      "/approvals/links/x",
    ];
    for (const each of forged) {
      assert.equal((await fetch(at(each))).status, 404);
      assert.equal((await fetch(at(each), form({ choice: "yes" }))).status, 404);
    }
    const elsewhere = { ...form({ choice: "yes" }), headers: { origin: "https://elsewhere.example" } };
    assert.equal((await fetch(at(link), elsewhere)).status, 403);
    assert.equal((await fetch(at(link))).status, 200, "nothing was decided");
  });

  test("is given to callers that may decide, for names in the audience", async () => {
    const reader = await newKey(server, "shop", ["read"]);
    const { jobId } = await approvalFor("ann");
    const ask = async (more: { key?: string; tenant?: string }, audience?: string) => {
      const query = { jobId, ...(audience !== undefined && { audience }) };
      return (await good(server, workflowRoutes.approvals, { ...more, query })).approvals;
    };
    assert.equal((await ask({ key: reader.secret }, "ann"))[0]?.link, undefined);
    assert.equal((await ask({ tenant: "shop" }))[0]?.link, undefined, "two names: the caller says which");
    assert.deepEqual(await ask({ tenant: "shop" }, "eve"), []);
  });

  test("works where the API is mounted, for people whom the application does not know", async (t) => {
    const asks = defineKind({
      name: "asks",
      payload: z.null(),
      run: async (ctx) => {
        const details = { note: "</pre><script>alert(1)</script>" };
        const asked = { title: "<i>Ship</i>?", choices: ["yes", "no"], audience: "ann@example.com", details } as const;
        return (await ctx.waitForApproval("ship", asked))?.by ?? null;
      },
    });
    const millrace = await Millrace.open({ store: sqlite(":memory:"), kinds: [asks], log: false });
    t.after(() => millrace.stop({ graceMs: 0 }));
    const auth = (request: Request) =>
      request.headers.has("x-user") ? { name: "app", tenant: "*", scopes: ["admin" as const] } : undefined;
    const handler = createHandler(millrace, { auth, basePath: "/jobs", tokenSecret: "s".repeat(32) });
    const site = "http://app.example.com";
    const job = await millrace.submit(asks, null);
    const link = await until("the job waits for its approval", async () => {
      const answer = await handler(new Request(`${site}/jobs/approvals`, { headers: { "x-user": "1" } }));
      const { approvals } = (await answer.json()) as { approvals: { link?: string }[] };
      return approvals[0]?.link;
    });
    assert.match(link, /^\/jobs\/approvals\/links\//);
    assert.equal((await handler(new Request(`${site}/jobs/approvals`))).status, 401);
    const page = await (await handler(new Request(`${site}${link}`))).text();
    assert.doesNotMatch(page, /<script|<i>/);
    const { status } = await handler(new Request(`${site}${link}`, form({ choice: "yes" })));
    assert.equal(status, 200);
    assert.equal(await job.wait({ timeoutMs: 30_000 }), "ann@example.com");
  });
});
