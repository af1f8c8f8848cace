import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { connectionBounds } from "./descriptors.ts";
import { boundPeersOnNode } from "./peers-node.ts";
import type { FetchHandler, Served, ServeLimits, ServeOptions } from "./serve.ts";

const MAX_HEADER_BYTES = 16 * 1024;

export async function serveOnNode(options: ServeOptions, limits: ServeLimits): Promise<Served> {
  const server = createServer({
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: Math.min(1000, limits.headersMs),
    keepAliveTimeout: limits.idleMs,
    maxHeaderSize: MAX_HEADER_BYTES,
  });
  server.on("request", (incoming, outgoing) => {
    // While stopping, a connection kept alive after its last answer would hold the server open.
    outgoing.once("close", () => server.listening || server.closeIdleConnections());
    void answer(incoming, outgoing, { fetch: options.fetch, idleMs: limits.idleMs });
  });
  boundPeersOnNode(server, connectionBounds(limits.connectionsPerPeer), options);
  server.listen(options.port, options.hostname);
  await once(server, "listening");
  const { address, port } = server.address() as AddressInfo;
  let closed: Promise<unknown> | undefined;
  return {
    hostname: address,
    port,
    stop: async ({ graceMs = 0 } = {}) => {
      closed ??= close(server);
      const cut = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed.finally(() => clearTimeout(cut));
    },
  };
}

interface AnswerOptions {
  readonly fetch: FetchHandler;
  readonly idleMs: number;
}

async function answer(
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
 * A body that nobody reads to its end would hold up the connection, and with it the answer: a client that still sends does
 * not read yet. What is left is thrown away as it comes; the limit of time for requests bounds it.
 */
function passOver(incoming: IncomingMessage): void {
  if (incoming.complete || incoming.destroyed) return;
  incoming.removeAllListeners("data");
  incoming.resume();
}

function toRequest(incoming: IncomingMessage, signal: AbortSignal): Request | undefined {
  const { method = "GET", url = "/", headers } = incoming;
  const address = url.startsWith("/") ? `http://${headers.host ?? "localhost"}${url}` : url;
  if (!URL.canParse(address)) return undefined;
  const hasBody = headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
  try {
    return new Request(address, {
      method,
      headers: toHeaders(incoming),
      signal,
      ...(hasBody && method !== "GET" && method !== "HEAD" && { body: toBody(incoming), duplex: "half" as const }),
    });
  } catch {
    // Some methods (TRACE, CONNECT) and some addresses (with a user in them) are not for a Request.
    return undefined;
  }
}

function toHeaders(incoming: IncomingMessage): Headers {
  const headers = new Headers();
  for (let i = 0; i < incoming.rawHeaders.length; i += 2) {
    headers.append(incoming.rawHeaders[i] ?? "", incoming.rawHeaders[i + 1] ?? "");
  }
  return headers;
}

function toBody(incoming: IncomingMessage): ReadableStream {
  return Readable.toWeb(incoming) as ReadableStream;
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
  // A body that waits for events would wait for ever: when the client has gone, it is told.
  const cancel = () => void reader.cancel(gone.reason).catch(() => {});
  if (gone.aborted) cancel();
  gone.addEventListener("abort", cancel);
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    if (outgoing.write(part.value)) continue;
    // Node closes the connection when the client has taken nothing for this long; each part it takes starts it anew.
    outgoing.setTimeout(idleMs);
    await once(outgoing, "drain", { signal: gone });
    outgoing.setTimeout(0);
  }
  // With the end of the answer, Node puts the limit for idle connections in its place.
  if (outgoing.end().writableLength > 0) outgoing.setTimeout(idleMs);
}

async function close(server: Server): Promise<void> {
  server.close();
  server.closeIdleConnections();
  await once(server, "close");
}
