import { type BunRuntime, type BunServer, loadLibc } from "./bun.ts";
import { connectionBounds } from "./descriptors.ts";
import { boundPeersOnBun } from "./peers-bun.ts";
import type { ListeningServer, ServeLimits, ServeOptions } from "./serve.ts";

export async function serveOnBun(
  options: ServeOptions,
  limits: ServeLimits,
  bun: BunRuntime,
): Promise<ListeningServer> {
  const idleSeconds = seconds(limits.idleMs);
  const server = bun.serve({
    hostname: options.hostname,
    port: options.port,
    // This time counts from the opening of the connection or from the last answer, whatever arrives. It limits the
    // headers, although Bun gives the first request of a connection 10 s in any case.
    idleTimeout: seconds(limits.headersMs),
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    development: false,
    // This is set explicitly, because `development: false` alone turns it on: a second server on the same port would
    // then start without a message and take every other request.
    reusePort: false,
    fetch: async (request, server) => {
      // A Host header that fits no address leaves the path alone here.
      if (request.url.startsWith("/")) return new Response(null, { status: 400 });
      limitBody(request, server, limits);
      const response = await options.fetch(request, {
        // A getter, because few requests need it, and it costs as much as parsing a small body.
        get address() {
          return server.requestIP(request)?.address;
        },
      });
      // A time limit that was lifted stays lifted for the whole connection, so it is set again here. Each part of the answer
      // that the client takes restarts it, and so does the end of the answer.
      server.timeout(request, idleSeconds);
      return response;
    },
  });
  const libc = await loadLibc();
  const bounds = connectionBounds(limits.connectionsPerPeer);
  const unbind = libc && boundPeersOnBun(server.port, bounds, libc, options);
  return {
    hostname: server.hostname,
    port: server.port,
    stop: async ({ graceMs = 0 } = {}) => {
      await stop(server, graceMs);
      unbind?.();
    },
  };
}

/** Bun's one timeout also covers the handler's time, so it is lifted once the body is in. */
function limitBody(request: Request, server: BunServer, limits: ServeLimits): void {
  const lift = () => server.timeout(request, 0);
  if (!hasBody(request)) {
    lift();
    return;
  }
  server.timeout(request, seconds(limits.requestMs));
  // The method is replaced on the object, because a second Request around the first halves the throughput of small
  // posts (59,000 against 30,000 a second on two cores).
  for (const method of ["arrayBuffer", "blob", "bytes", "formData", "json", "text"] as const) {
    const read = request[method];
    Object.defineProperty(request, method, { value: () => read.call(request).finally(lift) });
  }
  let body: ReadableStream | undefined;
  Object.defineProperty(request, "body", {
    get: () => {
      body ??= bodyOf(request)?.pipeThrough(new TransformStream({ flush: lift }));
      return body ?? null;
    },
  });
}

// Decided by the headers: reading `request.body` makes Bun build a stream that most handlers do not need.
function hasBody({ method, headers }: Request): boolean {
  if (method === "GET" || method === "HEAD") return false;
  return headers.has("transfer-encoding") || (headers.get("content-length") ?? "0") !== "0";
}

const bodyGetter = Object.getOwnPropertyDescriptor(Request.prototype, "body")?.get;

function bodyOf(request: Request): ReadableStream | null {
  return bodyGetter?.call(request) ?? null;
}

async function stop(server: BunServer, graceMs: number): Promise<void> {
  const cut = setTimeout(() => void server.stop(true), graceMs);
  await server.stop().finally(() => clearTimeout(cut));
}

// Bun counts whole seconds, 255 at most, and looks every 4 s: a connection is closed up to 4 s before or after its time.
function seconds(ms: number): number {
  return Math.min(255, Math.max(1, Math.ceil(ms / 1000)));
}
