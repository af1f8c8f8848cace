import type { IncomingMessage } from "node:http";
import type { Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { FetchFault } from "./fault.ts";

/**
 * The body, unpacked, up to `maxBytes`; what comes after is never read, so neither an endless page nor a bomb costs more. The
 * bound holds for the packed bytes too: a packed page may go on for ever without giving a single byte.
 */
export function readBody(
  response: IncomingMessage,
  maxBytes: number,
  signal: AbortSignal,
): Promise<{ body: Uint8Array; truncated: boolean }> {
  return new Promise((resolve, reject) => {
    const unpack = unpackerFor(response.headers["content-encoding"]);
    const source = unpack === undefined ? response : response.pipe(unpack);
    const chunks: Uint8Array[] = [];
    let size = 0;
    const finish = (end: () => void) => {
      signal.removeEventListener("abort", abort);
      // Settled before the streams are torn down: that a stream was destroyed is reported to us, too, as a fault.
      end();
      response.unpipe();
      response.destroy();
      unpack?.destroy();
    };
    const done = (truncated: boolean) => finish(() => resolve({ body: Buffer.concat(chunks), truncated }));
    const fail = (error: unknown) => finish(() => reject(error));
    const abort = () => fail(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) return abort();
    source.on("data", (chunk: Uint8Array) => {
      const room = maxBytes - size;
      chunks.push(chunk.byteLength > room ? chunk.subarray(0, room) : chunk);
      size += Math.min(chunk.byteLength, room);
      if (chunk.byteLength > room) done(true);
    });
    source.on("end", () => done(false));
    let packed = 0;
    if (unpack !== undefined) {
      response.on("data", (chunk: Uint8Array) => {
        packed += chunk.byteLength;
        if (packed > maxBytes) done(true);
      });
    }
    // What is cut off by the other side, in the middle of a page or of a packed one, is a page that did not arrive.
    const broken = (cause: unknown) => fail(new FetchFault("bad-answer", "The answer broke off or is damaged.", cause));
    source.on("error", broken);
    response.on("error", broken);
    response.on("aborted", () => broken(undefined));
  });
}

// Small chunks out of the unpacker: a bomb is noticed after the first few.
const CHUNK = { chunkSize: 65_536 };

function unpackerFor(encoding: string | undefined): Transform | undefined {
  switch (encoding?.trim().toLowerCase() ?? "") {
    case "":
    case "identity":
      return undefined;
    case "gzip":
    case "x-gzip":
      return createGunzip(CHUNK);
    case "deflate":
      return createInflate(CHUNK);
    case "br":
      return createBrotliDecompress(CHUNK);
    default:
      throw new FetchFault(
        "bad-encoding",
        `The page is packed as "${encoding?.slice(0, 40)}", which was not asked for.`,
      );
  }
}
