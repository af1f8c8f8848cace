/** One event of a `text/event-stream`. */
export interface ServerEvent {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: string;
}

/** Takes the stream in pieces of any size and gives the events that are complete. */
export class EventParser {
  #rest = "";
  #id: string | undefined;
  #event = "";
  #data: string[] = [];

  push(text: string): ServerEvent[] {
    const events: ServerEvent[] = [];
    // A piece may end between the two characters of a line's end.
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? "";
    for (const line of lines) {
      const event = this.#line(line);
      if (event) events.push(event);
    }
    return events;
  }

  #line(line: string): ServerEvent | undefined {
    if (line === "") return this.#dispatch();
    const [, field, value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === "event") this.#event = value;
    else if (field === "data") this.#data.push(value);
    else if (field === "id" && !value.includes("\0")) this.#id = value;
    return undefined;
  }

  #dispatch(): ServerEvent | undefined {
    const found =
      this.#data.length > 0
        ? { id: this.#id, event: this.#event || "message", data: this.#data.join("\n") }
        : undefined;
    this.#event = "";
    this.#data = [];
    return found;
  }
}
