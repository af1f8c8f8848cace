// resvg in its two builds. The native one is three times as fast, and a panic of it ends the process. The WebAssembly one cannot
// do that, so it draws what is not known to be harmless.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { PictureType } from "../api/render.ts";
import { LoadedOnce } from "../loaded-once.ts";
import { packageFolder } from "../package-folder.ts";
import { encode } from "./encode.ts";

export interface PictureFonts {
  /** Paths of font files. */
  readonly files: readonly string[];
  readonly sans: string;
  readonly mono: string;
}

/** The drawing cannot be a picture: the rasteriser gave up. */
export class NotRasterised extends Error {
  override readonly name = "NotRasterised";
}

export interface PictureWish {
  readonly type: PictureType;
  /** Whether nothing in the drawing is known to make resvg panic. */
  readonly isHarmless: boolean;
}

export async function pictureOf(
  svg: string,
  fonts: PictureFonts,
  { type, isHarmless }: PictureWish,
): Promise<Uint8Array> {
  return isHarmless ? natively(svg, fonts, type) : await inWasm(svg, fonts, type);
}

async function natively(svg: string, { files, sans, mono }: PictureFonts, type: PictureType): Promise<Uint8Array> {
  const { Resvg } = await import("@resvg/resvg-js");
  const font = { loadSystemFonts: false, fontFiles: [...files], ...familiesOf(sans, mono) };
  const image = new Resvg(svg, { font, textRendering: 2, logLevel: "off" }).render();
  return type === "png" ? image.asPng() : encode(image, type);
}

/** The same drawing in paths, groups and images alone: styles, markers and copies are resolved. All texts are outlines already. */
export async function simplified(svg: string, isHarmless: boolean): Promise<string> {
  const { Resvg } = isHarmless ? await import("@resvg/resvg-js") : await wasm.get();
  return new Resvg(svg, { font: { loadSystemFonts: false } }).toString();
}

type ResvgWasm = typeof import("@resvg/resvg-wasm");

const wasm = new LoadedOnce<ResvgWasm>(async () => {
  const folder = packageFolder("@resvg/resvg-wasm");
  if (folder === undefined) throw new Error('The package "@resvg/resvg-wasm" is not installed.');
  const module = await import("@resvg/resvg-wasm");
  await module.initWasm(readFileSync(join(folder.path, "index_bg.wasm")));
  return module;
});

async function inWasm(svg: string, { files, sans, mono }: PictureFonts, type: PictureType): Promise<Uint8Array> {
  const { Resvg } = await wasm.get();
  const font = {
    loadSystemFonts: false,
    fontBuffers: files.map((file) => new Uint8Array(readFileSync(file))),
    ...familiesOf(sans, mono),
  };
  try {
    const resvg = new Resvg(svg, { font, textRendering: 2 });
    const image = resvg.render();
    const bytes = type === "png" ? image.asPng() : await encode(image, type);
    image.free();
    resvg.free();
    return bytes;
  } catch (error) {
    // A trap costs the memory of this picture, and the next one is drawn as ever. Renderers are replaced before that adds up.
    throw new NotRasterised(SENTENCE, { cause: error });
  }
}

const SENTENCE = "This drawing has parts that are too far outside of it to make a picture. Ask for SVG.";

function familiesOf(sans: string, mono: string) {
  return { defaultFontFamily: sans, sansSerifFamily: sans, serifFamily: sans, monospaceFamily: mono };
}
