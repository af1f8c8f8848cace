// Pixels as JPEG or WebP, by the encoders of Squoosh in WebAssembly. They are loaded with the first such picture.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { PictureType } from "../api/render.ts";
import { LoadedOnce } from "../loaded-once.ts";
import { packageFolder } from "../package-folder.ts";

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and alpha of each, the colours multiplied by their alpha. */
  readonly pixels: Uint8Array;
}

interface Encoder {
  encode(image: { data: Uint8ClampedArray; width: number; height: number }, options: object): Promise<ArrayBuffer>;
}

// Both runtimes have it; the types of Node leave it to those of a browser.
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<object> };

const QUALITY = 90;

const jpeg = new LoadedOnce<Encoder>(async () => {
  const { default: encode, init } = await import("@jsquash/jpeg/encode.js");
  await init((await compiled("@jsquash/jpeg", "codec/enc/mozjpeg_enc.wasm")) as never);
  return { encode: (image, options) => encode(image as never, options) };
});
const webp = new LoadedOnce<Encoder>(async () => {
  const { simd } = await import("wasm-feature-detect");
  const { default: encode, init } = await import("@jsquash/webp/encode.js");
  const file = (await simd()) ? "codec/enc/webp_enc_simd.wasm" : "codec/enc/webp_enc.wasm";
  await init((await compiled("@jsquash/webp", file)) as never);
  return { encode: (image, options) => encode(image as never, options) };
});

export async function encode(
  { width, height, pixels }: Pixels,
  type: Exclude<PictureType, "png">,
): Promise<Uint8Array> {
  const encoder = await (type === "jpeg" ? jpeg : webp).get();
  const data = type === "jpeg" ? onWhite(pixels) : plainAlpha(pixels);
  return new Uint8Array(await encoder.encode({ data, width, height }, { quality: QUALITY }));
}

/** A JPEG has no transparency. */
function onWhite(pixels: Uint8Array): Uint8ClampedArray {
  const data = new Uint8ClampedArray(pixels.length);
  for (let at = 0; at < pixels.length; at += 4) {
    const rest = 255 - (pixels[at + 3] ?? 255);
    for (let channel = at; channel < at + 3; channel++) data[channel] = (pixels[channel] ?? 0) + rest;
    data[at + 3] = 255;
  }
  return data;
}

function plainAlpha(pixels: Uint8Array): Uint8ClampedArray {
  const data = new Uint8ClampedArray(pixels.length);
  for (let at = 0; at < pixels.length; at += 4) {
    const alpha = pixels[at + 3] ?? 255;
    for (let channel = at; channel < at + 3; channel++)
      data[channel] = alpha === 0 ? 0 : ((pixels[channel] ?? 0) * 255) / alpha;
    data[at + 3] = alpha;
  }
  return data;
}

async function compiled(name: string, file: string): Promise<object> {
  const folder = packageFolder(name);
  if (folder === undefined) throw new Error(`The package "${name}" is not installed.`);
  return WebAssembly.compile(readFileSync(join(folder.path, file)));
}
