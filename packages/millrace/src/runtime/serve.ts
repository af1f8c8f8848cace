import type { Log } from "../telemetry/log/log.ts";
import { bunRuntime } from "./bun.ts";
import { Drain } from "./drain.ts";
import { serveOnBun } from "./serve-bun.ts";
import { serveOnNode } from "./serve-node.ts";

export interface RequestPeer {
  /** The address at the other end of the connection. */
  readonly address: string | undefined;
}

/** `request.signal` is aborted when the client goes away before its answer is complete. */
export type FetchHandler = (request: Request, caller: RequestPeer) => Response | Promise<Response>;

export interface ServeOptions {
  readonly hostname: string;
  /** The port. 0 takes any free port. */
  readonly port: number;
  readonly fetch: FetchHandler;
  readonly log: Log;
  readonly limits?: Partial<ServeLimits>;
  /** Whether an address is that of a proxy. Many clients come from it, so the limit per address does not apply. */
  readonly isTrusted?: (address: string) => boolean;
}

export interface ServeLimits {
  /** The time limit for the headers. */
  readonly headersMs: number;
  /** The time limit for headers and body. The answer may take as long as its handler likes. */
  readonly requestMs: number;
  /**
   * The time limit for a connection without a request, and for an answer whose client reads nothing or whose stream
   * sends nothing.
   */
  readonly idleMs: number;
  /**
   * The connections that one address may hold at a time; 0 means any number. There are fewer where the system lets the
   * process open few files.
   */
  readonly connectionsPerPeer: number;
}

export interface ListeningServer {
  readonly hostname: string;
  readonly port: number;
  /**
   * Closes connections after their answers from now on. Requests under way get `graceMs` to finish, then they are cut.
   */
  stop(options?: { readonly graceMs?: number }): Promise<void>;
}

export const DEFAULT_LIMITS: ServeLimits = {
  headersMs: 10_000,
  requestMs: 30_000,
  idleMs: 30_000,
  connectionsPerPeer: 1_000,
};

/** Serves HTTP on the current runtime. Headers over 16 KiB get 431; limits on the body are up to the handler. */
export async function serve(options: ServeOptions): Promise<ListeningServer> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const drain = new Drain();
  const guarded = { ...options, fetch: guardedFetch(options, drain) };
  const served = await (bunRuntime === undefined
    ? serveOnNode(guarded, limits)
    : serveOnBun(guarded, limits, bunRuntime));
  return {
    ...served,
    stop: async ({ graceMs = 0 } = {}) => {
      const startedAt = performance.now();
      await drain.quiet(graceMs);
      await served.stop({ graceMs: Math.max(0, graceMs - (performance.now() - startedAt)) });
    },
  };
}

// The handler answers its own errors. This catches what it lets through, so that both runtimes fail alike and without a
// stack trace.
function guardedFetch({ fetch, log }: ServeOptions, drain: Drain): FetchHandler {
  return async (request, caller) => {
    drain.requestCame();
    try {
      return drain.lastOfConnection(await fetch(request, caller));
    } catch (error) {
      if (!request.signal.aborted) log.error("request failed", { error });
      return Response.json({ error: "The server failed to process this request.", code: "internal" }, { status: 500 });
    }
  };
}
