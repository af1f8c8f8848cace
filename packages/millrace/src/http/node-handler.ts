import type { IncomingMessage, ServerResponse } from "node:http";
import { answerOnNode } from "../runtime/node-exchange.ts";

/** A listener for Node's HTTP server, and middleware for Express, Connect, Fastify and NestJS. */
export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** A client that takes nothing of an answer for this long is cut off. */
const IDLE_MS = 30_000;

/**
 * The same handler for servers with Node's request and response. Streams and aborts work as with Fetch. It answers
 * every request itself and never calls `next`.
 *
 * @example
 * ```ts
 * import { createServer } from "node:http";
 * import { Millrace, sqlite } from "millrace";
 * import { createHandler, toNodeHandler } from "millrace/http";
 *
 * const millrace = await Millrace.open({ store: sqlite("./data/jobs.db") });
 * const auth = () => ({ name: "local", tenant: "*", scopes: ["admin" as const] });
 * const server = createServer(toNodeHandler(createHandler(millrace, { auth })));
 * server.listen(0, "127.0.0.1", async () => {
 *   server.close();
 *   await millrace.stop();
 * });
 * ```
 */
export function toNodeHandler(handler: (request: Request) => Promise<Response>): NodeHandler {
  return (request, response) =>
    answerOnNode(request, response, { fetch: (fetched) => handler(fetched), idleMs: IDLE_MS });
}
