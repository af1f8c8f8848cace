import { StringDecoder } from "node:string_decoder";
import { markedLine, type OutputLevel } from "./console.ts";

/** A line that a child process wrote, by `console.log` say. */
export interface OutputLine {
  stream: Stream;
  level: OutputLevel;
  line: string;
  /** The lease under which `console` printed it, or "" outside of any job. Missing: written without `console`. */
  of?: string;
}

export type OnOutput = (line: Omit<OutputLine, "of"> & { kind: string; stage: string; jobId?: string }) => void;

type Stream = "stdout" | "stderr";

const MAX_LINE_CHARS = 8_000;
/** A child that writes without end must not drown the log. */
const MOST_LINES_A_SECOND = 500;
/**
 * The parent must not be kept busy with reading either: beyond this the child waits for its pipe until the second is
 * over.
 */
const MOST_BYTES_A_SECOND = 8 * 1_048_576;
const NEWLINE = 10;
/** What is not printed by `console`: warnings of the runtime, native libraries, `process.stdout.write`. */
const RAW_LEVELS = { stdout: "info", stderr: "warn" } as const;

/** Makes lines of what a child writes. */
export class ChildOutput {
  readonly #onLine: (line: OutputLine) => void;
  readonly #streams = { stdout: new OpenLine(), stderr: new OpenLine() };
  #second = 0;
  #lines = 0;
  #bytes = 0;

  constructor(onLine: (line: OutputLine) => void) {
    this.#onLine = onLine;
  }

  /** Returns for how many milliseconds to read no further; 0 unless the child floods. */
  write(stream: Stream, chunk: Uint8Array): number {
    const now = performance.now();
    this.#countIn(Math.floor(now / 1_000));
    this.#bytes += chunk.length;
    // Lines that would be left out are not even made.
    if (this.#lines >= MOST_LINES_A_SECOND) this.#streams[stream].drop(chunk);
    else for (const line of this.#streams[stream].lines(chunk)) this.#say(stream, line);
    return this.#bytes < MOST_BYTES_A_SECOND ? 0 : 1_000 - (now % 1_000);
  }

  /** Call this when the child has ended: its last line may have no end of line. */
  end(): void {
    for (const stream of ["stdout", "stderr"] as const) {
      const rest = this.#streams[stream].drain();
      if (rest !== "") this.#say(stream, rest);
    }
  }

  #countIn(second: number): void {
    if (second === this.#second) return;
    this.#second = second;
    this.#lines = 0;
    this.#bytes = 0;
  }

  #say(stream: Stream, text: string): void {
    this.#lines++;
    if (this.#lines > MOST_LINES_A_SECOND) return;
    const said = this.#lines < MOST_LINES_A_SECOND ? text : "[further output of this second is left out]";
    const { line, ...about } = markedLine(said) ?? { level: RAW_LEVELS[stream], line: said };
    this.#onLine({ stream, ...about, line: line.trimEnd().slice(0, MAX_LINE_CHARS) });
  }
}

/** The text of a stream since its last end of line. */
class OpenLine {
  readonly #decoder = new StringDecoder("utf8");
  #rest = "";
  /** The beginning of the line was left out, so its end is too. */
  #isCut = false;

  lines(chunk: Uint8Array): string[] {
    const lines = (this.#rest + this.#decoder.write(Buffer.from(chunk))).split("\n");
    this.#rest = (lines.pop() ?? "").slice(0, 2 * MAX_LINE_CHARS);
    if (this.#isCut && lines.length > 0) {
      lines.shift();
      this.#isCut = false;
    }
    return lines;
  }

  drop(chunk: Uint8Array): void {
    this.#rest = "";
    this.#isCut = chunk.at(-1) !== NEWLINE;
  }

  drain(): string {
    const rest = this.#isCut ? "" : this.#rest;
    this.#rest = "";
    return rest;
  }
}
