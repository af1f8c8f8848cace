import { streamRoutes } from "../../api/feeds/streams.ts";
import { stateOf } from "../../job/job.ts";
import { type JobFeedEvent, payloadOfFeedEvent } from "../../job/report/feed-event.ts";
import type { Log } from "../../telemetry/log/log.ts";
import { audited } from "../auth/audit.ts";
import type { Caller } from "../auth/caller.ts";
import { DEFAULT_TTL_MS, signerOf, signJobToken } from "../auth/job-token.ts";
import type { Engine } from "../engine.ts";
import { eventText, type FeedSource, feedResponse, lastEventId, positionAfter } from "../feed-response.ts";
import { FEED_HEADERS } from "../live.ts";
import { jobFor, logLineFor } from "../redact.ts";
import { type BoundRoute, bind } from "../request/bind.ts";
import { findJob } from "./jobs.ts";

export interface StreamHandlerOptions {
  readonly engine: Engine;
  readonly log: Log;
  /** Aborted when the server stops: readers come back to another one. */
  readonly closing: AbortSignal;
}

/** Jobs read live: their streams, what happens to them, and tokens for browsers that read them. */
export function streamHandlers({ engine, log, closing }: StreamHandlerOptions): BoundRoute[] {
  return [
    bind(streamRoutes.streams, async ({ params, caller }) => {
      await findJob(engine, params.jobId, caller);
      return { body: { streams: await engine.streams(params.jobId) } };
    }),

    bind(streamRoutes.stream, async ({ params, query, caller, request }) => {
      const place = positionAfter(lastEventId(request, query));
      await findJob(engine, params.jobId, caller);
      if (request.method === "HEAD") return new Response(null, { headers: FEED_HEADERS });
      const first = await engine.readers.readStream(params.jobId, params.name, place);
      // A browser that reconnects after the end stops when it gets 204.
      if (first?.isEnd && place > first.last) return new Response(null, { status: 204 });
      const source = streamSource(engine, params, Math.min(place, first?.last ?? place));
      return feedResponse(source, { signals: [request.signal, closing], log });
    }),

    bind(streamRoutes.events, async ({ params, query, caller, request }) => {
      await findJob(engine, params.jobId, caller);
      if (request.method === "HEAD") return new Response(null, { headers: FEED_HEADERS });
      const lastId = lastEventId(request, query);
      if (lastId === OVER) return new Response(null, { status: 204 });
      const source = eventSource(engine, caller, params.jobId, lastId);
      return feedResponse(source, { signals: [request.signal, closing], log });
    }),

    bind(streamRoutes.createToken, async ({ params, body, caller, traceId }) => {
      const { jobId, tenant } = await findJob(engine, params.jobId, caller);
      const { secret, keyId } = signerOf(caller);
      const expiresAt = Date.now() + (body.ttlMs ?? DEFAULT_TTL_MS);
      const token = signJobToken({ jobId, tenant, expiresAt, keyId }, secret);
      await audited(engine, { caller, traceId }, "read token created", { target: jobId, tenant });
      return { body: { token, jobId, expiresAt: new Date(expiresAt).toISOString() } };
    }),
  ];
}

/** The id of the last event of a feed of job events. */
const OVER = "end";

function streamSource(engine: Engine, { jobId, name }: { jobId: string; name: string }, from: number): FeedSource {
  let place = from;
  return {
    watch: (wake) => engine.readers.watch(jobId, wake),
    read: async () => {
      const page = await engine.readers.readStream(jobId, name, place);
      let text = "";
      for (const entry of page?.entries ?? []) {
        place = entry.number;
        const isChunk = entry.type === "chunk";
        text += eventText(entry.number, entry.type, isChunk ? entry.data : { keep: entry.keep });
      }
      if (!page) return { text: eventText(place + 1, "end", { state: "deleted" }), isEnd: true };
      if (page.isEnd) text += eventText(place + 1, "end", { state: stateOf(page.standing) });
      return { text, isEnd: page.isEnd };
    },
  };
}

function eventSource(engine: Engine, caller: Caller, jobId: string, lastId: string | undefined): FeedSource {
  const reader = engine.readers.events(jobId, lastId);
  let state = "deleted";
  return {
    watch: (wake) => engine.readers.watch(jobId, wake),
    read: async () => {
      const page = await reader.next();
      let text = "";
      for (const { id, ...event } of page?.events ?? []) {
        text += eventText(id, event.type, payloadOfFeedEvent(eventFor(caller, event)));
      }
      if (page && !page.isEnd) return { text, isEnd: false };
      if (page) state = (await engine.find(jobId))?.state ?? "deleted";
      return { text: text + eventText(OVER, "end", { state }), isEnd: true };
    },
  };
}

/** The event without what only the administrator sees. */
function eventFor(caller: Caller, event: JobFeedEvent): JobFeedEvent {
  if (event.type === "state") return { ...event, job: jobFor(caller, event.job) };
  if (event.type === "log") return { ...event, line: logLineFor(caller, event.line) };
  return event;
}
