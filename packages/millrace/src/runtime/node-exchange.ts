// One request of Node's HTTP server as a Fetch handler sees it, and the answer back: streams, aborts and slow readers.

import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { FetchHandler } from "./serve.ts";

export interface AnswerOptions {
  readonly fetch: FetchHandler;
  readonly idleMs: number;
}

/** Answers one request of Node's HTTP server with a Fetch handler. */
export async function answerOnNode(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { fetch, idleMs }: AnswerOptions,
): Promise<void> {
  const gone = new AbortController();
  outgoing.on("close", () => {
    if (!outgoing.writableFinished) gone.abort(new DOMException("The connection was closed.", "AbortError"));
  });
  const request = toRequest(incoming, gone.signal);
  if (request === undefined) {
    outgoing.writeHead(400, { connection: "close" }).end();
    return;
  }
  const response = await fetch(request, { address: incoming.socket.remoteAddress });
  try {
    await send(response, outgoing, { headOnly: incoming.method === "HEAD", gone: gone.signal, idleMs });
  } catch {
    // The client went away, or the body failed after its first bytes left: all that is left is to cut the answer short.
    outgoing.destroy();
  }
  passOver(incoming);
}

/**
 * A body that is not read to its end would block the connection and the answer, because a client that still sends does not
 * read yet. So the rest of the body is read and dropped. The time limit for requests bounds this.
 */
function passOver(incoming: IncomingMessage): void {
  if (incoming.complete || incoming.destroyed) return;
  incoming.removeAllListeners("data");
  incoming.resume();
}

function toRequest(incoming: IncomingMessage, signal: AbortSignal): Request | undefined {
  const { method = "GET", headers } = incoming;
  const url = wholePath(incoming);
  const host = headers.host ?? headers[":authority"] ?? "localhost";
  const scheme = "encrypted" in incoming.socket ? "https" : "http";
  const address = url.startsWith("/") ? `${scheme}://${host}${url}` : url;
  if (!URL.canParse(address)) return undefined;
  const hasBody = headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
  const isHttp2 = incoming.httpVersionMajor >= 2;
  try {
    return new Request(address, {
      method,
      headers: toHeaders(incoming),
      signal,
      ...((hasBody || isHttp2) &&
        method !== "GET" &&
        method !== "HEAD" && { body: toBody(incoming), duplex: "half" as const }),
    });
  } catch {
    // Some methods (TRACE, CONNECT) and some addresses (with a user in them) are not for a Request.
    return undefined;
  }
}

function toHeaders(incoming: IncomingMessage): Headers {
  const headers = new Headers();
  for (let i = 0; i < incoming.rawHeaders.length; i += 2) {
    const name = incoming.rawHeaders[i] ?? "";
    // HTTP/2 has its method and path among the headers.
    if (!name.startsWith(":")) headers.append(name, incoming.rawHeaders[i + 1] ?? "");
  }
  return headers;
}

/** Express and its relatives take the prefix of a router off `url`. */
function wholePath(incoming: IncomingMessage & { readonly originalUrl?: unknown }): string {
  return typeof incoming.originalUrl === "string" ? incoming.originalUrl : (incoming.url ?? "/");
}

/** Middleware such as `express.json()` reads the body before us and leaves it parsed in `body`. */
function toBody(
  incoming: IncomingMessage & { readonly body?: unknown },
): ReadableStream | string | Uint8Array<ArrayBuffer> {
  const { body } = incoming;
  if (!incoming.readableDidRead || body === undefined || body === null)
    return Readable.toWeb(incoming) as ReadableStream;
  if (typeof body === "string") return body;
  return body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body);
}

interface SendOptions {
  readonly headOnly: boolean;
  readonly gone: AbortSignal;
  readonly idleMs: number;
}

async function send(response: Response, outgoing: ServerResponse, options: SendOptions): Promise<void> {
  outgoing.statusCode = response.status;
  for (const [name, value] of response.headers) if (name !== "set-cookie") outgoing.setHeader(name, value);
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) outgoing.setHeader("set-cookie", cookies);
  if (response.body === null || options.headOnly) {
    await response.body?.cancel();
    outgoing.end();
    return;
  }
  outgoing.flushHeaders();
  await pour(response.body, outgoing, options);
}

async function pour(
  body: ReadableStream<Uint8Array>,
  outgoing: ServerResponse,
  { gone, idleMs }: SendOptions,
): Promise<void> {
  const reader = body.getReader();
  // A body that waits for events would wait for ever, so it is cancelled when the client has disconnected.
  const cancel = () => void reader.cancel(gone.reason).catch(() => {});
  if (gone.aborted) cancel();
  gone.addEventListener("abort", cancel);
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    if (outgoing.write(part.value)) continue;
    // Node closes the connection if the client has taken nothing for this long. Each part that it takes restarts the timer.
    outgoing.setTimeout(idleMs);
    await once(outgoing, "drain", { signal: gone });
    outgoing.setTimeout(0);
  }
  // With the end of the answer, Node puts the limit for idle connections in its place.
  if (outgoing.end().writableLength > 0) outgoing.setTimeout(idleMs);
}
