// The DevTools protocol over two pipes: JSON messages, each ended by a zero byte. No port is opened that others could use.

import type { Readable, Writable } from "node:stream";

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: object;
  readonly sessionId?: string;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** Receives an event of the DevTools protocol: its method, its parameters and the session it belongs to. */
export type Listener = (method: string, params: object, sessionId: string | undefined) => void;

/** Options of a DevTools command. */
export interface AskOptions {
  /** The session that the command is for. Default: the browser itself. */
  readonly sessionId?: string | undefined;
  /** How long to wait for the answer, in milliseconds; after that the browser counts as hung. Default: 30,000. */
  readonly limitMs?: number | undefined;
}

interface PendingCommand {
  readonly done: (answer: Message) => void;
  readonly failed: (error: Error) => void;
}

const ASK_MS = 30_000;

export class DevToolsConnection {
  readonly #out: Writable;
  readonly #onHung: (said: string) => void;
  readonly #waiting = new Map<number, PendingCommand>();
  readonly #listeners = new Set<Listener>();
  #nextId = 1;

  /** `onHung` is called with the name of a question that was not answered in time. */
  constructor(out: Writable, into: Readable, onHung: (said: string) => void) {
    this.#out = out;
    this.#onHung = onHung;
    // The write went to a closed pipe. The end of the process explains it better.
    out.on("error", () => undefined);
    into.on("error", () => undefined);
    this.#read(into);
  }

  /** How many questions have no answer yet. */
  get open(): number {
    return this.#waiting.size;
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async ask<Result>(method: string, params: object, { sessionId, limitMs = ASK_MS }: AskOptions): Promise<Result> {
    const id = this.#nextId++;
    const limit = setTimeout(() => this.#onHung(`It did not answer ${method} within ${limitMs} ms.`), limitMs);
    try {
      const { result, error } = await new Promise<Message>((done, failed) => {
        this.#waiting.set(id, { done, failed });
        const message = { id, method, params, ...(sessionId === undefined ? {} : { sessionId }) };
        this.#out.write(`${JSON.stringify(message)}\0`);
      });
      if (error !== undefined) throw new Error(`${method}: ${error.message}`);
      return result as Result;
    } finally {
      clearTimeout(limit);
      this.#waiting.delete(id);
    }
  }

  /** Fails every open question. */
  end(error: Error): void {
    for (const { failed } of this.#waiting.values()) failed(error);
  }

  #read(pipe: Readable): void {
    let parts: string[] = [];
    pipe.setEncoding("utf8").on("data", (chunk: string) => {
      // Only the new part is searched: a PDF of megabytes comes as one message in many parts.
      const [first = "", ...rest] = chunk.split("\0");
      parts.push(first);
      for (const next of rest) {
        this.#hear(JSON.parse(parts.join("")) as Message);
        parts = [next];
      }
    });
  }

  #hear({ id, method = "", params = {}, sessionId, ...answer }: Message): void {
    if (id !== undefined) this.#waiting.get(id)?.done(answer);
    else for (const listener of this.#listeners) listener(method, params, sessionId);
  }
}
