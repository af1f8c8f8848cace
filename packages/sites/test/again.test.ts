// runtimes: bun
// After a run: the same prompts again, a link for a colleague, one line per answer.

import assert from "node:assert/strict";
import { test } from "node:test";
import { scaled } from "../../../test/support/slowness.ts";
import { fixtureWeb } from "./support/fixture-web.ts";
import { modelServer } from "./support/model-server.ts";
import { siteServer } from "./support/server.ts";

test("a run is asked again with the same prompts, compared, shared until it expires, and read line by line", async (t) => {
  const { shop } = await fixtureWeb(t, "shop");
  let praise = false;
  const models = await modelServer(t, () => ({ content: praise ? "I recommend Pedalwerk." : "I recommend Tern." }));
  const env = { ...models.env, SITE_MODELS: "server/m", API_KEY: "admin-key-of-this-test" };
  const { client: open, url } = await siteServer(t, [shop], env);
  const headers = { "x-api-key": "admin-key-of-this-test", "content-type": "application/json" };
  const call = async (method: string, path: string, body?: object) => {
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const answer = await fetch(`${url}${path}`, init);
    return { status: answer.status, body: (await answer.json()) as never };
  };
  const submitted = await call("POST", "/sites", {
    url: shop.url,
    prompts: ["Which cargo bike carries two children?", "Who repairs cargo bikes?"],
    personas: ["I live on a hill."],
    locales: ["en-GB"],
    competitors: [{ name: "Tern" }],
    samples: 5,
  });
  const ended = async (jobId: string) => {
    for (;;) {
      const { body } = await call("GET", `/jobs/${jobId}?wait=20`);
      const { status, error } = body as { status: string; error?: string };
      if (status === "completed") return;
      assert.notEqual(status, "failed", error);
      assert.ok(performance.now() < scaled(120_000));
    }
  };
  const { jobId } = submitted.body as { jobId: string };
  const early = (await call("POST", `/sites/${jobId}/share`, { expiresInMs: 600_000 })).body as { url: string };
  await ended(jobId);
  assert.equal((await fetch(`${url}${early.url}`)).status, 200, "shared before it was finished");
  praise = true;
  const again = await call("POST", `/sites/${jobId}/again`);
  assert.equal(again.status, 201);
  const second = (again.body as { jobId: string }).jobId;
  await ended(second);
  assert.deepEqual(
    new Set(models.asked.map(({ prompt }) => prompt)),
    new Set([
      "I live on a hill. Which cargo bike carries two children? (United Kingdom)",
      "I live on a hill. Who repairs cargo bikes? (United Kingdom)",
    ]),
  );
  const compared = (await call("GET", `/sites/${second}/compare`)).body as {
    comparable: boolean;
    changes: { id: string; difference: number; beyondChance: boolean; noticeable: number }[];
  };
  assert.equal(compared.comparable, true);
  const change = compared.changes.find(({ id }) => id === "recommended-rate");
  assert.equal(change?.difference, 1);
  assert.ok((change?.noticeable ?? 0) > 0);

  const shared = (await call("POST", `/sites/${second}/share`, { expiresInMs: 1_000 })).body as {
    url: string;
    expiresAt: string;
  };
  const page = await fetch(`${url}${shared.url}`);
  if (Date.now() < Date.parse(shared.expiresAt) - 500) {
    assert.equal(page.status, 200, "without a key");
    assert.match(page.headers.get("x-robots-tag") ?? "", /noindex/);
    assert.match(await page.text(), /Pedalwerk is named in 10 of 10 answers/);
  }
  const longer = (await call("POST", `/sites/${second}/share`, { expiresInMs: 600_000 })).body as { url: string };
  assert.equal((await fetch(`${url}${longer.url}`)).status, 200);
  assert.equal((await fetch(`${url}/sites/${second}/report`)).status, 401, "the link opens nothing else");
  let expired = await fetch(`${url}${shared.url}`);
  while (expired.status === 200) expired = await fetch(`${url}${shared.url}`);
  assert.equal(expired.status, 410);
  assert.equal((await fetch(`${url}/site-reports/unknown`)).status, 404);
  assert.equal((await call("POST", `/sites/${second}/share`, { expiresInMs: 8_000_000_000 })).status, 422);

  const lines = (await (await fetch(`${url}/sites/${second}/report.ndjson`, { headers })).text()).trim().split("\n");
  const [first] = lines.map(
    (line) => JSON.parse(line) as { verdict: string; brands: unknown[]; prompt: { text: string } },
  );
  assert.deepEqual([lines.length, first?.verdict, first?.brands.length], [10, "recommended", 2]);
  assert.match(first?.prompt.text ?? "", /^I live on a hill/);
  await assert.rejects(open.sites.again(second), { status: 401 });
});
