import { Transform, type TransformCallback } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import { FetchFault } from "./fault.ts";

const MOST_LAYERS = 3;
// Small chunks out of the unpacker: a bomb is noticed after the first few.
const CHUNK = { chunkSize: 65_536 };

/** The unpackers of a `content-encoding`, the outermost layer first. */
export function unpackersFor(encoding: string | undefined): Transform[] {
  const layers = (encoding ?? "")
    .toLowerCase()
    .split(",")
    .map((layer) => layer.trim())
    .filter((layer) => layer !== "" && layer !== "identity");
  if (layers.length > MOST_LAYERS) throw unknown(encoding);
  return layers.reverse().map((layer) => unpackerFor(layer) ?? fail(encoding));
}

function unpackerFor(layer: string): Transform | undefined {
  switch (layer) {
    case "gzip":
    case "x-gzip":
      return createGunzip(CHUNK);
    case "deflate":
      return new Inflate();
    case "br":
      return createBrotliDecompress(CHUNK);
    default:
      return undefined;
  }
}

/** `deflate` is zlib by the standard and raw on many servers. The first byte tells: zlib begins with 8 in its low half. */
class Inflate extends Transform {
  #inner: Transform | undefined;

  override _transform(chunk: Uint8Array, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#inner ??= this.#start(chunk);
    if (this.#inner.write(chunk)) done();
    else this.#inner.once("drain", done);
  }

  override _flush(done: TransformCallback): void {
    if (!this.#inner) return done();
    this.#inner.once("end", done);
    this.#inner.end();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#inner?.destroy();
    done(error);
  }

  #start(first: Uint8Array): Transform {
    const isZlib = ((first[0] ?? 0) & 0x0f) === 8 && (((first[0] ?? 0) << 8) | (first[1] ?? 0)) % 31 === 0;
    const inner = isZlib || first.length < 2 ? createInflate(CHUNK) : createInflateRaw(CHUNK);
    inner.on("data", (data) => this.push(data));
    inner.on("error", (error) => this.destroy(error));
    return inner;
  }
}

function fail(encoding: string | undefined): never {
  throw unknown(encoding);
}

function unknown(encoding: string | undefined): FetchFault {
  return new FetchFault("bad-encoding", `The page has the unknown content encoding "${encoding?.slice(0, 40)}".`);
}
