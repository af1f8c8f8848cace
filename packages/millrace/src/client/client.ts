// A typed client on fetch alone: it runs on Node, Bun, Deno and in a browser.

import { unknownOption } from "../lib/did-you-mean.ts";
import { type AccessCalls, accessCalls } from "./access.ts";
import { type DeadLetterCalls, deadLetterCalls } from "./dead-letters.ts";
import { MillraceError } from "./errors.ts";
import { type JobCalls, jobCalls } from "./jobs.ts";
import type { KindMap, NoKinds } from "./kinds.ts";
import { type LimitCalls, limitCalls } from "./limits/limits.ts";
import { follow, type LiveEvent, type LiveOptions } from "./live.ts";
import { type OperationCalls, operationCalls } from "./many/operations.ts";
import type { Connection, Fetch } from "./request.ts";
import { type StreamCalls, streamCalls } from "./streams.ts";
import { type SystemCalls, systemCalls } from "./system.ts";
import { type WorkflowCalls, workflowCalls } from "./workflow.ts";

/** Options of `createClient()`. Unknown options are refused with `invalid-options`. */
export interface ClientOptions {
  /**
   * The address of the server, such as `http://127.0.0.1:3000`. A path in it is kept. A user and password in it are
   * sent as Basic authentication. In a page of the server itself: `""`.
   */
  readonly baseUrl: string;
  /** The key to send with every request. Default: none. */
  readonly apiKey?: string | undefined;
  /**
   * The tenant to act for, if the key does not fix it; `*` reads across tenants, for administrators. Default: that of
   * the key, or "default".
   */
  readonly tenant?: string | undefined;
  /** The `fetch` to use. Default: the global one. */
  readonly fetch?: Fetch | undefined;
  /** How long one try of one request may take, in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number | undefined;
  /** How often a request that is safe to repeat is tried again. Default: 3. */
  readonly retries?: number | undefined;
}

/** A typed client of a Millrace server. `Kinds` are the kinds that it knows by name. */
export interface Client<Kinds extends KindMap = NoKinds>
  extends JobCalls<Kinds>,
    WorkflowCalls,
    StreamCalls,
    SystemCalls,
    AccessCalls {
  /** Failed jobs: list, group, revive and discard them. */
  readonly deadLetters: DeadLetterCalls;
  /** Acts on many jobs, which the server carries out by itself. */
  readonly operations: OperationCalls;
  /** Limits that operators set while the server runs. */
  readonly limits: LimitCalls;
  /**
   * Reports changes as they happen. Resolves when the signal is aborted; after a dropped connection it resumes where it
   * was.
   */
  live(onEvent: (event: LiveEvent) => void, options: LiveOptions): Promise<void>;
  /** This client with the calls of a workload: `createClient({ baseUrl }).with(greetings)`. */
  with<Calls extends object>(part: ClientPart<Calls>): this & Calls;
}

/** The calls that a workload adds to the client. */
export type ClientPart<Calls extends object> = (connection: Connection) => Calls;

/**
 * A client of a server, on `fetch` alone: it runs on Node, Bun, Deno and in browsers.
 *
 * @example
 * ```ts
 * import { createClient, MillraceError } from "millrace/client";
 *
 * const client = createClient({ baseUrl: "http://127.0.0.1:3000", apiKey: "mrk_…" });
 * try {
 *   const job = await client.submit("text", { text: "hello" }, { priority: -1 });
 *   console.log(await client.result(job, { timeoutMs: 60_000 }));
 * } catch (error) {
 *   if (error instanceof MillraceError) console.error(error.code, error.message, error.hint);
 * }
 * ```
 */
export function createClient<Kinds extends KindMap = NoKinds>(options: ClientOptions): Client<Kinds> {
  const connection = connectionOf(options);
  const own = {
    ...jobCalls<Kinds>(connection),
    ...workflowCalls(connection),
    ...streamCalls(connection),
    ...systemCalls(connection),
    ...accessCalls(connection),
    ...limitCalls(connection),
    deadLetters: deadLetterCalls(connection),
    operations: operationCalls(connection),
    live: (onEvent: (event: LiveEvent) => void, liveOptions: LiveOptions) => follow(connection, onEvent, liveOptions),
  };
  return extended(own, connection) as unknown as Client<Kinds>;
}

function extended(calls: object, connection: Connection): object {
  const more = (part: ClientPart<object>) => extended({ ...calls, ...part(connection) }, connection);
  return { ...calls, with: more };
}

function connectionOf(options: ClientOptions): Connection {
  if (typeof options !== "object" || options === null) {
    throw new MillraceError("invalid-options", "createClient() needs an object with the baseUrl of a server.", {
      hint: 'createClient({ baseUrl: "http://127.0.0.1:3000" })',
    });
  }
  checkNames(options);
  const { apiKey, tenant, timeoutMs = 30_000, retries = 3 } = options;
  const baseUrl = String(options.baseUrl).replace(/\/+$/, "");
  if (baseUrl !== "" && !baseUrl.startsWith("/") && !/^https?:\/\/[^/]/.test(baseUrl)) {
    throw new MillraceError("invalid-options", `Invalid baseUrl "${options.baseUrl}".`, {
      hint: "Write it as http://127.0.0.1:3000.",
    });
  }
  const { address, credentials } = withoutCredentials(baseUrl);
  return {
    baseUrl: address,
    headers: {
      ...(credentials !== undefined && { authorization: `Basic ${credentials}` }),
      // The key is sent as a bearer token, because fetch drops that header, and no other, if it is redirected to
      // another origin.
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      ...(tenant !== undefined && { "x-tenant-id": tenant }),
    },
    // The function is wrapped, because a browser's fetch refuses to be called as a method of another object.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    timeoutMs,
    retries,
    random: () => Math.random(),
  };
}

/** fetch refuses `http://user:password@host`. As a header, they sign in to an application that a handler is mounted in. */
function withoutCredentials(baseUrl: string): { address: string; credentials?: string } {
  const [, scheme, user, host] = /^(https?:\/\/)([^/?#]*)@(.*)$/.exec(baseUrl) ?? [];
  if (scheme === undefined || user === undefined || host === undefined) return { address: baseUrl };
  const bytes = new TextEncoder().encode(decoded(user));
  return { address: scheme + host, credentials: btoa(String.fromCharCode(...bytes)) };
}

function decoded(user: string): string {
  try {
    return decodeURIComponent(user);
  } catch (cause) {
    throw new MillraceError("invalid-options", "The user and password in baseUrl are not encoded for a URL.", {
      hint: "Write % as %25 and @ as %40.",
      cause,
    });
  }
}

const OPTIONS = [
  "baseUrl",
  "apiKey",
  "tenant",
  "timeoutMs",
  "retries",
  "fetch",
] as const satisfies (keyof ClientOptions)[];

/** A key under a mistyped name would be a client without a key. */
function checkNames(options: ClientOptions): void {
  const unknown = Object.keys(options ?? {}).find((name) => !(OPTIONS as readonly string[]).includes(name));
  if (unknown === undefined) return;
  throw new MillraceError("invalid-options", unknownOption(unknown, "createClient()", OPTIONS), {
    hint: `Known options: ${OPTIONS.join(", ")}.`,
  });
}
