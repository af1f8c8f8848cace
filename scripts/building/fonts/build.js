// node scripts/building/fonts/build.js <folder> <stamp>   makes the fonts of table.js, with an index of their letters
//
// Runs on the Node of this repository, which reads TypeScript.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import {
  codePointsIn,
  codePointsOf,
  coverageOf,
  covers,
  readRanges,
  writeRanges,
} from "../../../packages/diagrams/src/fonts/coverage.ts";
import { subsetFont } from "../../../packages/diagrams/src/fonts/subset.ts";
import { mergeFonts } from "./merge.js";
import { WORLD_FONTS } from "./table.js";

const [folder, stamp] = process.argv.slice(2);
const require = createRequire(import.meta.url);
const { decompress } = require("wawoff2");
const LATIN = 0xff;
const WESTERN = /^(?:latin|greek|cyrillic|vietnamese)/;

mkdirSync(folder, { recursive: true });
const fonts = [];
for (const font of WORLD_FONTS) {
  const parts = await partsOf(font);
  for (const weight of font.weights) fonts.push(...(await written(font, parts, weight)));
}
writeFileSync(join(folder, "index.json"), `${JSON.stringify({ version: stamp, fonts })}\n`);

/** The files of a package with the letters that each is asked for. */
async function partsOf({ package: name, parts, files, isStatic = false }) {
  const home = dirname(require.resolve(`${name}/package.json`));
  if (files !== undefined) {
    return Promise.all(
      files.map(async (file) => {
        const bytes = readFileSync(join(home, file));
        return { bytes, codePoints: [...codePointsIn(await coverageOf(bytes))].filter((each) => each > LATIN) };
      }),
    );
  }
  const short = name.slice(name.indexOf("/") + 1);
  const letters = JSON.parse(readFileSync(join(home, "unicode.json"), "utf8"));
  const wanted = Object.entries(letters)
    .map(([part, ranges]) => ({ part: part.replace(/[[\]]/g, ""), ranges }))
    .filter(({ part }) => (parts === "all" ? !WESTERN.test(part) : parts.includes(part)));
  const found = [];
  for (const { part, ranges } of wanted) {
    const file = join(home, "files", `${short}-${part}-${isStatic ? 400 : "wght"}-normal.woff2`);
    // The decoder gives a view of its memory, which the next file overwrites.
    const bytes = Uint8Array.from(await decompress(readFileSync(file)));
    found.push({ bytes, codePoints: [...codePointsOf(ranges)] });
  }
  return found;
}

async function written({ family, keepsLayout, beside, letters = {} }, parts, weight) {
  const others = beside === undefined ? [] : fonts.filter((font) => font.family === beside);
  const have = others.map(({ covers: ranges }) => readRanges(ranges));
  const listed = letters[weight] ?? (() => true);
  const wanted = (codePoint) => listed(codePoint) && !have.some((ranges) => covers(ranges, codePoint));
  const files = [];
  for (const { bytes, codePoints } of parts) {
    const own = codePoints.filter(wanted);
    if (own.length > 0) files.push(await subsetFont(bytes, { codePoints: own, weight, keepsLayout }));
  }
  // Rules for joining signs cannot be merged: each part stays a file.
  const whole = keepsLayout ? files : [mergeFonts(files)];
  const entries = [];
  for (const [index, bytes] of whole.entries()) {
    const file = `${family.replaceAll(" ", "")}-${weight}${whole.length > 1 ? `-${index + 1}` : ""}.ttf`;
    writeFileSync(join(folder, file), bytes);
    entries.push({ family, weight, italic: false, file, covers: writeRanges(await coverageOf(bytes)) });
  }
  return entries;
}
