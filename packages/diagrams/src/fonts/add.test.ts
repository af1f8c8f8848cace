import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { findFonts, useAddedFonts } from "../text/fonts.ts";
import { Typesetter } from "../text/typesetter.ts";
import { addFonts } from "./add.ts";
import { codePointsIn, covers, readRanges } from "./coverage.ts";
import { NoFont, readFont } from "./read.ts";

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), "added-fonts-"));
  t.after(() => {
    useAddedFonts(undefined);
    rmSync(path, { recursive: true, force: true });
  });
  return path;
}

const files = dirname(createRequire(import.meta.url).resolve("@fontsource-variable/noto-sans-tc/package.json"));
const [part = ""] = readdirSync(join(files, "files")).filter((name) => /-tc-\d+-wght/.test(name));
const file = join(files, "files", part);
const missingIn = async (text: string) => {
  const typesetter = await Typesetter.load();
  typesetter.noteMissing(text);
  return typesetter.drainMissing();
};

test("a file that was added gives the letters that no other font has, in regular and bold", async (t) => {
  const to = folder(t);
  const added = await addFonts(file, to);
  assert.deepEqual(
    added.map(({ family, weight }) => [family, weight]),
    [400, 700].map((weight) => ["Noto Sans TC", weight]),
  );
  const ranges = readRanges(added[0]?.covers ?? "");
  const ours = findFonts().files.flatMap((font) => (font.covers === undefined ? [] : [readRanges(font.covers)]));
  const rare = [...codePointsIn(ranges)].find((each) => each > 0x3400 && !ours.some((one) => covers(one, each)));
  const letter = String.fromCodePoint(rare ?? 0);
  const before = findFonts().version;
  assert.deepEqual(await missingIn(letter), [letter]);
  useAddedFonts(to);
  assert.deepEqual(await missingIn(letter), []);
  assert.notEqual(findFonts().version, before, "drawings made without it are not used again");
});

test("an installed package gives its regular and bold, and adding it twice changes nothing", async (t) => {
  const to = folder(t);
  const first = await addFonts("@expo-google-fonts/cousine", to);
  assert.deepEqual(first.map(({ weight, italic }) => [weight, italic]).sort(), [
    [400, false],
    [700, false],
  ]);
  const kept = readFileSync(join(to, "index.json"), "utf8");
  await addFonts("@expo-google-fonts/cousine", to);
  assert.equal(readFileSync(join(to, "index.json"), "utf8"), kept);
  assert.equal(readdirSync(to).length, 3);
});

test("WOFF gives the same font as WOFF2", async () => {
  const home = dirname(createRequire(import.meta.url).resolve("@fontsource/noto-sans-vai/package.json"));
  const [one, two] = await Promise.all(
    ["woff", "woff2"].map((ending) =>
      readFont(readFileSync(join(home, `files/noto-sans-vai-vai-400-normal.${ending}`))),
    ),
  );
  const { coverageOf } = await import("./coverage.ts");
  assert.deepEqual(await coverageOf(one as Uint8Array), await coverageOf(two as Uint8Array));
});

test("what is no font is refused with a sentence, and nothing is written", async (t) => {
  const to = folder(t);
  const broken = join(to, "broken.woff2");
  writeFileSync(broken, "wOF2 and nothing else");
  writeFileSync(join(to, "text.ttf"), "hello");
  const wrong: [string, RegExp][] = [
    [broken, /broken\.woff2 is a damaged font file/],
    [join(to, "text.ttf"), /text\.ttf is not a font file/],
    ["@example/no-such-font", /neither a file nor an installed package\. Run: npm install @example\/no-such-font/],
    ["zod", /"zod" has no font files/],
  ];
  for (const [from, said] of wrong)
    await assert.rejects(
      addFonts(from, join(to, "fonts")),
      (error) => error instanceof NoFont && said.test(error.message),
    );
  assert.equal(readdirSync(to).includes("fonts/index.json"), false);
});
