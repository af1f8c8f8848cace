// runtimes: both
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { Format } from "../../src/api/formats.ts";
import { embedFonts } from "../../src/fonts/embed.ts";
import { parseXml, writeXml } from "../../src/svg/xml.ts";
import { drawn as drawnAs } from "../formats/support/draw.ts";

const LONG_MS = 60_000;
const SOURCE = 'flowchart LR\n  a["Ångström **bold** 日本"] -->|"नमस्ते"| b["x"]';

const drawn = (source: string, format: Format = "mermaid", embedFont = true) =>
  drawnAs(format, source, { embedFont }, "png");

const rulesOf = (svg: string) =>
  [...svg.matchAll(/@font-face\{font-family:"([^"]+)";font-weight:([\d ]+);[^}]*unicode-range:([^;]*);[^}]*\}/g)].map(
    ([rule, family = "", weight, range = ""]) => ({ bytes: rule.length, family, weight, range }),
  );

describe("fonts inside a drawing", () => {
  let svg = "";
  before(
    async () => {
      ({ svg } = await drawn(SOURCE));
    },
    { timeout: LONG_MS },
  );

  test("have the letters of its texts alone, by weight and script", () => {
    const rules = rulesOf(svg);
    assert.ok(rules.length >= 3, svg.slice(0, 500));
    assert.ok(
      rules.some(({ range }) => range.includes("U+c5")),
      "the letters of Latin",
    );
    assert.ok(
      rules.some(({ range }) => range.includes("U+65e5")),
      "the letters of Japanese",
    );
    assert.ok(
      rules.some(({ range }) => range.includes("U+928")),
      "the letters of Devanagari",
    );
    for (const { bytes } of rules) assert.ok(bytes < 12_000, String(bytes));
  });

  test("come first in its texts, under names that no other drawing has", () => {
    const [id = ""] = /(?<=<svg id=")d\w{10}(?=")/.exec(svg) ?? [];
    const families = new Set(rulesOf(svg).map(({ family }) => family));
    assert.ok(id !== "" && [...families].every((family) => family.startsWith(`${id}-font-`)));
    for (const family of families) assert.match(svg, new RegExp(`font-family="(?:&quot;|')?${family}`));
  });

  test("change nothing of a picture, and are not there unless asked for", { timeout: LONG_MS }, async () => {
    const [with_, without] = [await drawn(SOURCE), await drawn(SOURCE, "mermaid", false)];
    assert.deepEqual(with_.picture, without.picture);
    assert.doesNotMatch(without.svg, /font-face/);
    assert.equal(with_.svg, svg, "the same bytes again");
  });

  test("of D2 stay, and only what they lack is added", { timeout: LONG_MS }, async () => {
    const plain = await drawn("a -> b", "d2");
    assert.deepEqual(rulesOf(plain.svg), []);
    const mixed = await drawn("a: 日本 -> b", "d2");
    assert.ok(
      rulesOf(mixed.svg).every(({ range }) => range.includes("U+65e5")),
      JSON.stringify(rulesOf(mixed.svg)),
    );
  });

  test("are one for each file, however many families and weights name it", { timeout: LONG_MS }, async () => {
    const texts = Array.from(
      { length: 400 },
      (_, i) => `<text font-family="Family ${i}" font-weight="${100 + i}">日</text>`,
    );
    const root = parseXml(`<svg xmlns="http://www.w3.org/2000/svg" id="d1">${texts.join("")}</svg>`);
    assert.equal(await embedFonts(root), undefined);
    const rules = rulesOf(writeXml(root));
    assert.ok(rules.length > 0 && rules.length <= 4, `${rules.length} rules`);
    assert.ok(rules.every(({ range }) => range === "U+65e5"));
    assert.equal(rules.at(0)?.weight?.split(" ")[0], "100");
    assert.equal(rules.at(-1)?.weight?.split(" ").at(-1), "499");
  });

  test("have a limit, and what is beyond it is told", { timeout: LONG_MS }, async () => {
    const source = '<svg xmlns="http://www.w3.org/2000/svg" id="d1"><text>a日न</text></svg>';
    for (const limits of [
      { rules: 2, chars: 1_000_000 },
      { rules: 64, chars: 2_000 },
    ]) {
      const root = parseXml(source);
      const told = await embedFonts(root, limits);
      const { length } = rulesOf(writeXml(root));
      assert.ok(length < 3, `${length} rules`);
      assert.equal(told, `The drawing needs 3 fonts; ${3 - length} of them are not embedded.`);
    }
  });
});
