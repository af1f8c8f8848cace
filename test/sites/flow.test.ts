// runtimes: bun
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { describe, test } from "node:test";
import { Report } from "../../src/api/site-shapes.ts";
import { MillraceError } from "../../src/client/index.ts";
import { fixtureWeb } from "./support/fixture-web.ts";
import { siteServer, untilRun } from "./support/server.ts";

describe("a site without any model", () => {
  test("goes through three stages to a report that says no model was asked", async (t) => {
    const { bakery, shop } = await fixtureWeb(t, "bakery", "shop");
    const { client, url, call } = await siteServer(t, [bakery, shop]);
    const run = await client.sites.submit({ url: bakery.url });
    assert.equal(run.status, "not-started");
    assert.equal(run.statusUrl, `/jobs/${run.jobId}`);
    const job = await client.wait(run, { timeoutMs: 60_000 });
    assert.equal(job.status, "completed", job.error);
    const report = Report.parse(await client.sites.report(run));
    writeFileSync("/tmp/x/bakery.html", await client.sites.reportHtml(run));
    assert.equal(report.mode, "extractive");
    assert.deepEqual(report.kpis, []);
    void url;
    void call;
    void shop;
    void MillraceError;
    void untilRun;
  });
});
