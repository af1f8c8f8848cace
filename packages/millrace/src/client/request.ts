// One request, with its retries. What may be repeated, and when:
//   429, 503         the server did nothing: repeated, after the pause it asks for
//   no answer        perhaps it did, perhaps not: repeated only where twice is the same as once

import { backoffMs } from "../lib/backoff.ts";
import type { Bytes } from "../lib/bytes.ts";
import { jsonLoss } from "../lib/json/json-loss.ts";
import { errorOf, MillraceError } from "./errors.ts";
import { pause } from "./pause.ts";
import type { AnswerOf, BodyOf, ParamsOf, QueryOf, Route } from "./routes.ts";

/** A `fetch` function. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** How the client reaches its server. A workload's client part receives it. */
export interface Connection {
  /** The address of the server, without a slash at the end. */
  readonly baseUrl: string;
  /** The headers of every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** The `fetch` to use. */
  readonly fetch: Fetch;
  /** How long one try of one request may take, in milliseconds. */
  readonly timeoutMs: number;
  /** How often a request is tried again. */
  readonly retries: number;
  /** The randomness of pauses between tries, 0 to 1. */
  readonly random: () => number;
}

/** What a request to a route needs. */
export interface Ask<Spec> {
  /** The parameters in the path. Default: none. */
  readonly params?: ParamsOf<Spec>;
  /** The query. Default: none. */
  readonly query?: QueryOf<Spec>;
  /** The body. Default: none. */
  readonly body?: BodyOf<Spec>;
  /** Further headers. Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Ends the request when it is aborted. Default: none. */
  readonly signal?: AbortSignal | undefined;
  /** How long one try may take, in milliseconds. Default: that of the client. */
  readonly timeoutMs?: number;
  /** How often the request is tried again. Default: that of the client. */
  readonly retries?: number;
  /**
   * True: repeating the request has no further effect, so it is tried again if no answer came. Default: true for every
   * method but POST.
   */
  readonly repeatable?: boolean;
  /** Codes of 429 and 503 that another try cannot change, such as that of a missing program. Default: none. */
  readonly finalCodes?: readonly string[];
  /** Statuses whose body is the answer although they are not successes. Default: none. */
  readonly accepted?: readonly number[];
}

const BACKOFF = { baseMs: 200, maxMs: 5_000 };
// If the server asks for a longer pause, the call fails with an error that has the time, and the caller decides.
const LONGEST_PAUSE_MS = 30_000;

/** Sends a request to a route and returns the JSON answer. For the client of a workload. */
export async function ask<Spec>(connection: Connection, route: Route<Spec>, ask: Ask<Spec>): Promise<AnswerOf<Spec>> {
  const { method, url } = addressOf(connection, route, ask.params, ask.query);
  const { body } = await send(connection, method, url, { accept: "application/json", parse: "json", ...ask });
  return body as AnswerOf<Spec>;
}

/** Sends a request to a route and returns the answer as text. */
export async function askText<Spec>(
  connection: Connection,
  route: Route<Spec>,
  accept: string,
  ask: Ask<Spec> = {},
): Promise<string> {
  const { method, url } = addressOf(connection, route, ask.params, ask.query);
  const { body } = await send(connection, method, url, { ...ask, accept, parse: "text" });
  return body as string;
}

/** Sends a request to a route and returns the answer as bytes with their media type. */
export async function askBytes<Spec>(
  connection: Connection,
  route: Route<Spec>,
  ask: Ask<Spec>,
): Promise<{ bytes: Bytes; contentType: string }> {
  const { method, url } = addressOf(connection, route, ask.params, ask.query);
  const { body } = await send(connection, method, url, { accept: "*/*", parse: "bytes", ...ask });
  return body as { bytes: Bytes; contentType: string };
}

type RequestPlan = Omit<Ask<unknown>, "params" | "query" | "body"> & {
  readonly accept: string;
  readonly parse: "json" | "text" | "bytes";
  readonly body?: unknown;
};

type EncodedRequest = Omit<RequestPlan, "body"> & { readonly body: string | undefined };

async function send(
  connection: Connection,
  method: string,
  url: string,
  sending: RequestPlan,
): Promise<{ body: unknown }> {
  const text = sending.body === undefined ? undefined : jsonOf(sending.body);
  const { signal, retries = connection.retries, repeatable = method !== "POST", finalCodes = [] } = sending;
  for (let attempt = 1; ; attempt++) {
    const outcome = await once(connection, method, url, { ...sending, body: text });
    if (!("error" in outcome)) return outcome;
    const { error } = outcome;
    // An earlier try did it, and its answer was lost on the way.
    if (method === "DELETE" && attempt > 1 && error.status === 404) return { body: undefined };
    const refused = (error.status === 429 || error.status === 503) && !finalCodes.includes(error.code);
    const again = error.status === 0 ? repeatable : refused;
    const pauseMs = Math.max(error.retryAfterMs ?? 0, backoffMs(attempt, BACKOFF, connection.random));
    if (!again || attempt > retries || pauseMs > LONGEST_PAUSE_MS) throw error;
    await pause(pauseMs, signal);
  }
}

/** Makes one try. The caller's own signal is thrown as it is; everything else is returned as an error to judge. */
async function once(
  connection: Connection,
  method: string,
  url: string,
  { accept, parse, body, headers, signal, timeoutMs = connection.timeoutMs, accepted = [] }: EncodedRequest,
): Promise<{ body: unknown } | { error: MillraceError }> {
  signal?.throwIfAborted();
  const limit = timeLimit(timeoutMs, signal);
  try {
    const response = await connection.fetch(url, {
      method,
      headers: {
        accept,
        ...connection.headers,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body }),
      signal: limit.signal,
      // A redirect would turn a POST into a GET, whose answer is another one.
      redirect: "error",
    });
    const good = response.ok || accepted.includes(response.status);
    if (good && parse === "bytes") {
      const bytes = new Uint8Array(await response.arrayBuffer());
      return { body: { bytes, contentType: response.headers.get("content-type") ?? "application/octet-stream" } };
    }
    const text = await response.text();
    if (good && parse === "text") return { body: text };
    const parsed = parseJson(text);
    if (!good) return { error: errorOf(response, parsed) };
    if (parsed === undefined && response.status !== 204) return { error: noJson(response) };
    return { body: parsed };
  } catch (cause) {
    signal?.throwIfAborted();
    return { error: limit.isOver() ? tooSlow(url, timeoutMs) : unreachable(url, cause) };
  } finally {
    limit.end();
  }
}

export interface TimeLimit {
  readonly signal: AbortSignal;
  isOver(): boolean;
  end(): void;
}

/** A signal that aborts after this time, or with the outer signal. `end` clears the timer. */
export function timeLimit(ms: number, outer: AbortSignal | undefined): TimeLimit {
  const controller = new AbortController();
  let over = false;
  const timer = setTimeout(() => {
    over = true;
    controller.abort();
  }, ms);
  const passOn = () => controller.abort(outer?.reason);
  outer?.addEventListener("abort", passOn, { once: true });
  return {
    signal: controller.signal,
    isOver: () => over,
    end: () => {
      clearTimeout(timer);
      outer?.removeEventListener("abort", passOn);
    },
  };
}

export function addressOf(
  { baseUrl }: Connection,
  route: Route<unknown>,
  params: unknown,
  query: unknown,
): { method: string; url: string } {
  const [method = "", path = ""] = route.split(" ");
  const values = (params ?? {}) as Record<string, string>;
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => pathPart(name, values[name]));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) search.set(name, String(value));
  }
  return { method, url: `${baseUrl}${filled}${search.size > 0 ? `?${search}` : ""}` };
}

/** An empty part or a dot would be lost on the way, and the request would reach another route. */
function pathPart(name: string, value: unknown): string {
  if (typeof value === "string" && !/^\.{0,2}$/.test(value)) return encodeURIComponent(value);
  throw new MillraceError("invalid-options", `${name} must be a non-empty string, not ${JSON.stringify(value)}.`, {
    hint: name === "jobId" ? "Pass a job id such as job_4fQ81xZa. Did you await the submission?" : undefined,
  });
}

/**
 * The body as JSON. A bad value is refused here: the server would never see what JSON drops, and a throw inside `fetch`
 * looks like a network failure.
 */
function jsonOf(body: unknown): string {
  const loss = jsonLoss(body);
  if (!loss) return JSON.stringify(body);
  const { path, found, hint } = loss;
  throw new MillraceError("invalid-request", `The request cannot be sent as JSON: "${path}" is ${found}.`, {
    hint,
    issues: [{ path, message: `is ${found}` }],
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function unreachable(url: string, cause: unknown): MillraceError {
  return new MillraceError("unreachable", `Could not reach ${originOf(url)}: ${reasonOf(cause)}.`, {
    hint: "Check that the server is running and that baseUrl is right.",
    cause,
  });
}

function tooSlow(url: string, ms: number): MillraceError {
  return new MillraceError("request-timeout", `${originOf(url)} did not answer within ${ms} ms.`, {
    hint: "The server may have processed the request. Check before you send it again.",
  });
}

function noJson(response: Response): MillraceError {
  return new MillraceError("bad-answer", `The response with status ${response.status} is not JSON.`, {
    status: response.status,
    hint: "Check that this is the address of a Millrace server.",
  });
}

const NO_TLS = "the server does not speak TLS; use http:// instead of https://";

// Each runtime has words of its own for these.
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ConnectionRefused: "connection refused",
  ECONNRESET: "connection reset",
  ConnectionClosed: "connection reset",
  ENOTFOUND: "no such host",
  UnexpectedRedirect: "it redirects elsewhere",
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
  EPROTO: NO_TLS,
};

/** Node says only "fetch failed"; the reason is in the cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : "";
  return REASONS[code] ?? (cause.message || code || "no reason given").replace(/[.?!]$/, "");
}

function originOf(url: string): string {
  return /^[a-z]+:\/\/[^/?#]+/i.exec(url)?.[0] ?? "the server";
}
