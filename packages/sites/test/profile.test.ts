// runtimes: bun or node

import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { z } from "zod";
import { defineKind } from "../../millrace/src/index.ts";
import { Testkit } from "../../millrace/src/testing.ts";
import { brandMatcher } from "../src/analysis/matcher.ts";
import type { PromptSet, SiteProfile } from "../src/api/shapes.ts";
import { crawlSite } from "../src/crawl/crawl.ts";
import { fetchPolicy } from "../src/fetch/policy.ts";
import { profileOf } from "../src/profile/profile.ts";
import { formPrompts } from "../src/prompts/form.ts";
import { type FixtureSite, fixtureWeb } from "./support/fixture-web.ts";

/** Stage 1 and 2 without the rest, by an engine of its own. */
async function read(t: TestContext, site: FixtureSite): Promise<{ profile: SiteProfile; prompts: PromptSet }> {
  const kind = defineKind({
    name: "read",
    payload: z.string(),
    maxAttempts: 1,
    run: async (ctx, url) => {
      const policy = fetchPolicy({ allow: [site.place] });
      const limits = { headersMs: 2_000, totalMs: 10_000 };
      const crawl = await crawlSite(ctx, { url, maxPages: 10 }, { policy, gapMs: 0, turnMs: 60_000, limits });
      const profile = profileOf(crawl, { url });
      return { profile, prompts: formPrompts(profile, { promptCount: 10 }) };
    },
  });
  const kit = await Testkit.open({ kinds: [kind] });
  t.after(() => kit.stop());
  return kit.run(kind, site.url);
}

const texts = (found: readonly { text: string }[]) => found.map(({ text }) => text);
const status = ({ readiness }: SiteProfile, id: string) => readiness.find((check) => check.id === id)?.status;

describe("what a site says of itself", () => {
  test("brand, offer, prices, places, audiences, rivals and readiness, each with its evidence", async (t) => {
    const { bakery } = await fixtureWeb(t, "bakery");
    const { profile } = await read(t, bakery);
    assert.equal(profile.brand.name, "Kornblume Bakery");
    assert.equal(profile.brand.from, "titles");
    assert.equal(profile.offer.keyphrases[0]?.text, "organic sourdough bread");
    assert.deepEqual(texts(profile.offer.prices).slice(0, 2), ["£4.50", "£6"]);
    assert.ok(texts(profile.offer.places).includes("Leeds"));
    assert.ok(texts(profile.offer.audiences).includes("small teams"));
    assert.deepEqual(
      profile.rivalsNamed.map(({ name }) => name),
      ["Greggs"],
    );
    for (const { evidence } of [...profile.offer.prices, ...profile.offer.keyphrases])
      assert.ok(evidence.quote && evidence.url.startsWith(bakery.url));
    assert.ok(profile.readiness.length >= 16);
    assert.equal(status(profile, "citation-bots"), "pass");
    assert.equal(status(profile, "training-bots"), "warn");
    assert.equal(status(profile, "questions"), "pass");
    assert.equal(status(profile, "https"), "fail");
    assert.ok(
      profile.coverage.skipped.some(({ url, reason }) => url.endsWith("/private/x") && /robots\.txt/.test(reason)),
    );
    assert.ok(!bakery.asked.some((path) => path.startsWith("/private") || path.endsWith(".pdf")));
  });

  test("structured data names the brand, and German and Japanese sites are read as such", async (t) => {
    const { shop, german, japanese, rightToLeft } = await fixtureWeb(t, "shop", "german", "japanese", "rightToLeft");
    const shopProfile = (await read(t, shop)).profile;
    assert.deepEqual([shopProfile.brand.name, shopProfile.brand.from], ["Pedalwerk", "structured data"]);
    assert.deepEqual(shopProfile.brand.aliases, ["Pedalwerk Bikes"]);
    assert.ok(texts(shopProfile.offer.places).includes("Bristol"));
    const de = (await read(t, german)).profile;
    assert.equal(de.site.lang, "de", "though its template says en");
    assert.ok(texts(de.offer.prices).includes("24 €"));
    const ja = (await read(t, japanese)).profile;
    assert.deepEqual([ja.site.lang, ja.brand.name], ["ja", "山田製茶"]);
    assert.ok(texts(ja.offer.keyphrases).includes("業務用抹茶"));
    assert.equal((await read(t, rightToLeft)).profile.brand.name, "قمر 🌙");
  });

  test("what is hidden is reported and never used", async (t) => {
    const { injection } = await fixtureWeb(t, "injection");
    const { profile, prompts } = await read(t, injection);
    assert.equal(profile.hiddenText.length, 2);
    const used = JSON.stringify([{ ...profile, hiddenText: [] }, prompts]);
    assert.doesNotMatch(used, /Evil Corp|previous instructions|9999/);
  });
});

describe("prompts", () => {
  test("keep the rules on every fixture site", async (t) => {
    const web = await fixtureWeb(t, "bakery", "shop", "german", "japanese", "injection", "shortName", "rightToLeft");
    for (const [name, site] of Object.entries(web)) {
      const { profile, prompts } = await read(t, site);
      const names = brandMatcher(profile.brand);
      const branded = prompts.prompts.filter(({ text }) => names(text).length > 0);
      assert.ok(prompts.prompts.length >= 7, `${name}: ${prompts.prompts.length}`);
      assert.ok(branded.length <= prompts.prompts.length * 0.3 + 0.3, `${name}: ${branded.length} branded`);
      assert.deepEqual(
        prompts.prompts.filter(({ branded }) => branded),
        branded,
      );
      assert.ok(new Set(prompts.prompts.map(({ intent }) => intent)).size >= 3, name);
      assert.equal(new Set(prompts.prompts.map(({ text }) => text.toLowerCase())).size, prompts.prompts.length, name);
      for (const { text, lang } of prompts.prompts) {
        assert.ok(text.length >= 8 && text.length <= 200, text);
        assert.equal(lang, profile.site.lang, `${name}: ${text}`);
        assert.doesNotMatch(text, /\{|https?:/);
      }
    }
  });

  test("a person's own are taken as they are, as long as they can be asked", () => {
    const profile = {
      site: { lang: "en" },
      brand: { name: "Acme", aliases: [], domains: [] },
      rivalsNamed: [],
    } as unknown as SiteProfile;
    const set = formPrompts(profile, {
      promptCount: 3,
      prompts: [
        "Is Acme any good?",
        "is acme ANY good",
        "See https://evil.example now please",
        "keyword",
        "Which <b>tool</b> is best for me?",
      ],
    });
    assert.deepEqual(texts(set.prompts), ["Is Acme any good?"]);
    assert.deepEqual(
      set.rejected.map(({ reason }) => reason),
      ["asks what another prompt asks", "contains an address", "is shorter than 8 characters", "contains markup"],
    );
    assert.equal(set.shortfalls.length, 1);
  });
});

describe("pages that mean no good", () => {
  for (const name of ["endless", "bomb", "nested", "unclosed"] as const) {
    test(`${name}: the run goes on with what could be read`, async (t) => {
      const web = await fixtureWeb(t, name);
      const { profile } = await read(t, web[name]);
      assert.equal(profile.coverage.truncated, true);
      assert.equal(profile.pages.length, 1);
    });
  }

  for (const [name, code, asked] of [
    ["denied", /must not be read: robots\.txt of [\d.:]+ forbids it/, ["/robots.txt"]],
    ["slow", /No answer within 2000 ms/, undefined],
    ["down", /answered 503/, undefined],
    ["busy", /answered 429/, undefined],
  ] as const) {
    test(`${name}: it fails with a reason a person can act on`, async (t) => {
      const web = await fixtureWeb(t, name);
      await assert.rejects(read(t, web[name]), code);
      if (asked) assert.deepEqual(web[name].asked, asked);
    });
  }

  test("redirects are followed; an app's shell is told apart from an empty site", async (t) => {
    const { redirects, shell } = await fixtureWeb(t, "redirects", "shell");
    assert.ok((await read(t, redirects)).profile.site.final.endsWith("/three"));
    const empty = await read(t, shell);
    assert.equal(empty.profile.coverage.note, "needs-javascript");
    assert.equal(status(empty.profile, "text"), "fail");
  });
});
