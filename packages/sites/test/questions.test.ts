// Questions without a model, on twenty small sites of different trades in six languages.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { SiteProfile } from "../src/api/shapes.ts";
import { formPrompts } from "../src/prompts/form.ts";
import { TEMPLATES } from "../src/prompts/templates/templates.ts";
import { type MadeUpSite, profileOfMadeUp } from "./support/made-up.ts";
import { MADE_UP } from "./support/made-up-sites.ts";

const texts = (found: readonly { text: string }[] = []) => found.map(({ text }) => text);

describe("questions without a model", () => {
  test("at least 80 % are about what the site sells, in six languages", () => {
    let sensible = 0;
    let all = 0;
    for (const site of MADE_UP) {
      const { site: read, brand } = profileOfMadeUp(site);
      assert.deepEqual([read.lang, brand.name], [site.lang, site.name]);
      const set = formPrompts(profileOfMadeUp(site), { promptCount: 10 });
      assert.ok(set.prompts.length >= 8, `${site.name}: ${set.prompts.length} prompts`);
      for (const { text, branded } of set.prompts) {
        all++;
        if (site.sells.test(text) || (branded && !/:/.test(text))) sensible++;
      }
    }
    assert.equal(new Set(MADE_UP.map(({ lang }) => lang)).size, 6);
    assert.ok(sensible >= all * 0.8, `${sensible} of ${all}`);
  });

  test("people, slogans, calls to action and blog posts are never what a question is about", () => {
    for (const site of MADE_UP) {
      const { offer, rivalsNamed } = profileOfMadeUp(site);
      for (const text of texts(offer.subjects)) {
        assert.match(text, site.sells, `${site.name}: ${text}`);
        assert.doesNotMatch(text, /Vikoler|Ashdown|Jessica|Huber|guidance|mistakes|trial|Guardian|Cookie|min read/i);
      }
      assert.deepEqual(
        rivalsNamed.map(({ name }) => name),
        site.name === "Fernwood Tea" ? ["Twinings"] : [],
        site.name,
      );
    }
  });

  test("what, to whom and where come from different places of a heading", () => {
    const offerOf = (name: string) => profileOfMadeUp(MADE_UP.find((site) => site.name === name) as MadeUpSite).offer;
    const ledgerly = offerOf("Ledgerly");
    assert.deepEqual(texts(ledgerly.subjects), ["invoicing software", "expense tracking"]);
    assert.deepEqual(texts(ledgerly.audiences), ["freelancers"]);
    assert.deepEqual(texts(offerOf("Halte Nuisibles").places), ["Lyon"]);
    assert.equal(offerOf("Imkerei Lindgrün").goods, true);
    assert.equal(offerOf("Kanzlei Brandt").goods, false);
  });

  test("a site that does not say what it sells gives few prompts and says so", () => {
    const vague: MadeUpSite = {
      name: "Quillon",
      lang: "en",
      sells: /./,
      pages: [
        {
          path: "/",
          title: "Quillon | Welcome",
          h1: "We care about what matters",
          sections: [
            ["Our story", "We started with a dream and a table. Today we are a team of twelve who love their work."],
            ["Contact us", "Write to Anna Berg, she answers each letter within a day or two at the most."],
          ],
        },
      ],
    };
    const set = formPrompts(profileOfMadeUp(vague), { promptCount: 10 });
    assert.deepEqual(texts(set.prompts), ["What does Quillon offer?"]);
    assert.match(set.doubts?.[0] ?? "", /do not say plainly what is offered/);
  });

  test("a language without templates gives no mush in English, and says that it needs a model", () => {
    const profile = profileOfMadeUp({ ...(MADE_UP[0] as MadeUpSite), lang: "en" });
    const basque: SiteProfile = { ...profile, site: { ...profile.site, lang: "eu" } };
    const set = formPrompts(basque, { promptCount: 10 });
    assert.deepEqual(set.prompts, []);
    assert.match(set.doubts?.[0] ?? "", /no templates for the language "eu"/);
  });
});

describe("templates", () => {
  test("each language asks with five intents and leaves no gap open", () => {
    assert.ok(Object.keys(TEMPLATES).length >= 15);
    for (const [lang, templates] of Object.entries(TEMPLATES)) {
      assert.equal(new Set(templates.map(({ intent }) => intent)).size, 5, lang);
      for (const { text, gaps } of templates) {
        assert.ok(gaps.length > 0 && /[?？؟]$|てください。$/u.test(text), `${lang}: ${text}`);
        assert.equal(text.replaceAll(/\{(?:what|What|who|where|rival|brand)\}/g, "").includes("{"), false, text);
      }
    }
  });

  test("fill every gap in every language, whatever signs a name has", () => {
    const profile = profileOfMadeUp(MADE_UP[0] as MadeUpSite);
    const evidence = { url: "https://a.example/", quote: "x" };
    for (const lang of Object.keys(TEMPLATES)) {
      const offer = { ...profile.offer, goods: true, audiences: [{ text: "$& people", evidence }] };
      const set = formPrompts(
        { ...profile, offer, site: { ...profile.site, lang } },
        { promptCount: 50, competitors: [{ name: "Riv$1al & Co", aliases: [], domains: [] }] },
      );
      const all = [...texts(set.prompts), ...set.rejected.map(({ text }) => text)];
      assert.ok(all.length > 10, lang);
      for (const text of all) assert.doesNotMatch(text, /[{}]/);
      assert.ok(
        all.some((text) => text.includes("Riv$1al & Co")),
        lang,
      );
    }
  });
});

describe("locales and personas", () => {
  test("each prompt is asked for each country and as each person", () => {
    const profile = profileOfMadeUp(MADE_UP[0] as MadeUpSite);
    const set = formPrompts(profile, {
      promptCount: 3,
      prompts: ["Who fits wardrobes?"],
      locales: ["en-GB", "en-IE", "en"],
      personas: ["I rent a small flat.", "I furnish hotels."],
    });
    assert.deepEqual(texts(set.prompts), [
      "I rent a small flat. Who fits wardrobes? (United Kingdom)",
      "I furnish hotels. Who fits wardrobes? (United Kingdom)",
      "I rent a small flat. Who fits wardrobes? (Ireland)",
      "I furnish hotels. Who fits wardrobes? (Ireland)",
      "I rent a small flat. Who fits wardrobes?",
      "I furnish hotels. Who fits wardrobes?",
    ]);
    assert.deepEqual(set.prompts.map(({ id, locale, persona }) => [id, locale, persona])[3], [
      "p4",
      "en-IE",
      "I furnish hotels.",
    ]);
  });
});
