// Server-sent events as an async iterable. The next piece is read when the consumer asks for it. A cut connection is opened again
// with the id of the last event, on whatever server answers.

import { backoffMs } from "../lib/backoff.ts";
import { errorOf, MillraceError } from "./errors.ts";
import { pause } from "./pause.ts";
import { type Connection, timeLimit, unreachable } from "./request.ts";
import { EventParser, type ServerEvent } from "./sse.ts";

export interface FeedOptions {
  /** Ends the reading when it is aborted. Default: none. */
  readonly signal?: AbortSignal | undefined;
  /** Go on after the event with this id. Default: the beginning. */
  readonly after?: string | number | undefined;
  /**
   * Reconnect after this long without a sign of life, in milliseconds. The server sends one every 15 seconds. Default:
   * 60,000.
   */
  readonly silenceMs?: number | undefined;
}

const BACKOFF = { baseMs: 500, maxMs: 10_000 };

/**
 * Ends when the server says that no more events follow. Rejects when it refuses the feed, or with the signal's reason.
 */
export async function* serverEvents(
  connection: Connection,
  url: string,
  { signal, after, silenceMs = 60_000 }: FeedOptions,
): AsyncGenerator<ServerEvent, void> {
  let lastId = after === undefined ? undefined : String(after);
  for (let failures = 1; ; failures++) {
    const cut = new AbortController();
    const end = () => cut.abort(signal?.reason);
    signal?.addEventListener("abort", end, { once: true });
    try {
      signal?.throwIfAborted();
      const body = await open(connection, url, lastId, cut.signal);
      if (!body) return;
      const parser = new EventParser();
      const decoder = new TextDecoder();
      const reader = body.getReader();
      for (;;) {
        const limit = timeLimit(silenceMs, undefined);
        limit.signal.addEventListener("abort", () => cut.abort(), { once: true });
        const { done, value } = await reader.read().finally(() => limit.end());
        if (done) throw unreachable(url, "the feed was ended");
        for (const event of parser.push(decoder.decode(value, { stream: true }))) {
          failures = 0;
          lastId = event.id ?? lastId;
          yield event;
          if (event.event === "end") return;
        }
      }
    } catch (error) {
      signal?.throwIfAborted();
      const problem = error instanceof MillraceError ? error : unreachable(url, error);
      if (!isPassing(problem)) throw problem;
      const pauseMs = Math.max(problem.retryAfterMs ?? 0, backoffMs(failures + 1, BACKOFF, connection.random));
      await pause(pauseMs, signal);
    } finally {
      signal?.removeEventListener("abort", end);
      cut.abort();
    }
  }
}

/** Opens the stream. Undefined: there is nothing more to read. */
async function open(
  connection: Connection,
  url: string,
  lastId: string | undefined,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array> | undefined> {
  const headers = {
    accept: "text/event-stream",
    ...connection.headers,
    ...(lastId !== undefined && { "last-event-id": lastId }),
  };
  const response = await connection.fetch(url, { headers, signal, redirect: "error", cache: "no-store" });
  if (response.status === 204) return undefined;
  if (!response.ok || !response.body) throw errorOf(response, await response.json().catch(() => undefined));
  return response.body;
}

function isPassing({ status }: MillraceError): boolean {
  return status === 0 || status === 429 || status >= 500;
}
