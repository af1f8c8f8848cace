import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { FetchFault } from "./fault.ts";
import { unpackersFor } from "./unpack.ts";

/** What one layer of packing may give to the next, in multiples of the page's own limit. */
const MOST_BETWEEN_LAYERS = 4;

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
    const unpackers = unpackersFor(response.headers["content-encoding"]);
    const streams: Readable[] = [response];
    for (const unpacker of unpackers) streams.push((streams.at(-1) as Readable).pipe(unpacker));
    const chunks: Uint8Array[] = [];
    let size = 0;
    const finish = (end: () => void) => {
      signal.removeEventListener("abort", abort);
      // Settled before the streams are torn down: that a stream was destroyed is reported to us, too, as a fault.
      end();
      response.unpipe();
      for (const stream of streams) stream.destroy();
    };
    const done = (truncated: boolean) => finish(() => resolve({ body: Buffer.concat(chunks), truncated }));
    const fail = (error: unknown) => finish(() => reject(error));
    const abort = () => fail(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) return abort();
    const last = streams.at(-1) as Readable;
    last.on("data", (chunk: Uint8Array) => {
      const room = maxBytes - size;
      chunks.push(chunk.byteLength > room ? chunk.subarray(0, room) : chunk);
      size += Math.min(chunk.byteLength, room);
      if (chunk.byteLength > room) done(true);
    });
    last.on("end", () => done(false));
    for (const [layer, stream] of streams.slice(0, -1).entries()) {
      let packed = 0;
      const most = layer === 0 ? maxBytes : maxBytes * MOST_BETWEEN_LAYERS;
      stream.on("data", (chunk: Uint8Array) => {
        packed += chunk.byteLength;
        if (packed > most) done(true);
      });
    }
    // What is cut off by the other side, in the middle of a page or of a packed one, is a page that did not arrive.
    const broken = (cause: unknown) =>
      fail(new FetchFault("bad-answer", "The response was cut off or is damaged.", cause));
    for (const stream of streams) stream.on("error", broken);
    response.on("aborted", () => broken(undefined));
  });
}
