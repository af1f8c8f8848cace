// runtimes: bun, node or node22
// `import { analyse } from "@millrace/sites"`: the three stages without a server or a file.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Report } from "../src/api/report.ts";
import { AnalyseError, type AnalyseProgress, analyse, toCsv, toHtml } from "../src/index.ts";
import { fixtureWeb } from "./support/fixture-web.ts";
import { modelServer } from "./support/model-server.ts";

const QUICK = { maxPages: 3, promptCount: 3, pageGapMs: 0 };

describe("analyse", () => {
  test("without models answers from the site's own text, and says how far it is", async (t) => {
    const { bakery } = await fixtureWeb(t, "bakery");
    const seen: AnalyseProgress[] = [];
    const onProgress = (progress: AnalyseProgress) => seen.push(progress);
    const { report } = await analyse(bakery.url, { ...QUICK, allow: [bakery.place], onProgress });
    assert.deepEqual(Report.parse(report), report);
    assert.equal(report.mode, "extractive");
    assert.equal(report.brand.name, "Kornblume Bakery");
    assert.equal(report.coverage.length, report.prompts.prompts.length);
    assert.deepEqual(seen.at(-1), { stage: "model-analysis", value: 1, message: "report written" });
    assert.deepEqual(
      [...new Set(seen.map(({ stage }) => stage))],
      ["website-analysis", "prompt-forming", "model-analysis"],
    );
    assert.match(toHtml(report), /^<!doctype html>[\s\S]*No AI model was asked/);
    assert.equal(toCsv(report).split("\r\n").length, report.prompts.prompts.length + 2);
  });

  test("asks the models that it is given, within the budget, and reports what came", async (t) => {
    const { bakery } = await fixtureWeb(t, "bakery");
    const models = await modelServer(t, () => ({ content: "Kornblume Bakery bakes the best rye bread in town." }));
    const prompts = ["Which bakery has rye bread?", "Where can I buy a wedding cake?", "Who bakes without yeast?"];
    const options = {
      ...QUICK,
      prompts,
      samples: 1,
      allow: [bakery.place],
      models: ["server/small"],
      providers: { server: { baseUrl: models.env["MODEL_SERVER_URL"] as string, requestsPerMinute: 100_000 } },
    };
    const { report: whole } = await analyse(bakery.url, options);
    assert.deepEqual([whole.mode, whole.answers.length, whole.cost.calls], ["model", 3, 3]);
    const [rate] = whole.kpis;
    assert.deepEqual([rate?.id, rate?.k, rate?.n], ["mention-rate", 3, 3]);
    const { report: cut } = await analyse(bakery.url, { ...options, budget: { calls: 2 } });
    assert.deepEqual([cut.partial, cut.cost.calls], [true, 2]);
    assert.deepEqual(
      cut.answers.map(({ status }) => status),
      ["ok", "ok", "skipped-budget"],
    );
    assert.equal(models.asked.length, 5);
  });

  test("models that all fail are an error that has what came", async (t) => {
    const { bakery } = await fixtureWeb(t, "bakery");
    const models = await modelServer(t, () => ({ error: { message: "wrong key" }, status: 401 }));
    const error = await analyse(bakery.url, {
      ...QUICK,
      prompts: ["Which bakery has rye bread?"],
      samples: 1,
      allow: [bakery.place],
      models: ["openai/gpt-x"],
      providers: { openai: { apiKey: "sk-wrong", baseUrl: models.env["OPENAI_BASE_URL"] as string } },
    }).catch((thrown) => thrown);
    assert.ok(error instanceof AnalyseError);
    assert.equal(error.code, "models-failed");
    assert.equal(error.report?.profile.brand.name, "Kornblume Bakery");
    assert.doesNotMatch(JSON.stringify([error.message, error.report]), /sk-wrong/);
  });

  test("private addresses and what is not valid are refused before anything is fetched", async (t) => {
    const { bakery } = await fixtureWeb(t, "bakery");
    const refused = (url: unknown, options: object, code: string, message: RegExp) =>
      assert.rejects(analyse(url as string, options), { name: "AnalyseError", code, message });
    await refused(bakery.url, {}, "blocked-address", /Port \d+ is not allowed/);
    await refused("http://169.254.169.254/", {}, "blocked-address", /not a public address/);
    await refused("http://localhost/", { allow: [bakery.place] }, "blocked-address", /not a public address/);
    await refused("file:///etc/passwd", {}, "invalid-request", /Only http and https/);
    await refused(undefined, {}, "invalid-request", /needs a URL/);
    await refused("example.com", { maxPages: 51 }, "invalid-request", /maxPages/);
    await refused("example.com", { models: ["openai/gpt-x"] }, "invalid-request", /no provider for the model/);
    await refused("example.com", { maxpages: 3 }, "invalid-request", /Unknown option "maxpages"/);
    await refused("example.com", { models: ["gpt-x"] }, "invalid-request", /names no known provider/);
    assert.deepEqual(bakery.asked, []);
  });

  test("an abort ends the analysis with the signal's reason", async (t) => {
    const { bakery } = await fixtureWeb(t, "bakery");
    const door = bakery.holdBack("/");
    const stop = new AbortController();
    const running = analyse(bakery.url, { ...QUICK, allow: [bakery.place], signal: stop.signal });
    await door.asked;
    stop.abort(new Error("enough"));
    await assert.rejects(running, /^Error: enough$/);
    door.letGo();
    await assert.rejects(analyse(bakery.url, { signal: stop.signal }), /^Error: enough$/);
    const onProgress = () => {
      throw new Error("the listener is broken");
    };
    await assert.rejects(analyse(bakery.url, { ...QUICK, allow: [bakery.place], onProgress }), /listener is broken/);
  });
});
