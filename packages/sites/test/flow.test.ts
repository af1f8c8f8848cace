// runtimes: bun
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { chromiumSettings } from "../../../test/support/chromium.ts";
import { scaled } from "../../../test/support/slowness.ts";
import { Report } from "../src/api/report.ts";
import { fixtureWeb } from "./support/fixture-web.ts";
import { siteServer, untilRun } from "./support/server.ts";

describe("a site without any model", () => {
  test("goes through three stages to a report that says no model was asked, in every form", async (t) => {
    const { bakery, shell } = await fixtureWeb(t, "bakery", "shell");
    const { client, url, call, folder } = await siteServer(t, [bakery, shell], {
      ...(await chromiumSettings()),
      PDF_TIMEOUT_MS: String(scaled(5_000)),
    });
    const run = await client.sites.submit({ url: bakery.url });
    assert.deepEqual([run.status, run.statusUrl], ["not-started", `/jobs/${run.jobId}`]);
    const job = await client.wait(run, { timeoutMs: scaled(60_000) });
    assert.equal(job.status, "completed", job.error);
    const attempts = await client.attempts(run);
    assert.deepEqual(
      attempts.map(({ stage, outcome }) => `${stage} ${outcome}`),
      ["website-analysis completed", "prompt-forming completed", "model-analysis completed"],
    );

    const report = Report.parse(await client.sites.report(run));
    assert.equal(report.mode, "extractive");
    assert.deepEqual([report.kpis, report.position, report.answers, report.byModel], [[], null, [], []]);
    assert.equal(report.coverage.length, report.prompts.prompts.length);
    assert.equal(report.tier, "exploratory");
    const html = await client.sites.reportHtml(run);
    assert.match(html, /No AI model was asked/);
    assert.match(html, /Mention rate<\/div><div class="value none">not measured/);
    assert.doesNotMatch(html, /<script|<img|<link|src=|@import|url\(/i);
    const csv = await client.sites.reportCsv(run);
    assert.equal(csv.split("\r\n").length, report.prompts.prompts.length + 2);
    const answer = await fetch(`${url}/sites/${run.jobId}/report`);
    assert.match(answer.headers.get("content-security-policy") ?? "", /default-src 'none'/);
    const view = await client.sites.get(run);
    assert.equal(view.pages.filter(({ skipped }) => skipped === undefined).length, 4);
    assert.equal(view.profile?.brand.name, "Kornblume Bakery");
    assert.equal((await client.sites.list({ domain: bakery.place })).sites[0]?.jobId, run.jobId);

    const pdf = await client.sites.reportPdf(run);
    assert.equal(new TextDecoder().decode(pdf.slice(0, 5)), "%PDF-");
    assert.ok(pdf.byteLength > 10_000);

    const again = await client.sites.submit({ url: bakery.url });
    await client.wait(again, { timeoutMs: scaled(60_000) });
    const compared = await client.sites.compare(again);
    assert.deepEqual([compared.before, compared.comparable, compared.readiness], [run.jobId, true, []]);
    assert.ok(compared.changes.every(({ difference, beyondChance }) => difference === 0 && !beyondChance));

    const empty = await call("sites", "submit", shell.url, "--wait", "--json");
    assert.equal(empty.code, 0, empty.stderr);
    const { jobId, result } = JSON.parse(empty.stdout);
    assert.match(result.headline, /empty until JavaScript runs/);
    assert.equal((await call("sites", "report", jobId, "--out", "shell.html")).code, 0);
    assert.match(readFileSync(join(folder, "shell.html"), "utf8"), /empty until JavaScript runs/);
    const uncomparable = await client.sites.compare(jobId, { with: run.jobId });
    assert.equal(uncomparable.comparable, false);
    assert.match((await call("sites", "list")).stdout, /SITE .*STATUS/);
    assert.match((await call("sites", "show", run.jobId)).stdout, /Kornblume Bakery/);
    assert.match((await call("sites", "compare", again.jobId)).stdout, /within chance/);
  });

  test("what cannot or must not be read is refused with the reason", async (t) => {
    const { slow, denied, bakery } = await fixtureWeb(t, "slow", "denied", "bakery");
    const { client, url } = await siteServer(t, [slow, denied], { RETRY_BASE_MS: "1", RETRY_MAX_MS: "1" });
    for (const [address, reason] of [
      ["http://169.254.169.254/latest/meta-data/", /not a public address/],
      ["http://localhost:22/", /Port 22 is not allowed/],
      ["http://[::1]/", /not a public address.*SITE_ALLOW/],
      ["file:///etc/passwd", /Only http and https/],
      ["http://user:secret@example.com/", /user name or password/],
      ["http://", /not a web address/],
      [bakery.url, /Port \d+ is not allowed/],
    ] as const) {
      await assert.rejects(client.sites.submit({ url: address }), (error: { status: number; message: string }) => {
        assert.equal(error.status, 422, address);
        assert.match(error.message, reason);
        return true;
      });
    }
    await assert.rejects(client.sites.submit({ url: "example.com", models: ["openai/gpt-x"] }), {
      status: 422,
      message: /not available/,
    });
    await assert.rejects(client.sites.submit({ url: "example.com", brand: "Acme" } as never), {
      status: 422,
      message: /an object with a name/,
    });
    await assert.rejects(client.sites.submit({ url: "example.com", prompts: ["short"] }), { status: 422 });
    await assert.rejects(client.sites.submit({ url: "example.com", nonsense: 1 } as never), { status: 422 });

    const first = await client.sites.submit({ url: slow.url });
    await assert.rejects(
      client.sites.submit({ url: `${slow.url}another/page` }),
      (error: { status: number; code: string; jobId: string }) => {
        assert.equal(error.status, 409);
        assert.match(error.code, /^already-/);
        assert.equal(error.jobId, first.jobId);
        return true;
      },
    );
    await client.cancel(first);
    const plain = await client.sites.submit({ url: denied.place });
    assert.match(
      (await client.wait(plain, { timeoutMs: scaled(60_000) })).error ?? "",
      /does not support HTTPS.*write http:\/\//,
    );
    const key = { headers: { "content-type": "application/json", "idempotency-key": "once" }, method: "POST" };
    const body = JSON.stringify({ url: denied.url });
    const [one, two] = [await fetch(`${url}/sites`, { ...key, body }), await fetch(`${url}/sites`, { ...key, body })];
    assert.deepEqual([one.status, two.status], [202, 200]);
    const { jobId } = (await one.json()) as { jobId: string };
    assert.equal(((await two.json()) as { jobId: string }).jobId, jobId);
    const refused = await client.wait(jobId, { timeoutMs: scaled(60_000) });
    assert.deepEqual([refused.failure?.code, refused.attempt], ["robots-denied", 1]);
    assert.deepEqual(denied.asked, ["/robots.txt"]);
    assert.deepEqual((await client.sites.get(jobId)).retriesByStage, { "website-analysis": 0 });
    await assert.rejects(client.sites.reportHtml(jobId), { code: "conflict" });
    await assert.rejects(client.sites.reportPdf(jobId), { code: "conflict" });
  });
});

describe("sites that mean no good", () => {
  test("each ends in a report, and others are read meanwhile, in little memory", async (t) => {
    const { slow, bakery, ...bad } = await fixtureWeb(t, "slow", "bakery", "endless", "bomb", "nested", "unclosed");
    const { client, program } = await siteServer(t, [slow, bakery, ...Object.values(bad)]);
    // What is loaded with the first site is no cost of a hostile one.
    await client.wait(await client.sites.submit({ url: bakery.url }), { timeoutMs: scaled(60_000) });
    const before = mostMegabytes(program.child.pid);
    const waiting = await client.sites.submit({ url: slow.url });
    const hostile = await Promise.all(Object.values(bad).map(({ url }) => client.sites.submit({ url })));
    const good = await client.sites.submit({ url: bakery.url });
    for (const run of [good, ...hostile]) {
      const job = await client.wait(run, { timeoutMs: scaled(60_000) });
      assert.equal(job.status, "completed", job.error);
    }
    const { pages, profile } = await client.sites.get(hostile[0]?.jobId ?? "");
    assert.deepEqual([pages.length, profile?.coverage.truncated], [1, true], "what came first was read");
    assert.equal((await client.sites.get(waiting)).inProgress, true, "one that never answers holds up nobody");
    await client.cancel(waiting);
    const more = mostMegabytes(program.child.pid) - before;
    t.diagnostic(`${Math.round(more)} MB more for four hostile sites at once`);
    assert.ok(more < 150, `${more} MB more`);
  });
});

/** The most that a process ever had in memory; where no file says so, nothing. */
function mostMegabytes(pid: number | undefined): number {
  const file = `/proc/${pid}/status`;
  return existsSync(file) ? Number(/VmHWM:\s+(\d+)/.exec(readFileSync(file, "utf8"))?.[1]) / 1_024 : 0;
}

describe("a review", () => {
  test("holds before anything is asked; prompts can be edited, and approved", async (t) => {
    const { bakery } = await fixtureWeb(t, "bakery");
    const { client } = await siteServer(t, [bakery], { CHROMIUM_PATH: "/nowhere/chromium" });
    const run = await client.sites.submit({ url: bakery.url, reviewPrompts: true, promptCount: 5 });
    const held = await untilRun(client, run.jobId, (view) => (view.waitsFor === "review" ? view : undefined));
    assert.deepEqual([held.status, held.inProgress, held.prompts?.prompts.length], ["prompt-forming", false, 5]);
    await assert.rejects(client.sites.editPrompts(run, ["See https://evil.example now"]), {
      status: 422,
      message: /contains an address/,
    });
    const edited = await client.sites.editPrompts(run, [
      "Which bakery delivers to offices in Leeds?",
      "How much is sourdough bread?",
    ]);
    assert.equal(edited.prompts.length, 2);
    await assert.rejects(client.sites.raiseBudget(run, { calls: 1 }), { code: "conflict" });
    await client.sites.approvePrompts(run);
    const done = await client.wait(run, { timeoutMs: scaled(60_000) });
    assert.equal(done.status, "completed", done.error);
    const report = await client.sites.report(run);
    assert.deepEqual(
      report.prompts.prompts.map(({ text, origin }) => [text, origin]),
      [
        ["Which bakery delivers to offices in Leeds?", "user"],
        ["How much is sourdough bread?", "user"],
      ],
    );
    assert.equal(
      report.coverage.every(({ verdict }) => verdict === "answered"),
      true,
    );
    await assert.rejects(client.sites.approvePrompts(run), { code: "conflict" });
    await assert.rejects(client.sites.reportPdf(run), { status: 503, code: "no-browser", hint: /npm install/ });
    await assert.rejects(client.sites.retry(run), { code: "conflict", message: /Nothing is missing/ });
  });
});
