// runtimes: node
// time-limit: 300 s
// Text of the whole world: every script in every format without a box, and a picture beside Chromium's of the same SVG.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { chromiumForTests } from "../../../../test/support/chromium.ts";
import { sampled } from "../../../../test/support/torture.ts";
import type { Format } from "../../src/api/formats.ts";
import type { CommonOptions } from "../../src/api/options.ts";
import type { DiagramEngine } from "../../src/engine.ts";
import { engineOf } from "../../src/engines.ts";
import type { FontIndex } from "../../src/fonts/folder.ts";
import { renderDiagram } from "../../src/render.ts";
import { ReferenceBrowser } from "../support/reference/browser.ts";

const SCRIPTS: Readonly<Record<string, string>> = {
  Latin: "Grüße, Việt Nam, é ẩ g̃",
  Greek: "Καλημέρα κόσμε",
  Cyrillic: "Привет, мир",
  Arabic: "نعم / لا (محلي) 123",
  Hebrew: "שלום (עולם) 123, כן / לא",
  Devanagari: "क्षत्रिय प्रारंभ हिन्दी",
  Bengali: "শুরু করুন স্ত্রী",
  Tamil: "தொடங்கு கொ",
  Telugu: "ప్రారంభం క్ష్మ",
  Kannada: "ಪ್ರಾರಂಭ ಕ್ಷ",
  Malayalam: "തുടക്കം ക്ഷ",
  Gujarati: "શરૂઆત ક્ષ",
  Gurmukhi: "ਸ਼ੁਰੂ ਕਰੋ",
  Oriya: "ଆରମ୍ଭ",
  Sinhala: "ආරම්භය ශ්‍රී",
  Thai: "เริ่มต้น น้ำ",
  Lao: "ເລີ່ມຕົ້ນ",
  Khmer: "ចាប់ផ្តើម",
  Burmese: "စတင်ပါ ကျွန်ုပ်",
  Armenian: "Սկսել",
  Georgian: "დაწყება",
  Ethiopic: "አማርኛ",
  Tibetan: "བོད་ཡིག",
  Chinese: "开始：简体字，繁體字 開始",
  Japanese: "開始する・カタカナ直す",
  Korean: "시작 합니다 뷁",
  Emoji: "😀 🚀 👨‍👩‍👧 🇩🇪 ✅",
  Symbols: "★ ✗ △ ◆ ⬤ ∈ ∀ ⇒ ✓ ☐ ① ⚠ 𝑥",
};

// An emoji of several parts is one sign for HarfBuzz and for browsers; d2 and Graphviz measure it by themselves.
const FORMATS = {
  mermaid: (text: string) => `flowchart LR\n  a["${text}"] -->|"${text}"| b`,
  d2: (text: string) => `a: "${text}"`,
  graphviz: (text: string) => `digraph { a [label="${text}"] }`,
} as const satisfies Partial<Record<Format, (text: string) => string>>;

// Letters of two rasterisers have other edges: a box, a missing mark or another order of words makes 20 % and more.
const MOST_DIFFERENT = 0.08;

let browser: ReferenceBrowser;
before(async () => {
  await chromiumForTests();
  browser = await ReferenceBrowser.start();
});
after(() => browser.stop());

async function draw(format: Format, source: string) {
  const engine = (await engineOf(format)) as DiagramEngine<CommonOptions>;
  const rendered = await renderDiagram(engine, source, {}, "png");
  assert.ok("svg" in rendered, "fault" in rendered ? rendered.fault.message : "");
  return rendered;
}

describe("text of the whole world", () => {
  test("the fonts that come along are at most 25 MB, and each says which letters it has", () => {
    const folder = new URL("../../fonts/", import.meta.url);
    const { fonts } = JSON.parse(readFileSync(new URL("index.json", folder), "utf8")) as FontIndex;
    const bytes = fonts.reduce((sum, { file }) => sum + readFileSync(new URL(file, folder)).length, 0);
    assert.ok(bytes > 10e6 && bytes < 25e6, `${bytes} bytes`);
    assert.ok(fonts.every(({ covers }) => /^[\da-f,-]+$/.test(covers)));
  });

  for (const [script, text] of Object.entries(SCRIPTS)) {
    test(`${script} is drawn without a missing letter in every format`, { timeout: 120_000 }, async () => {
      for (const [format, source] of Object.entries(FORMATS)) {
        const rendered = await draw(format as Format, source(text));
        assert.doesNotMatch(rendered.warnings.join(" "), /No installed font/, format);
      }
    });
  }

  test("a picture shows the letters that Chromium shows, joined and in the same order", {
    timeout: 250_000,
  }, async () => {
    for (const [script, text] of sampled(Object.entries(SCRIPTS))) {
      const { svg, width, height, picture } = await draw("mermaid", FORMATS.mermaid(text));
      assert.ok(picture !== undefined);
      const off = await browser.ink(picture, await browser.picture(svg, width, height));
      assert.ok(off < MOST_DIFFERENT, `${script}: ${(off * 100).toFixed(1)} % of the ink differs`);
    }
  });

  test("bold letters of other scripts are bold", { timeout: 60_000 }, async () => {
    const [bold, plain] = await Promise.all(
      ["**", ""].map((mark) => draw("mermaid", `flowchart LR\n  a["\`${mark}中文 हिन्दी 한국${mark}\`"]`)),
    );
    assert.notDeepEqual(bold?.picture, plain?.picture);
  });

  test("a letter that no font has is named with its script", async () => {
    for (const [format, source] of Object.entries(FORMATS)) {
      const rendered = await draw(format as Format, source("ᚠ 𓀀"));
      assert.match(rendered.warnings.join(" "), /ᚠ \(U\+16A0\).*script: Egyptian Hieroglyphs, Runic/, format);
    }
  });
});
