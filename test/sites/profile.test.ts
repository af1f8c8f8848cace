import { type TestContext, test } from "node:test";
import { z } from "zod";
import type { SiteProfile } from "../../src/api/site-shapes.ts";
import { defineKind } from "../../src/index.ts";
import { Testkit } from "../../src/testing.ts";
import { crawlSite } from "../../src/workloads/sites/crawl/crawl.ts";
import { fetchPolicy } from "../../src/workloads/sites/fetch/policy.ts";
import { profileOf } from "../../src/workloads/sites/profile/profile.ts";
import { passagesOf } from "../../src/workloads/sites/analysis/passages.ts";
import { coverageOf } from "../../src/workloads/sites/analysis/coverage.ts";
import { formPrompts } from "../../src/workloads/sites/prompts/form.ts";
import { type FixtureSite, fixtureWeb } from "./support/fixture-web.ts";

test("debug", async (t) => {
  const web = await fixtureWeb(t, "bakery", "shop", "german", "japanese", "injection", "shortName", "rightToLeft");
  for (const [name, site] of Object.entries(web)) {
  const kind = defineKind({
    name: "crawl",
    payload: z.any(),
    run: async (ctx) => {
      const url = `${site.url}`;
      const policy = fetchPolicy({ allow: [site.place] });
      const crawl = await crawlSite(ctx, { url, maxPages: 10 }, { policy, gapMs: 0, limits: { headersMs: 500, totalMs: 5_000 } });
      const p = profileOf(crawl, { url });
      const set = formPrompts(p, {promptCount: 10});
      const cov = coverageOf(set.prompts, passagesOf(crawl.pages), {lang:p.site.lang, brand:p.brand, keyphrases:p.offer.keyphrases.map(x=>x.text)});
      console.log("==", name, p.offer.keyphrases.map(x=>x.text).join("; "), set.shortfalls, set.rejected.length);
      for (const pr of set.prompts) { const c = cov.find(x=>x.promptId===pr.id)!; console.log(` ${pr.intent}${pr.branded?"*":""}: ${pr.text}  -> ${c.verdict} ${c.score} ${c.passage?.quote.slice(0,90)??""}`); }
      return 1;
    },
    maxAttempts: 1,
  });
  const kit = await Testkit.open({ kinds: [kind] });
  t.after(() => kit.stop());
  await kit.run(kind, null);
  }
});
