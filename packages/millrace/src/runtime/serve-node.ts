import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { connectionBounds } from "./descriptors.ts";
import { answerOnNode } from "./node-exchange.ts";
import { boundPeersOnNode } from "./peers-node.ts";
import type { ListeningServer, ServeLimits, ServeOptions } from "./serve.ts";

const MAX_HEADER_BYTES = 16 * 1024;

export async function serveOnNode(options: ServeOptions, limits: ServeLimits): Promise<ListeningServer> {
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
    void answerOnNode(incoming, outgoing, { fetch: options.fetch, idleMs: limits.idleMs });
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

async function close(server: Server): Promise<void> {
  server.close();
  server.closeIdleConnections();
  await once(server, "close");
}
