// Pictures that a diagram brings along as data: addresses. Nothing is fetched for a diagram, so there are no others.

import { imageSize } from "image-size";

export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

const DATA = /^data:image\/(png|jpe?g|gif|webp|svg\+xml)((?:;[\w=-]+)*),([\s\S]*)$/i;
const MAX_BYTES = 2_000_000;

/** The bytes behind the address; undefined for what is no picture of a kind that we draw. */
export function imageBytes(address: string): Uint8Array | undefined {
  const [, , parameters = "", data] = DATA.exec(address.trim()) ?? [];
  if (data === undefined || data.length > MAX_BYTES) return undefined;
  if (/;base64$/i.test(parameters)) return Buffer.from(data, "base64");
  try {
    return Buffer.from(decodeURIComponent(data), "utf8");
  } catch {
    return undefined;
  }
}

/** Undefined where the address holds no picture that can be read. */
export function imageSizeOf(address: string): ImageSize | undefined {
  const bytes = imageBytes(address);
  if (bytes === undefined) return undefined;
  try {
    const { width, height } = imageSize(bytes);
    return width > 0 && height > 0 ? { width, height } : undefined;
  } catch {
    return undefined;
  }
}
