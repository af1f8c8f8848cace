// A smaller copy of a font file with the letters that are asked for, by HarfBuzz. A variable font becomes one of a single weight.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { LoadedOnce } from "../loaded-once.ts";
import { packageFolder } from "../package-folder.ts";

export interface SubsetWish {
  readonly codePoints: Iterable<number>;
  /** Of a variable font. Default: the font's own. */
  readonly weight?: number;
  /** Whether to keep the rules by which signs join and move. Default: true. */
  readonly keepsLayout?: boolean;
}

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer };
  _initialize(): void;
  malloc(size: number): number;
  free(pointer: number): void;
  hb_blob_create(data: number, length: number, mode: number, userData: number, destroy: number): number;
  hb_blob_destroy(blob: number): void;
  hb_blob_get_data(blob: number, length: number): number;
  hb_blob_get_length(blob: number): number;
  hb_face_create(blob: number, index: number): number;
  hb_face_destroy(face: number): void;
  hb_face_reference_blob(face: number): number;
  hb_set_add(set: number, value: number): void;
  hb_set_clear(set: number): void;
  hb_set_invert(set: number): void;
  hb_subset_input_create_or_fail(): number;
  hb_subset_input_destroy(input: number): void;
  hb_subset_input_unicode_set(input: number): number;
  hb_subset_input_set(input: number, which: number): number;
  hb_subset_input_set_flags(input: number, flags: number): void;
  hb_subset_input_pin_all_axes_to_default(input: number, face: number): number;
  hb_subset_input_pin_axis_location(input: number, face: number, axis: number, value: number): number;
  hb_subset_or_fail(face: number, input: number): number;
}

// Both runtimes have it; the types of Node leave it to those of a browser.
declare const WebAssembly: {
  instantiate(bytes: Uint8Array): Promise<{ readonly instance: { readonly exports: Exports } }>;
};

const WRITABLE = 2;
const DROPPED_TABLES = 3;
const LAYOUT_FEATURES = 6;
const NO_HINTING = 1;
// Of ideographs only their shapes are needed: what stands here is for vertical text, or names the axes that are gone.
const LAYOUT_TABLES = ["GSUB", "GPOS", "GDEF", "BASE", "VORG", "vhea", "vmtx", "VVAR"];
const NEVER_NEEDED = ["STAT", "DSIG", "meta"];

const harfbuzz = new LoadedOnce<Exports>(async () => {
  const folder = packageFolder("harfbuzzjs");
  if (folder === undefined) throw new Error('The package "harfbuzzjs" is not installed.');
  const bytes = readFileSync(join(folder.path, "dist/harfbuzz-subset.wasm"));
  const { instance } = await WebAssembly.instantiate(bytes);
  instance.exports._initialize();
  return instance.exports;
});

/** `font` is a TrueType or OpenType file. */
export async function subsetFont(font: Uint8Array, wish: SubsetWish): Promise<Uint8Array> {
  const hb = await harfbuzz.get();
  const data = hb.malloc(font.length);
  new Uint8Array(hb.memory.buffer).set(font, data);
  const blob = hb.hb_blob_create(data, font.length, WRITABLE, 0, 0);
  const face = hb.hb_face_create(blob, 0);
  const input = hb.hb_subset_input_create_or_fail();
  try {
    return subsetOf(hb, face, input, wish);
  } finally {
    hb.hb_subset_input_destroy(input);
    hb.hb_face_destroy(face);
    hb.hb_blob_destroy(blob);
    hb.free(data);
  }
}

function subsetOf(
  hb: Exports,
  face: number,
  input: number,
  { codePoints, weight, keepsLayout = true }: SubsetWish,
): Uint8Array {
  const unicodes = hb.hb_subset_input_unicode_set(input);
  for (const codePoint of codePoints) hb.hb_set_add(unicodes, codePoint);
  const features = hb.hb_subset_input_set(input, LAYOUT_FEATURES);
  hb.hb_set_clear(features);
  if (keepsLayout) hb.hb_set_invert(features);
  const dropped = hb.hb_subset_input_set(input, DROPPED_TABLES);
  for (const table of keepsLayout ? NEVER_NEEDED : [...NEVER_NEEDED, ...LAYOUT_TABLES])
    hb.hb_set_add(dropped, tag(table));
  hb.hb_subset_input_set_flags(input, NO_HINTING);
  hb.hb_subset_input_pin_all_axes_to_default(input, face);
  // 0 for a font without this axis, which is as it should be.
  if (weight !== undefined) hb.hb_subset_input_pin_axis_location(input, face, tag("wght"), weight);
  const subset = hb.hb_subset_or_fail(face, input);
  if (subset === 0) throw new Error("The font cannot be subset: its file is damaged.");
  const result = hb.hb_face_reference_blob(subset);
  const at = hb.hb_blob_get_data(result, 0);
  const bytes = new Uint8Array(hb.memory.buffer).slice(at, at + hb.hb_blob_get_length(result));
  hb.hb_blob_destroy(result);
  hb.hb_face_destroy(subset);
  return bytes;
}

function tag(name: string): number {
  return [...name].reduce((sum, letter) => sum * 256 + letter.charCodeAt(0), 0);
}
