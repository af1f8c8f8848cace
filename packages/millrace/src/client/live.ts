// The live feed over fetch, not EventSource: that one cannot carry a key, and tells nothing of why it failed.

import type { z } from "zod";
import type { LiveEvents } from "../api/feeds/live.ts";
import { backoffMs } from "../lib/backoff.ts";
import { errorOf, MillraceError } from "./errors.ts";
import { pause } from "./pause.ts";
import { addressOf, type Connection, timeLimit, unreachable } from "./request.ts";
import { live } from "./routes.ts";
import { EventParser } from "./sse.ts";

type Events = typeof LiveEvents;

/** An event that a workload brings: `greetings.greeted`. Its data is what the workload declares. */
export interface WorkloadEvent {
  /** The name of the workload and of its event. */
  readonly type: `${string}.${string}`;
  /** To resume from, if the event has one. */
  readonly id: string | undefined;
  /** What the workload sent. */
  readonly data: unknown;
}

/**
 * What the live feed reports. `job`: a job moved. `pool`: processors of a pool took up or ended work, or fail.
 * `elsewhere`: something changed that is not reported one by one. `reset`: changes were missed, so read again what you
 * show. A newer server may send more types.
 */
export type LiveEvent =
  | WorkloadEvent
  | {
      [Type in keyof Events]: {
        readonly type: Type;
        readonly id: string | undefined;
        readonly data: z.output<Events[Type]>;
      };
    }[keyof Events];

/** Options of `client.live()`. */
export interface LiveOptions {
  /** Ends the feed when it is aborted. */
  readonly signal: AbortSignal;
  /** Continue after this event. Default: start with what happens next. */
  readonly lastEventId?: string;
  /**
   * Reconnect after this long without a sign of life, in milliseconds. The server sends one more often. Default:
   * 60,000.
   */
  readonly silenceMs?: number;
  /** Called when the feed is open, for the first time or again. Default: none. */
  readonly onOpen?: () => void;
  /** Called when the connection was lost; the client reconnects. Default: none. */
  readonly onCut?: (error: MillraceError) => void;
}

const BACKOFF = { baseMs: 500, maxMs: 10_000 };

/** Resolves when the signal is aborted; rejects when the server refuses the feed (no key, say). */
export async function follow(
  connection: Connection,
  onEvent: (event: LiveEvent) => void,
  options: LiveOptions,
): Promise<void> {
  const { signal, onCut } = options;
  let lastId = options.lastEventId;
  for (let failures = 1; !signal.aborted; failures++) {
    try {
      await listen(connection, options, lastId, (event) => {
        lastId = event.id ?? lastId;
        failures = 0;
        onEvent(event);
      });
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof MillraceError) || !isPassing(error)) throw error;
      onCut?.(error);
      const pauseMs = Math.max(error.retryAfterMs ?? 0, backoffMs(failures + 1, BACKOFF, connection.random));
      await pause(pauseMs, signal).catch(() => {});
    }
  }
}

/** One connection, until it ends. */
async function listen(
  connection: Connection,
  { signal, onOpen, silenceMs = 60_000 }: LiveOptions,
  lastId: string | undefined,
  onEvent: (event: LiveEvent) => void,
): Promise<void> {
  const { url } = addressOf(connection, live, undefined, undefined);
  let limit = timeLimit(silenceMs, signal);
  const cut = new AbortController();
  const heard = () => {
    limit.end();
    limit = timeLimit(silenceMs, signal);
    limit.signal.addEventListener("abort", () => cut.abort(), { once: true });
  };
  heard();
  try {
    const response = await connection
      .fetch(url, {
        headers: {
          accept: "text/event-stream",
          ...connection.headers,
          ...(lastId !== undefined && { "last-event-id": lastId }),
        },
        signal: cut.signal,
        redirect: "error",
        cache: "no-store",
      })
      .catch((cause) => {
        throw unreachable(url, cause);
      });
    if (!response.ok || !response.body) throw errorOf(response, await response.json().catch(() => undefined));
    onOpen?.();
    const parser = new EventParser();
    const decoder = new TextDecoder();
    const reader = response.body.getReader();
    for (;;) {
      const { done, value } = await reader.read().catch((cause) => {
        throw unreachable(url, cause);
      });
      if (done) throw unreachable(url, "the feed was ended");
      heard();
      for (const { id, event, data } of parser.push(decoder.decode(value, { stream: true }))) {
        onEvent({ type: event, id, data: parseJson(data) } as LiveEvent);
      }
    }
  } finally {
    limit.end();
    cut.abort();
  }
}

function isPassing({ status }: MillraceError): boolean {
  return status === 0 || status === 429 || status >= 500;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
