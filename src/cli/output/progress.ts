import { oneLine } from "./format.ts";

const CLEAR_LINE = "\r\u001b[K";
const WIDTH = 24;

export interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** How far many things have come: a bar at the foot of a terminal; anywhere else, and for one thing, nothing. */
export class Progress {
  readonly #total: number;
  readonly #terminal: Terminal;
  #done = 0;

  constructor(total: number, terminal: Terminal) {
    this.#total = total;
    this.#terminal = terminal;
    this.#draw("");
  }

  get done(): string {
    return `${this.#done}/${this.#total}`;
  }

  get isShown(): boolean {
    return this.#terminal.isTTY === true && this.#total > 1;
  }

  /** One more is done. */
  step(name: string): void {
    this.#done++;
    this.#draw(name);
  }

  /** A line that stays, above the bar. */
  say(line: string): void {
    this.#clear();
    this.#terminal.write(`${line}\n`);
    this.#draw("");
  }

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
