// Adds fonts to the folder that renderers read them from: a file, or those of an installed npm package in regular and bold.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { extname, join, resolve } from "node:path";
import { codePointsIn, coverageOf, writeRanges } from "./coverage.ts";
import { type FontIndex, INDEX, readIndex } from "./folder.ts";
import { NoFont, readFont } from "./read.ts";
import { subsetFont } from "./subset.ts";

const REGULAR = 400;
const BOLD = 700;

export type AddedFont = FontIndex["fonts"][number];

/** The fonts that were added. Throws `NoFont` where `from` is neither a font file nor a package with one. */
export async function addFonts(from: string, folder: string): Promise<AddedFont[]> {
  const files = existsSync(from) && statSync(from).isFile() ? [resolve(from)] : packageFiles(from);
  const found: AddedFont[] = [];
  mkdirSync(folder, { recursive: true });
  for (const file of files) {
    for (const { name, bytes } of await stylesOf(file, files.length === 1))
      found.push(await written(name, bytes, folder));
  }
  if (found.length === 0) throw new NoFont("has no regular or bold font");
  const kept = (readIndex(folder)?.fonts ?? []).filter((font) => found.every(({ file }) => file !== font.file));
  const fonts = [...kept, ...found];
  const version = createHash("sha256")
    .update(fonts.map(({ file }) => file).join("\n"))
    .digest("hex")
    .slice(0, 16);
  const index: FontIndex = { version: `added-${version}`, fonts };
  // A renderer that starts at this moment reads the old index or the new one.
  writeFileSync(join(folder, `${INDEX}.new`), `${JSON.stringify(index)}\n`);
  renameSync(join(folder, `${INDEX}.new`), join(folder, INDEX));
  return found;
}

interface FontName {
  readonly family: string;
  readonly weight: number;
  readonly italic: boolean;
}

/** Where a variable font begins stands in its name for old programs. */
const STYLE = / (?:Thin|Extra-?Light|Light|Regular|Medium|Semi-?Bold|Bold|Extra-?Bold|Black)$/i;

/** A variable font becomes a regular and a bold one. `isAll`: whatever the weight is. */
async function stylesOf(file: string, isAll: boolean): Promise<{ name: FontName; bytes: Uint8Array }[]> {
  const bytes = await fontIn(file);
  const { name, isVariable } = await nameOf(bytes);
  if (isVariable) {
    const codePoints = [...codePointsIn(await coverageOf(bytes))];
    const weights = name.italic && !isAll ? [] : [REGULAR, BOLD];
    return Promise.all(
      weights.map(async (weight) => ({
        name: { ...name, weight },
        bytes: await subsetFont(bytes, { codePoints, weight }),
      })),
    );
  }
  const isWanted = isAll || (!name.italic && (name.weight === REGULAR || name.weight === BOLD));
  return isWanted ? [{ name, bytes }] : [];
}

async function fontIn(file: string): Promise<Uint8Array> {
  try {
    return await readFont(readFileSync(file));
  } catch (error) {
    throw error instanceof NoFont ? new NoFont(`${file} ${error.message}`, { cause: error }) : error;
  }
}

async function nameOf(bytes: Uint8Array): Promise<{ name: FontName; isVariable: boolean }> {
  const { Blob, Face } = await import("harfbuzzjs");
  const face = new Face(new Blob(bytes.slice().buffer as ArrayBuffer));
  // The family for typesetters, or the one for old programs.
  const family = face.getName(16, "en") || face.getName(1, "en").replace(STYLE, "");
  if (family === "") throw new NoFont("is a font without a name");
  const style = face.referenceTable("OS/2");
  const view = style === undefined ? undefined : Buffer.from(style);
  return {
    name: {
      family,
      weight: view?.readUInt16BE(4) ?? REGULAR,
      italic: ((view?.readUInt16BE(62) ?? 0) & 1) === 1,
    },
    isVariable: Object.hasOwn(face.getAxisInfos(), "wght"),
  };
}

async function written({ family, weight, italic }: FontName, bytes: Uint8Array, folder: string): Promise<AddedFont> {
  const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 8);
  const file = `${family.replace(/[^\p{L}\d]/gu, "")}-${weight}${italic ? "i" : ""}-${hash}.ttf`;
  writeFileSync(join(folder, file), bytes);
  return { family, weight, italic, file, covers: writeRanges(await coverageOf(bytes)) };
}

const ENDINGS = new Set([".ttf", ".otf", ".woff2", ".woff"]);

/** Of an installed package. Where it has the same fonts in several forms, those of one form. */
function packageFiles(name: string): string[] {
  const home = createRequire(resolve("package.json"))
    .resolve.paths(name)
    ?.map((root) => join(root, name))
    .find((folder) => existsSync(join(folder, "package.json")));
  if (home === undefined)
    throw new NoFont(`"${name}" is neither a file nor an installed package. Run: npm install ${name}`);
  const all = readdirSync(home, { recursive: true, encoding: "utf8" })
    .filter((file) => ENDINGS.has(extname(file).toLowerCase()) && !file.includes("node_modules"))
    .sort();
  const ending = [...ENDINGS].find((each) => all.some((file) => extname(file).toLowerCase() === each));
  const files = all.filter((file) => extname(file).toLowerCase() === ending);
  if (files.length === 0) throw new NoFont(`The package "${name}" has no font files.`);
  // Packages of variable fonts bring each letter several times, by their axes.
  const byWeight = files.filter((file) => /-wght-normal\./.test(file));
  return (byWeight.length > 0 ? byWeight : files).map((file) => join(home, file));
}
