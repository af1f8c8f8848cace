/** A stream that a running job writes to, from `ctx.stream(name)`. */
export interface JobStream {
  /** The name of the stream. */
  readonly name: string;
  /**
   * Adds a chunk: any JSON of at most 256 KiB, such as a token of a model, a row or a line. Chunks are gathered and
   * stored a few times a second. It waits only if chunks come faster than the store takes them. Throws `stream-full`
   * when the limit of the job or of its tenant is reached.
   */
  write(chunk: unknown): Promise<void>;
}
