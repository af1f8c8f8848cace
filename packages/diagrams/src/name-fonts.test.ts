import assert from "node:assert/strict";
import { test } from "node:test";
import { nameFonts } from "./name-fonts.ts";
import { parseXml, writeXml } from "./svg/xml.ts";

const fonts = { sans: "Arimo", mono: "Cousine" };

async function named(body: string) {
  const root = parseXml(`<svg>${body}</svg>`);
  const families = await nameFonts(root, fonts);
  return { families: [...families], svg: writeXml(root).slice("<svg>".length, -"</svg>".length) };
}

test("Latin, Greek and Cyrillic are left as they are", async () => {
  const text = '<text x="1" y="2">Grüße <tspan font-weight="bold">Γειά</tspan> мир</text>';
  assert.deepEqual(await named(text), { families: [], svg: text });
});

test("a line of one other script gets its font and keeps its place", async () => {
  const { families, svg } = await named('<text x="9" y="2" text-anchor="middle">مرحبا بالعالم</text>');
  assert.deepEqual(families, ["Noto Sans Arabic"]);
  assert.equal(
    svg,
    '<text x="9" y="2" text-anchor="middle"><tspan font-family="Noto Sans Arabic">مرحبا بالعالم</tspan></text>',
  );
});

test("the words of a label are put together again before they are divided by font", async () => {
  const { svg } = await named(
    '<text y="3"><tspan x="0" y="14"><tspan>مرحبا</tspan><tspan> بالعالم</tspan></tspan></text>',
  );
  assert.match(svg, /<tspan x="0" y="14"><tspan font-family="Noto Sans Arabic">مرحبا بالعالم<\/tspan><\/tspan>/);
});

test("parts in several fonts have places of their own, in a row", async () => {
  const { families, svg } = await named(
    '<text text-anchor="middle" font-size="10"><tspan x="100" y="14">ab 😀 cd</tspan><tspan x="100" y="30">second</tspan></text>',
  );
  assert.deepEqual(families, ["Noto Emoji"]);
  const places = [...svg.matchAll(/<tspan x="([\d.]+)" y="14" text-anchor="start"/g)].map(([, x]) => Number(x));
  assert.equal(places.length, 3);
  assert.ok((places[0] ?? 0) < 100 && (places[1] ?? 0) > (places[0] ?? 0) && (places[2] ?? 0) > (places[1] ?? 0));
  assert.match(svg, /<tspan x="100" y="30">second<\/tspan>/);
});
