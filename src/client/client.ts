// A typed client on fetch alone: it runs on Node, Bun, Deno and in a browser.

import { unknownOption } from "../lib/did-you-mean.ts";
import { type AccessCalls, accessCalls } from "./access.ts";
import { type DeadLetterCalls, deadLetterCalls } from "./dead-letters.ts";
import { type DiagramCalls, diagramCalls } from "./diagrams.ts";
import { MillraceError } from "./errors.ts";
import { type JobCalls, jobCalls } from "./jobs.ts";
import type { KindMap, NoKinds } from "./kinds.ts";
import { follow, type LiveEvent, type LiveOptions } from "./live.ts";
import type { Connection, Fetch } from "./request.ts";
import { type SiteCalls, siteCalls } from "./sites.ts";
import { type SystemCalls, systemCalls } from "./system.ts";

export interface ClientOptions {
  /** `http://127.0.0.1:3000`; a path in it is kept. In a page of the server itself: `""`. */
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  /** Where no key fixes it; `*` reads across tenants, for administrators. */
  readonly tenant?: string | undefined;
  readonly fetch?: Fetch | undefined;
  /** For one try of one request. Default: 30 s. */
  readonly timeoutMs?: number | undefined;
  /** Tries after the first. Default: 3. */
  readonly retries?: number | undefined;
}

export interface Client<Kinds extends KindMap = NoKinds>
  extends JobCalls<Kinds>,
    DiagramCalls,
    SystemCalls,
    AccessCalls {
  readonly deadLetters: DeadLetterCalls;
  readonly sites: SiteCalls;
  /** Changes as they happen. Resolves when the signal is aborted; after a dropped connection it resumes where it was. */
  live(onEvent: (event: LiveEvent) => void, options: LiveOptions): Promise<void>;
}

export function createClient<Kinds extends KindMap = NoKinds>(options: ClientOptions): Client<Kinds> {
  const connection = connectionOf(options);
  return {
    ...jobCalls<Kinds>(connection),
    ...diagramCalls(connection),
    ...systemCalls(connection),
    ...accessCalls(connection),
    deadLetters: deadLetterCalls(connection),
    sites: siteCalls(connection),
    live: (onEvent, liveOptions) => follow(connection, onEvent, liveOptions),
  };
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
  return {
    baseUrl,
    headers: {
      // As a bearer token, since fetch drops that header, and no other, should it ever be led to another origin.
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      ...(tenant !== undefined && { "x-tenant-id": tenant }),
    },
    // Not the bare function: a browser's refuses to be called as anyone's method.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    timeoutMs,
    retries,
    random: () => Math.random(),
  };
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
