import { type FeedOptions, serverEvents } from "./feeds.ts";
import { type CallOptions, idOf, type JobRef } from "./jobs.ts";
import { addressOf, ask, type Connection } from "./request.ts";
import { streams } from "./routes.ts";
import type { ServerEvent } from "./sse.ts";
import type { JobFeedEvent, JobToken, StreamEvent, StreamInfo } from "./wire.ts";

/** Options of `client.stream()`. */
export interface StreamOptions {
  /** Go on after the event with this id. Default: 0, the beginning. */
  readonly after?: number | undefined;
  /** Ends the reading when it is aborted. Default: none. */
  readonly signal?: AbortSignal | undefined;
  /** Reconnect after this long without a sign of life, in milliseconds. Default: 60,000. */
  readonly silenceMs?: number | undefined;
}

/** A stream of a job: iterate over its events, or collect its chunks. After a cut it goes on where it was. */
export interface StreamReader<Chunk = unknown> {
  /** Iterates over the events, until the stream ends. */
  [Symbol.asyncIterator](): AsyncIterator<StreamEvent<Chunk>>;
  /** Waits for the end of the stream and returns its chunks, without chunks that a restart took back. */
  chunks(): Promise<Chunk[]>;
}

/** Calls about streams, and about one job read live. */
export interface StreamCalls {
  /** Reads a stream of a job while it grows. */
  stream<Chunk = unknown>(job: JobRef, name: string, options?: StreamOptions): StreamReader<Chunk>;
  /** The streams of a job. */
  streams(job: JobRef, options?: CallOptions): Promise<StreamInfo[]>;
  /** State, progress, log lines, steps and signals of one job as they come, until the job has ended. */
  events(job: JobRef, options?: JobFeedOptions): AsyncIterable<JobFeedEvent>;
  /** A token that reads this one job, for a browser: `createClient({ baseUrl, apiKey: token })`. */
  createToken(job: JobRef, options?: CallOptions & { readonly ttlMs?: number | undefined }): Promise<JobToken>;
}

/** Options of `client.events()`. */
export interface JobFeedOptions {
  /** Go on after the event with this id. Default: the beginning. */
  readonly after?: string | undefined;
  /** Ends the reading when it is aborted. Default: none. */
  readonly signal?: AbortSignal | undefined;
  /** Reconnect after this long without a sign of life, in milliseconds. Default: 60,000. */
  readonly silenceMs?: number | undefined;
}

export function streamCalls(connection: Connection): StreamCalls {
  const feed = (route: string, params: Record<string, string>, options: FeedOptions) =>
    serverEvents(connection, addressOf(connection, route, params, undefined).url, options);
  return {
    stream: <Chunk>(job: JobRef, name: string, options: StreamOptions = {}): StreamReader<Chunk> => {
      const read = async function* (): AsyncGenerator<StreamEvent<Chunk>, void> {
        for await (const event of feed(streams.stream, { jobId: idOf(job), name }, options)) {
          const known = streamEvent<Chunk>(event);
          if (known) yield known;
        }
      };
      return { [Symbol.asyncIterator]: read, chunks: () => collect(read()) };
    },
    streams: async (job, { signal } = {}) =>
      (await ask(connection, streams.streams, { params: { jobId: idOf(job) }, signal })).streams,
    events: (job, options = {}) => ({
      [Symbol.asyncIterator]: async function* () {
        for await (const { id, event, data } of feed(streams.events, { jobId: idOf(job) }, options)) {
          yield { type: event, id, data: JSON.parse(data) } as JobFeedEvent;
        }
      },
    }),
    createToken: async (job, { ttlMs, signal } = {}) =>
      ask(connection, streams.createToken, {
        params: { jobId: idOf(job) },
        body: ttlMs === undefined ? {} : { ttlMs },
        signal,
      }),
  };
}

/** A newer server may send more types. */
function streamEvent<Chunk>({ id, event, data }: ServerEvent): StreamEvent<Chunk> | undefined {
  const number = Number(id);
  if (event === "chunk") return { type: "chunk", id: number, value: JSON.parse(data) as Chunk };
  if (event === "restart") return { type: "restart", id: number, keep: JSON.parse(data).keep };
  return event === "end" ? { type: "end", id: number, state: JSON.parse(data).state } : undefined;
}

async function collect<Chunk>(events: AsyncIterable<StreamEvent<Chunk>>): Promise<Chunk[]> {
  let kept: { id: number; value: Chunk }[] = [];
  for await (const event of events) {
    if (event.type === "chunk") kept.push(event);
    else if (event.type === "restart") kept = kept.filter(({ id }) => id <= event.keep);
  }
  return kept.map(({ value }) => value);
}
