// runtimes: node
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { chromiumForTests } from "../../../test/support/chromium.ts";
import { temporaryFolder } from "../../../test/support/program.ts";
import { coverageOf } from "../src/analysis/coverage.ts";
import type { Answer, SiteProfile } from "../src/api/shapes.ts";
import { formPrompts } from "../src/prompts/form.ts";
import { buildReport } from "../src/report/build.ts";
import { reportHtml } from "../src/report/html.ts";

const evidence = { url: "https://pedalwerk.example/", quote: "Pedalwerk builds electric cargo bikes for families." };
const found = (text: string) => ({ text, evidence });

const profile: SiteProfile = {
  schemaVersion: 1,
  site: {
    requested: evidence.url,
    final: evidence.url,
    domain: "pedalwerk.example",
    lang: "en",
    fetchedAt: "2026-11-15T10:00:00.000Z",
  },
  pages: [
    {
      url: evidence.url,
      status: 200,
      role: "home",
      title: "Pedalwerk",
      description: "",
      canonical: "",
      headings: [],
      words: 100,
      hash: "x",
      jsonLdTypes: [],
      flags: [],
    },
  ],
  brand: { name: "Pedalwerk", aliases: [], domains: ["pedalwerk.example"], from: "user", confidence: "high", evidence },
  offer: {
    summary: [],
    categories: [],
    keyphrases: [found("electric cargo bikes"), found("cargo bike leasing")],
    audiences: [found("families")],
    places: [found("Bristol")],
    prices: [found("£59")],
  },
  rivalsNamed: [{ name: "Urban Arrow", evidence }],
  readiness: [
    { id: "https", label: "Served over HTTPS", status: "pass", finding: "It is.", evidence: [] },
    {
      id: "h1",
      label: "One main heading",
      status: "fail",
      finding: `<h1> ${"long".repeat(60)}`,
      evidence: [evidence],
      fix: "Use one.",
    },
    { id: "llms-txt", label: "llms.txt", status: "n/a", finding: "None is needed.", evidence: [] },
  ],
  tech: [],
  hiddenText: [evidence],
  coverage: { fetched: 1, skipped: [{ url: "https://pedalwerk.example/x", reason: "answered 404" }], truncated: false },
};
const prompts = formPrompts(profile, { promptCount: 10 });
const models = ["openai/gpt-5-mini", "server/llama3.1"];
const passages = [{ url: evidence.url, heading: "Bikes", text: evidence.quote }];
const about = { lang: "en", brand: profile.brand, keyphrases: ["electric cargo bikes"] };
const answers = prompts.prompts.flatMap(({ id }, i) =>
  models.map(
    (ref, m): Answer => ({
      callKey: `${id} ${ref}`,
      promptId: id,
      model: { ref, reported: "2026-08" },
      sample: 1,
      mode: "model",
      grounded: false,
      status: i === 3 ? "failed" : "ok",
      text:
        i === 3
          ? ""
          : `1. Urban Arrow\n${(i + m) % 2 ? "2. **Pedalwerk** has leasing.\n" : ""}${"averylongword".repeat(30)} https://pedalwerk.example/x`,
      sources: [],
      usage: { inputTokens: 10, outputTokens: 50 },
      costUsd: 0.001,
      ms: 10,
      attempts: 1,
    }),
  ),
);

const facts = {
  jobId: "job_4fQ81xZa",
  createdAt: "2026-11-15T10:00:00.000Z",
  profile,
  prompts,
  samples: 1,
  parameters: {},
  callContract: 1,
  coverage: coverageOf(prompts.prompts, passages, about),
  perhapsTwice: 1,
  notes: ["A note."],
};
const reports = {
  "without models": buildReport({ ...facts, models: [], answers: [] }),
  "with models": buildReport({ ...facts, models, answers }),
};

test("a report opens from disk without a network, fits every screen and can be read by all", async (t) => {
  const folder = temporaryFolder(t);
  const binary = await chromiumForTests();
  const browser = await chromium.launch({
    executablePath: binary.path,
    args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--disable-software-rasterizer"],
    env: { ...process.env, ...binary.env } as Record<string, string>,
  });
  t.after(() => browser.close());
  const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  for (const [name, report] of Object.entries(reports)) {
    const file = join(folder, `${report.mode}.html`);
    writeFileSync(file, reportHtml(report));
    for (const [width, colorScheme] of [
      [1440, "light"],
      [390, "dark"],
    ] as const) {
      const context = await browser.newContext({
        viewport: { width, height: 900 },
        colorScheme,
        offline: true,
        bypassCSP: true,
      });
      const page = await context.newPage();
      const asked: string[] = [];
      const said: string[] = [];
      page.on("request", (request) => asked.push(request.url()));
      page.on("console", (message) => said.push(message.text()));
      page.on("pageerror", (error) => said.push(error.message));
      await page.goto(pathToFileURL(file).href);
      assert.deepEqual(asked, [pathToFileURL(file).href], name);
      await page.evaluate(axe);
      const bad = await page.evaluate(
        "axe.run().then(({ violations }) => violations.map(({ id, impact, nodes }) => [impact, id, nodes[0].html].join(' ')))",
      );
      assert.deepEqual(bad, [], `${name} ${width}`);
      assert.equal(
        await page.evaluate("document.documentElement.scrollWidth"),
        width,
        `${name} ${width} does not scroll sideways`,
      );
      assert.deepEqual(said, [], name);
      // On paper everything is there, also what a screen folds away.
      await page.emulateMedia({ media: "print" });
      const folded = await page.evaluate(
        "[...document.querySelectorAll('details')].filter((each) => each.lastElementChild.getBoundingClientRect().height === 0).length",
      );
      assert.equal(folded, 0, `${name}: folded on paper`);
      await context.close();
    }
  }
});
