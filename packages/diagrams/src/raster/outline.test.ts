import assert from "node:assert/strict";
import { test } from "node:test";
import { parseXml, writeXml } from "../svg/xml.ts";
import { outlineTexts } from "./outline.ts";

async function outlined(body: string, options = {}): Promise<string> {
  const root = parseXml(`<svg>${body}</svg>`);
  await outlineTexts(root, options);
  return writeXml(root).slice("<svg>".length, -"</svg>".length);
}

/** The leftmost and rightmost ends of all paths. */
function ends(svg: string): [number, number] {
  const xs = [...svg.matchAll(/ d="([^"]*)"/g)].flatMap(([, d = ""]) =>
    [...d.matchAll(/(-?[\d.]+) -?[\d.]+/g)].map(([, x]) => Number(x)),
  );
  return [Math.min(...xs), Math.max(...xs)];
}

test("Latin, Greek and Cyrillic stay text", async () => {
  const text = '<text x="1" y="2">Grüße <tspan font-weight="bold">Γειά</tspan> мир – “€”</text>';
  assert.equal(await outlined(text), text);
});

test("every other script becomes paths, in the place and colour of its text", async () => {
  for (const word of ["مرحبا", "שלום", "हिन्दी", "ไทย", "中文", "かな", "한국어", "ខ្មែរ", "😀", "e\u0323\u0308"]) {
    const svg = await outlined(`<text x="100" y="50" text-anchor="middle" fill="red" font-size="20">${word}</text>`);
    assert.match(svg, /^<g fill="red"><path d="[MLQCZ\d. -]+"\/><\/g>$/, word);
    const [left, right] = ends(svg);
    assert.ok(Math.abs((left + right) / 2 - 100) < 4 && right - left > 5, `${word}: ${left} to ${right}`);
  }
});

test("parts of one line keep their own colours and lines their own places", async () => {
  const svg = await outlined(
    '<text y="3" font-size="10"><tspan x="0" y="14" fill="red">中</tspan><tspan fill="blue">文</tspan><tspan x="50" y="30">second</tspan></text>',
  );
  const [first, second, third] = [...svg.matchAll(/<path[^>]*>/g)].map(([path]) => path);
  assert.match(first ?? "", /fill="red"/);
  assert.match(second ?? "", /fill="blue"/);
  assert.ok(ends(second ?? "")[0] > ends(first ?? "")[0]);
  assert.ok(ends(third ?? "")[0] >= 50 && ends(third ?? "")[0] < 55);
});

test("right-to-left words stand in the order in which they are read", async () => {
  // The first word is at the right, also where signs without a direction stand between; a number in it runs left to right.
  const places = async (text: string) => {
    const svg = await outlined(`<text x="0" y="20" font-size="20">${text}</text>`);
    return [...svg.matchAll(/<path[^>]*>/g)].map(([path]) => ends(path));
  };
  const whole = (await places("נעם / לא"))[0] ?? [0, 0];
  const first = (await places("נעם"))[0] ?? [0, 0];
  assert.ok(whole[1] > first[1] * 1.5);
  const mixed = await outlined(
    '<text x="0" y="20" font-size="20">ab <tspan fill="red">אב</tspan><tspan fill="blue"> גד</tspan> cd</text>',
  );
  const [red, blue] = ["red", "blue"].map((colour) =>
    ends(new RegExp(`<path fill="${colour}"[^>]*>`).exec(mixed)?.[0] ?? ""),
  );
  assert.ok((red?.[0] ?? 0) > (blue?.[1] ?? 0), "the word that is read first is further right");
});

test("a letter that no font has is a visible box", async () => {
  const svg = await outlined('<text x="0" y="20">ᚠ</text>');
  assert.match(svg, /<path d="M[^"]{20,}"/);
});

test("decorations, shifts and all texts where asked for", async () => {
  const svg = await outlined(
    '<text x="0" y="20" text-decoration="underline">ab<tspan baseline-shift="super">2</tspan></text>',
    {
      every: true,
    },
  );
  assert.doesNotMatch(svg, /<text/);
  assert.match(svg, /h[\d.]+v1\.12h-/);
});

test("letters along a path stay text", async () => {
  const text = '<text><textPath href="#a">中文</textPath></text>';
  assert.equal(await outlined(text), text);
});
