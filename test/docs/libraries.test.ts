// runtimes: node
// time-limit: 240 s
// The guide to analyse, with a site and models on loopback in the place of public ones.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fixtureWeb } from "../../packages/sites/test/support/fixture-web.ts";
import { modelServer } from "../../packages/sites/test/support/model-server.ts";
import { typescriptBlocks } from "./support/blocks.ts";
import { project, runFile } from "./support/project.ts";

const isForming = (prompt: string) => prompt.includes("questions that customers would ask");
const PROPOSED = ["Which bakery bakes rye bread?", "Where is sourdough bread sold?", "Who bakes wedding cakes?"];
const PROPOSAL = JSON.stringify({ prompts: PROPOSED.map((text) => ({ text, intent: "category" })) });

test("the guide to analyse reports on a site, with and without models", { timeout: 120_000 }, async (t) => {
  const { bakery } = await fixtureWeb(t, "bakery");
  const models = await modelServer(t, ({ prompt }) => ({
    content: isForming(prompt) ? PROPOSAL : "Kornblume Bakery, of course.",
  }));
  const base = models.env["MODEL_SERVER_URL"];
  const guide = typescriptBlocks().filter(({ document }) => document === "docs/guides/analyse-library.md");
  const local = guide.map(({ code }) =>
    code
      .replace('"https://example.com", {', `"${bakery.url}", { allow: ["${bakery.place}"], pageGapMs: 0, samples: 1,`)
      .replaceAll("apiKey: process", `baseUrl: "${base}", requestsPerMinute: 100_000, apiKey: process`),
  );
  const folder = project(t, ...local);
  assert.match(await runFile(t, folder, "analyse.ts"), /\w/);
  assert.match(readFileSync(join(folder, "report.html"), "utf8"), /^<!doctype html>/);
  assert.match(readFileSync(join(folder, "answers.csv"), "utf8"), /prompt id/);
  const said = await runFile(t, folder, "ask-models.ts");
  assert.match(said, /^website-analysis \d+ pages read$/m);
  assert.match(said, /^Mention rate: \d+ of \d+$/m);
});
