// Font files as the shaper reads them: TrueType or OpenType. WOFF is a compressed form of both.

import { createRequire } from "node:module";
import { inflateSync } from "node:zlib";

const SIGNATURES = ["\0\u0001\0\0", "OTTO", "true"];

export class NoFont extends Error {
  override readonly name = "NoFont";
}

/** Throws `NoFont` for anything else. */
export async function readFont(bytes: Uint8Array): Promise<Uint8Array> {
  const signature = Buffer.from(bytes.subarray(0, 4)).toString("latin1");
  if (SIGNATURES.includes(signature)) return bytes;
  if (signature === "ttcf") throw new NoFont("is a collection of fonts. Extract one font from it first");
  try {
    if (signature === "wOFF") return fromWoff(Buffer.from(bytes));
    if (signature === "wOF2") return await fromWoff2(bytes);
  } catch (cause) {
    throw new NoFont("is a damaged font file", { cause });
  }
  throw new NoFont("is not a font file. Use .ttf, .otf, .woff or .woff2");
}

/** The decoder gives a view of its memory, which the next file overwrites. */
async function fromWoff2(bytes: Uint8Array): Promise<Uint8Array> {
  const { decompress } = createRequire(import.meta.url)("wawoff2") as {
    decompress(bytes: Uint8Array): Promise<Uint8Array>;
  };
  return Uint8Array.from(await decompress(bytes));
}

const WOFF_HEADER = 44;
const WOFF_ENTRY = 20;
// A font of all of Chinese has 20 MB.
const MAX_BYTES = 100_000_000;

function fromWoff(woff: Buffer): Uint8Array {
  const count = woff.readUInt16BE(12);
  const header = Buffer.alloc(12 + count * 16);
  woff.copy(header, 0, 4, 8);
  header.writeUInt16BE(count, 4);
  const bodies: Buffer[] = [];
  let at = header.length;
  for (let index = 0; index < count; index++) {
    const entry = WOFF_HEADER + index * WOFF_ENTRY;
    const [offset, packed, length] = [4, 8, 12].map((by) => woff.readUInt32BE(entry + by)) as [number, number, number];
    const part = woff.subarray(offset, offset + packed);
    const table = packed < length ? inflateSync(part, { maxOutputLength: MAX_BYTES }) : part;
    const to = 12 + index * 16;
    woff.copy(header, to, entry, entry + 4);
    header.writeUInt32BE(woff.readUInt32BE(entry + 16), to + 4);
    header.writeUInt32BE(at, to + 8);
    header.writeUInt32BE(table.length, to + 12);
    const body = Buffer.concat([table, Buffer.alloc((4 - (table.length % 4)) % 4)]);
    bodies.push(body);
    at += body.length;
  }
  return Buffer.concat([header, ...bodies]);
}
