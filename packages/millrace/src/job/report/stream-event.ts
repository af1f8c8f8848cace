/** One event of a stream. Ids grow; pass the last one to go on from there. */
export type StreamEvent<Chunk = unknown> =
  | {
      /** A chunk was written. */
      readonly type: "chunk";
      /** The number of the event. */
      readonly id: number;
      /** The chunk. */
      readonly value: Chunk;
    }
  | {
      /** An attempt failed, so its chunks are taken back and written again. */
      readonly type: "restart";
      /** The number of the event. */
      readonly id: number;
      /** Drop all chunks with an id above this one. */
      readonly keep: number;
    }
  | {
      /** The job has ended, and with it the stream. */
      readonly type: "end";
      /** The number of the event. */
      readonly id: number;
      /** The state of the job. `deleted`: it was deleted while the stream was read. */
      readonly state: "completed" | "failed" | "cancelled" | "deleted";
    };

/** Options of `millrace.stream()`. */
export interface StreamOptions {
  /** Go on after the event with this id. Default: 0, the beginning. */
  readonly after?: number;
  /** Ends the reading when it is aborted. Default: none. */
  readonly signal?: AbortSignal;
}

/** A stream of a job. */
export interface StreamView {
  /** The name of the stream. */
  readonly name: string;
  /** The id of its last event. */
  readonly last: number;
  /** The bytes that it holds. */
  readonly bytes: number;
  /** When it was first written to. */
  readonly createdAt: string;
}
