/** A line that a child process wrote, by `console.log` say. */
export interface OutputLine {
  stream: "stdout" | "stderr";
  line: string;
}

export type OnOutput = (line: OutputLine & { kind: string; stage: string; jobId?: string }) => void;

const MAX_LINE_CHARS = 8_000;
/** A child that writes without end must not drown the log. */
const MOST_LINES_A_SECOND = 500;

/** Makes lines of what a child writes. */
export class ChildOutput {
  readonly #onLine: (line: OutputLine) => void;
  readonly #rest = { stdout: "", stderr: "" };
  #second = 0;
  #lines = 0;

  constructor(onLine: (line: OutputLine) => void) {
    this.#onLine = onLine;
  }

  write(stream: "stdout" | "stderr", chunk: string): void {
    const lines = (this.#rest[stream] + chunk).split("\n");
    this.#rest[stream] = (lines.pop() ?? "").slice(-MAX_LINE_CHARS);
    for (const line of lines) this.#say(stream, line);
  }

  /** The child has ended: what it wrote last may have no end of line. */
  end(): void {
    for (const stream of ["stdout", "stderr"] as const) {
      if (this.#rest[stream] !== "") this.#say(stream, this.#rest[stream]);
      this.#rest[stream] = "";
    }
  }

  #say(stream: OutputLine["stream"], line: string): void {
    const second = Math.floor(performance.now() / 1_000);
    if (second !== this.#second) this.#lines = 0;
    this.#second = second;
    if (++this.#lines < MOST_LINES_A_SECOND) this.#onLine({ stream, line: line.trimEnd().slice(0, MAX_LINE_CHARS) });
    else if (this.#lines === MOST_LINES_A_SECOND)
      this.#onLine({ stream, line: "[further output of this second is left out]" });
  }
}
