import { oneLine } from "./format.ts";

const CLEAR_LINE = "\r\u001b[K";
const WIDTH = 24;

/** What `Progress` writes to. `process.stderr` is one. */
export interface Terminal {
  /** True: it is a terminal. Default: false. */
  readonly isTTY?: boolean;
  /** The width of the terminal, in characters. Default: 80. */
  readonly columns?: number;
  /** Writes text. */
  write(text: string): unknown;
}

/** A progress bar at the bottom of the terminal. It shows nothing elsewhere, and nothing for a single item. */
export class ProgressBar {
  readonly #total: number;
  readonly #terminal: Terminal;
  #done = 0;

  constructor(total: number, terminal: Terminal) {
    this.#total = total;
    this.#terminal = terminal;
    this.#draw("");
  }

  /** How many items are done, as `3/10`. */
  get done(): string {
    return `${this.#done}/${this.#total}`;
  }

  /** Whether the bar is shown. */
  get isShown(): boolean {
    return this.#terminal.isTTY === true && this.#total > 1;
  }

  /** Counts one more item as done. */
  step(name: string): void {
    this.#done++;
    this.#draw(name);
  }

  /** Writes a line that stays, above the bar. */
  say(line: string): void {
    this.#clear();
    this.#terminal.write(`${line}\n`);
    this.#draw("");
  }

  /** Removes the bar. */
  end(): void {
    this.#clear();
  }

  #clear(): void {
    if (this.isShown) this.#terminal.write(CLEAR_LINE);
  }

  #draw(name: string): void {
    if (!this.isShown) return;
    const filled = Math.round((WIDTH * this.#done) / this.#total);
    const bar = `${"█".repeat(filled)}${"░".repeat(WIDTH - filled)}`;
    const line = `${bar} ${this.done} ${oneLine(name)}`;
    this.#terminal.write(`${CLEAR_LINE}${line.slice(0, (this.#terminal.columns || 80) - 1)}`);
  }
}
