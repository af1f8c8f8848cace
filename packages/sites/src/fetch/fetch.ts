// The only way out to a site. node:http(s) and not fetch: on Bun an undici dispatcher, and with it any check of the
// address, is ignored without a word. Every hop is checked, its name looked up once, and that address connected to.

import { type IncomingMessage, type RequestOptions, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isPublicAddress } from "./address.ts";
import { readBody } from "./body.ts";
import { FetchFault } from "./fault.ts";
import { pinAddresses, pinnedLookup } from "./pinned.ts";
import { checkTarget, type FetchPolicy, type FetchTarget } from "./target.ts";

export const USER_AGENT = "Millrace-Sites/0.1 (site analysis; obeys robots.txt)";
/** The word by which robots.txt addresses us. */
export const ROBOTS_NAME = "Millrace-Sites";

export interface FetchLimits {
  readonly headersMs: number;
  readonly totalMs: number;
  /** After decompression; what comes after is cut off. */
  readonly maxBytes: number;
  readonly maxRedirects: number;
}

export const FETCH_LIMITS: FetchLimits = { headersMs: 10_000, totalMs: 20_000, maxBytes: 3_000_000, maxRedirects: 5 };

export interface FetchedResponse {
  /** Where the redirects led. */
  readonly url: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** There was more than `maxBytes`. */
  readonly truncated: boolean;
  readonly redirects: readonly string[];
}

export interface FetchOptions {
  readonly policy: FetchPolicy;
  readonly limits?: Partial<FetchLimits>;
  readonly signal?: AbortSignal;
  /** Judges each redirect; false: the answer is the redirect itself. */
  readonly follow?: (to: URL) => boolean | Promise<boolean>;
  /** Sends this instead of asking for a page. */
  readonly post?: { readonly type: string; readonly body: string };
  /** Who asks. Default: our own name. */
  readonly userAgent?: string;
}

type SendOptions = Pick<FetchOptions, "post" | "userAgent">;

export async function fetchGuarded(address: string, options: FetchOptions): Promise<FetchedResponse> {
  const limits = { ...FETCH_LIMITS, ...options.limits };
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(tooSlow(limits.totalMs)), limits.totalMs);
  const stop = () => over.abort(options.signal?.reason);
  options.signal?.addEventListener("abort", stop, { once: true });
  if (options.signal?.aborted) stop();
  try {
    return await follow(address, options, limits, over.signal);
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener("abort", stop);
  }
}

async function follow(
  address: string,
  { policy, follow: mayFollow, ...sending }: FetchOptions,
  limits: FetchLimits,
  signal: AbortSignal,
): Promise<FetchedResponse> {
  const redirects: string[] = [];
  for (let next = checkTarget(address, policy); ; ) {
    const fetched = await hop(next, policy, limits, { ...sending, signal });
    const location = REDIRECTS.has(fetched.status) ? fetched.headers["location"] : undefined;
    if (location === undefined || !URL.canParse(location, next.url.href)) return { ...fetched, redirects };
    const to = new URL(location, next.url);
    if (mayFollow && !(await mayFollow(to))) return { ...fetched, redirects };
    if (redirects.length === limits.maxRedirects) {
      throw new FetchFault("too-many-redirects", `It redirects more than ${limits.maxRedirects} times.`);
    }
    redirects.push(to.href);
    next = checkTarget(to, policy);
  }
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

type HopOptions = SendOptions & { readonly signal: AbortSignal };

async function hop(target: FetchTarget, policy: FetchPolicy, limits: FetchLimits, options: HopOptions) {
  const { signal } = options;
  const addresses = await untilAborted(pinAddresses(target, policy), signal);
  const response = await headersFromAny(target, addresses, limits, options);
  try {
    const { body, truncated } = await readBody(response, limits.maxBytes, signal);
    return {
      url: target.url.href,
      status: response.statusCode ?? 0,
      headers: plainHeaders(response),
      body,
      truncated,
    };
  } finally {
    response.destroy();
  }
}

/** One address after the other, until one can be reached. What a reached host then does is final. */
async function headersFromAny(
  target: FetchTarget,
  addresses: readonly string[],
  limits: FetchLimits,
  options: HopOptions,
): Promise<IncomingMessage> {
  let last: unknown;
  for (const address of addresses) {
    try {
      return await headers(target, address, limits, options);
    } catch (error) {
      last = error;
      if (!(error instanceof FetchFault) || error.code !== "connect-failed") break;
    }
  }
  throw last;
}

function headers(
  target: FetchTarget,
  address: string,
  limits: FetchLimits,
  { post, userAgent = USER_AGENT, signal }: HopOptions,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const secure = target.url.protocol === "https:";
    const options: RequestOptions & { servername?: string } = {
      method: post === undefined ? "GET" : "POST",
      host: target.host,
      port: target.port,
      path: `${target.url.pathname}${target.url.search}`,
      // No agent, so no socket of an earlier, differently checked request is taken again.
      agent: false,
      lookup: pinnedLookup(address),
      headers: {
        host: target.url.host,
        "user-agent": userAgent,
        ...(post && { "content-type": post.type, "content-length": String(Buffer.byteLength(post.body)) }),
        accept: "text/html, application/xhtml+xml, text/plain, application/xml;q=0.9, */*;q=0.1",
        "accept-encoding": "gzip, deflate, br",
        connection: "close",
      },
    };
    const request = secure ? requestHttps(options) : requestHttp(options);
    const timer = setTimeout(
      () => end(new FetchFault("timed-out", `No answer within ${limits.headersMs} ms.`)),
      limits.headersMs,
    );
    const abort = () => end(signal.reason);
    const end = (error: unknown) => {
      settle();
      request.destroy();
      reject(error);
    };
    const settle = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
    };
    signal.addEventListener("abort", abort, { once: true });
    request.on("error", (error) => {
      settle();
      reject(connectionFault(error, target));
    });
    request.on("response", (response) => {
      settle();
      const wrong = elsewhere(response, address, target);
      if (wrong) {
        request.destroy();
        reject(wrong);
      } else resolve(response);
    });
    if (signal.aborted) abort();
    else request.end(post?.body);
  });
}

/** A second look, at the socket itself: should a runtime ever ignore the pin, nothing of the answer is used. */
function elsewhere(response: IncomingMessage, address: string, target: FetchTarget): FetchFault | undefined {
  const reached = response.socket?.remoteAddress;
  if (reached === undefined || reached === address || target.allowed || isPublicAddress(reached)) return undefined;
  return new FetchFault("blocked-address", `The connection went to ${reached}, which is not a public address.`);
}

function plainHeaders(response: IncomingMessage): Record<string, string> {
  const headers = Object.fromEntries(
    Object.entries(response.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]],
    ),
  );
  // Each of these headers may be meant for another bot, so they are kept apart.
  const { rawHeaders } = response;
  const robots = rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === "x-robots-tag");
  return robots.length > 1 ? { ...headers, "x-robots-tag": robots.join("\n") } : headers;
}

function connectionFault(error: Error & { code?: string }, target: FetchTarget): FetchFault {
  if (error instanceof FetchFault) return error;
  const code = error.code ?? "";
  const where = `${target.host}:${target.port}`;
  if (/WRONG_VERSION_NUMBER|wrong version number/.test(`${code} ${error.message}`)) {
    const message = `${where} does not support HTTPS; to read it without, write http:// before the address`;
    return new FetchFault("tls-failed", `${message}.`, error);
  }
  if (/CERT|TLS|SSL|SELF_SIGNED|ALTNAME|UNABLE_TO/.test(code)) {
    return new FetchFault("tls-failed", `The certificate of ${where} is not valid: ${error.message}`, error);
  }
  if (code.startsWith("HPE_") || /parse error|malformed/i.test(error.message)) {
    return new FetchFault("bad-answer", `The response of ${where} is not HTTP.`, error);
  }
  return new FetchFault("connect-failed", `${where} could not be reached (${code || error.message}).`, error);
}

function tooSlow(ms: number): FetchFault {
  return new FetchFault("timed-out", `The page did not arrive within ${ms} ms.`);
}

async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let abort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
