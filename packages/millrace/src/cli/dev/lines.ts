// What `millrace dev` tells the person in front of it, on standard error.

import { relative } from "node:path";
import { plural } from "../output/format.ts";
import { paint, type Style } from "../output/paint.ts";

export interface DevServerFacts {
  readonly url: string;
  readonly data: string;
  readonly entries: readonly string[];
}

export interface ServingFacts {
  readonly kinds: readonly string[];
  /** The kinds of the worker before. */
  readonly before: readonly string[];
  readonly changed: readonly string[];
  /** How many files are watched. */
  readonly files: number;
  readonly tookMs: number;
}

export class DevLines {
  readonly #facts: DevServerFacts;
  readonly #write: (text: string) => void;
  #hasServed = false;

  constructor(facts: DevServerFacts, write: (text: string) => void = (text) => process.stderr.write(text)) {
    this.#facts = facts;
    this.#write = write;
  }

  serving(facts: ServingFacts): void {
    if (this.#hasServed) this.#line("green", reloaded(facts));
    else this.#greet(facts);
    this.#hasServed = true;
  }

  failed({ changed, isServed }: { readonly changed: readonly string[]; readonly isServed: boolean }): void {
    const what = changed.length > 0 ? `Not reloaded: ${names(changed)} changed, but` : "Not started:";
    const next = isServed
      ? "The last version that worked keeps running."
      : `${this.#facts.url} answers 503 until then.`;
    this.#line("red", `${what} the code does not start (see above). Save a fix to try again. ${next}`);
  }

  died(how: string, waits: boolean): void {
    this.#line(
      "red",
      `The worker ended with ${how}. ${waits ? "Save a change to start it again." : "Starting it again."}`,
    );
  }

  needsRestart(setting: string): void {
    this.#line("yellow", `${setting} changed. Restart millrace dev to use it; it still listens on ${this.#facts.url}.`);
  }

  stopping(): void {
    this.#line("dim", "Stopping.");
  }

  #greet({ kinds, files, tookMs }: ServingFacts): void {
    const { url, data, entries } = this.#facts;
    const others = files > entries.length ? ` and ${plural(files - entries.length, "imported file")}` : "";
    this.#write(`
  Millrace dev listens on ${url}
  Dashboard               ${url}/ui/
  Kinds                   ${kinds.join(", ")}
  Its data is in          ${data}
  Watching                ${names(entries)}${others}

`);
    this.#line("green", `Ready in ${Math.round(tookMs)} ms. Save a file to reload, press Ctrl-C to stop.`);
  }

  #line(style: Style, text: string): void {
    const time = new Date().toTimeString().slice(0, 8);
    this.#write(`${paint("dim", time, process.stderr)} ${paint(style, text, process.stderr)}\n`);
  }
}

function reloaded({ kinds, before, changed, tookMs }: ServingFacts): string {
  const added = kinds.filter((kind) => !before.includes(kind)).map((kind) => `+${kind}`);
  const gone = before.filter((kind) => !kinds.includes(kind)).map((kind) => `-${kind}`);
  const difference = [...added, ...gone].join(" ");
  const why = changed.length > 0 ? `: ${names(changed)} changed` : "";
  return `Reloaded in ${Math.round(tookMs)} ms${why}${difference === "" ? "" : ` (kinds: ${difference})`}.`;
}

function names(files: readonly string[]): string {
  const shown = files.slice(0, 3).map((file) => relative(process.cwd(), file) || file);
  return files.length > 3 ? `${shown.join(", ")} and ${files.length - 3} more` : shown.join(", ");
}
