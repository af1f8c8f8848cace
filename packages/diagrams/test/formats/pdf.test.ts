// runtimes: bun or node
// time-limit: 300 s

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { pdfOf } from "../../src/pdf/pdf.ts";
import { drawn } from "./support/draw.ts";
import { readPdf } from "./support/read-pdf.ts";
import { FORMAT_SOURCES } from "./support/sources.ts";

const LONG_MS = 250_000;
const svg = (body: string, size = 'width="200" height="100" viewBox="0 0 200 100"') =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${size}>${body}</svg>`;
const read = async (body: string, size?: string) => readPdf((await pdfOf(svg(body, size))).bytes);

describe("a PDF", () => {
  test("is one page as large as the drawing, with shapes as shapes", async () => {
    const { size, content, objects } = await read(
      '<rect x="10" y="20" width="30" height="40" fill="#ff0000" stroke="#0000ff" stroke-width="3" stroke-dasharray="4 2"/>',
    );
    assert.deepEqual(size, [150, 75]);
    assert.match(content, /^1 0 0 rg$/m);
    assert.match(content, /^0 0 1 RG$/m);
    assert.match(content, /^3 w 0 J 0 j 4 M$/m);
    assert.match(content, /^\[4 2\] 0 d$/m);
    // From pixels to points, with y upwards.
    assert.match(content, /^0\.75 0 0 -0\.75 0 75 cm$/m);
    assert.match(content, /^10 20 m$/m);
    assert.match(content, /^B$/m);
    assert.ok(!objects.some((body) => body.includes("/Subtype /Image")));
    assert.equal(objects.filter((body) => body.includes("/Type /Page ")).length, 1);
  });

  test("takes the width and height that the drawing was given, and no page larger than viewers open", async () => {
    assert.deepEqual(
      (await read("<rect width='9' height='9'/>", 'width="400" height="200" viewBox="0 0 200 100"')).size,
      [300, 150],
    );
    const { bytes, warnings } = await pdfOf(
      svg("<rect width='9' height='9'/>", 'width="40000" height="100" viewBox="0 0 40000 100"'),
    );
    assert.deepEqual(readPdf(bytes).size, [14_400, 36]);
    assert.equal(warnings.length, 1);
  });

  test("has a page for each board of D2, as large as the board", { timeout: LONG_MS }, async () => {
    const source = "a -> b\nlayers: {\n  inside: {\n    c\n  }\n}";
    const { objects, texts } = readPdf((await drawn("d2", source, {}, "pdf")).picture ?? new Uint8Array());
    const pages = objects.filter((body) => body.includes("/Type /Page "));
    const sizes = pages.map(
      (body) => /\/MediaBox \[0\.00 0\.00 ([\d.]+) ([\d.]+)\]/.exec(body)?.slice(1).map(Number) ?? [],
    );
    const alone = await Promise.all(["root", "inside"].map(async (board) => drawn("d2", source, { board }, "svg")));
    assert.equal(pages.length, 2);
    for (const [at, { width, height }] of alone.entries()) {
      const [wide = 0, high = 0] = sizes[at] ?? [];
      // The second has a line with its name.
      assert.ok(Math.abs(wide - width * 0.75) < 1 && Math.abs(high - (height + at * 28) * 0.75) < 1, `${sizes[at]}`);
    }
    assert.deepEqual([...texts].sort(), ["a", "b"], "the first page has the first board alone");
  });

  test("has gradients, patterns, clips, masks, opacity and pictures", async () => {
    const red =
      "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC";
    const { content, objects, streams } = await read(
      `<defs>
        <linearGradient id="g"><stop offset="0" stop-color="red"/><stop offset="0.5" stop-color="lime"/><stop offset="1" stop-color="blue"/></linearGradient>
        <radialGradient id="r"><stop offset="0" stop-color="red"/><stop offset="1" stop-color="blue" stop-opacity="0.5"/></radialGradient>
        <pattern id="p" width="5" height="5" patternUnits="userSpaceOnUse"><circle cx="2" cy="2" r="2" fill="green"/></pattern>
        <clipPath id="c"><circle cx="50" cy="50" r="40"/></clipPath>
        <mask id="m"><rect width="200" height="100" fill="white"/><rect width="20" height="20"/></mask>
      </defs>
      <rect width="50" height="50" fill="url(#g)"/><rect x="50" width="50" height="50" fill="url(#r)"/>
      <rect y="50" width="50" height="50" fill="url(#p)"/>
      <g clip-path="url(#c)"><rect width="90" height="90"/></g>
      <g mask="url(#m)"><rect width="90" height="90"/></g>
      <g opacity="0.5"><rect width="9" height="9"/><rect width="5" height="5" fill="red"/></g>
      <image href="${red}" x="100" width="40" height="20"/>`,
    );
    const has = (pattern: RegExp) => objects.filter((body) => pattern.test(body)).length;
    assert.deepEqual([has(/\/ShadingType 2/), has(/\/ShadingType 3/), has(/\/PatternType 1/)], [1, 1, 1]);
    assert.match(objects.join("\n"), /\/FunctionType 3 .*\/Bounds \[0\.5\]/);
    assert.equal(has(/\/Subtype \/Form/), 3, "the mask, what it masks, and the group with one opacity");
    assert.match(objects.join("\n"), /\/SMask << \/S \/Luminosity/);
    assert.match(objects.join("\n"), /\/ca 0\.5 \/CA 0\.5/);
    assert.match(content, /^W n$/m);
    const image = objects.findIndex((body) => body.includes("/Subtype /Image"));
    assert.equal(streams.get(image + 1), "\xff\0\0");
    assert.match(content, /^30 0 0 15 75 60 cm$/m);
  });

  test("is the same bytes again, without a date, a script or an address", { timeout: LONG_MS }, async () => {
    for (const { name, format, source } of FORMAT_SOURCES) {
      const { svg: drawing } = await drawn(format, source);
      const [one, again] = [await pdfOf(drawing), await pdfOf(drawing)];
      assert.deepEqual(Buffer.from(one.bytes).compare(again.bytes), 0, name);
      const { objects, content, texts } = readPdf(one.bytes);
      assert.doesNotMatch(
        objects.join("\n"),
        /\/(?:JavaScript|JS|OpenAction|AA|Launch|URI|CreationDate|EmbeddedFile)\b/,
        name,
      );
      assert.doesNotMatch(content, /NaN|undefined|Infinity|\de[-+]\d/, name);
      assert.ok(texts.length > 0, name);
    }
  });
});

describe("the text of a PDF", () => {
  test("is invisible, over its outlines, and as it is written", async () => {
    const { content, texts } = await read(
      '<g transform="translate(10 20)"><text x="5" y="30" font-size="16" text-anchor="start">Order placed</text></g>',
    );
    assert.deepEqual(texts, ["Order placed"]);
    assert.match(content, /^BT\n3 Tr$/m);
    // 15 from the left, 50 from the top of 100, in points.
    assert.match(content, /^0\.75 0 0 0\.75 11\.25 37\.5 Tm$/m);
    assert.match(content, / c$/m);
  });

  test("is that of every script, with ligatures, marks and emoji as one letter each", async () => {
    const words = ["你好世界", "こんにちは", "안녕하세요", "नमस्ते", "สวัสดี", "Ελληνικά", "Привет", "é̂x", "👨‍👩‍👧 ok"];
    for (const word of words) {
      const { texts } = await read(`<text x="5" y="30">${word}</text>`);
      assert.equal(texts.join("").replace(/\s/g, ""), word.replace(/\s/g, ""), word);
    }
  });

  test("stands from left to right, also where it is read from right to left", async () => {
    // Readers of PDF turn such letters round themselves.
    assert.deepEqual((await read('<text x="5" y="30">שלום</text>')).texts, ["םולש"]);
    assert.deepEqual(
      (await read('<text x="5" y="30" direction="rtl" text-anchor="end">نعم / لا</text>')).texts
        .join("|")
        .replace(/[ |]/g, ""),
      "ال/معن",
    );
  });

  test("of hundreds of different letters takes more fonts than one", async () => {
    const letters = Array.from({ length: 600 }, (_, at) => String.fromCodePoint(0x4e00 + at)).join("");
    const { texts, objects } = await read(`<text x="5" y="30">${letters}</text>`);
    assert.equal(texts.join(""), letters);
    assert.equal(objects.filter((body) => body.includes("/Subtype /Type3")).length, 3);
  });

  test("that is hidden, or a part of a definition, is not there", async () => {
    const { texts } = await read(
      '<defs><text id="t">defined</text></defs><text display="none">hidden</text><text visibility="hidden">unseen</text><text x="9" y="9">shown</text>',
    );
    assert.deepEqual(texts, ["shown"]);
  });

  test("of a title is the title of the file", async () => {
    const { objects } = await read("<title>Gehälter (2026)</title><rect width='9' height='9'/>");
    assert.match(objects.join("\n"), /\/Title <feff004700650068 ?00e4/);
  });
});
