import { crc32, deflateSync } from "node:zlib";

export interface PixelImage {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and alpha of each pixel. */
  readonly data: Uint8ClampedArray;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const EIGHT_BITS_RGBA = [8, 6, 0, 0, 0];

/** A PNG in base64. */
export function pngOf({ width, height, data }: PixelImage): string {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set(EIGHT_BITS_RGBA, 8);
  const row = width * 4;
  // Each row starts with the number of its filter: none.
  const rows = Buffer.alloc((row + 1) * height);
  for (let y = 0; y < height; y++) rows.set(data.subarray(y * row, (y + 1) * row), y * (row + 1) + 1);
  const parts = [part("IHDR", header), part("IDAT", deflateSync(rows)), part("IEND", Buffer.alloc(0))];
  return Buffer.concat([SIGNATURE, ...parts]).toString("base64");
}

function part(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, "latin1"), content]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(named) >>> 0);
  return Buffer.concat([length, named, check]);
}
