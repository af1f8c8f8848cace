import type { JobLog } from "../../job/context.ts";
import { AppError } from "../../lib/app-error.ts";
import type { LogLine, Note } from "../../store/verbs/attempts.ts";
import type { AttemptLease } from "./attempt-lease.ts";
import type { AttemptPort } from "./port.ts";

const WRITE_EVERY_MS = 1_000;
const MAX_LOG_CHARS = 8_000;
const MAX_MESSAGE_CHARS = 500;
const MAX_LINES_WAITING = 1_000;

type GatheredNote = Note & { logs: LogLine[] };

/** The progress and log lines of one attempt. They are gathered and written at most once a second. */
export class Notes {
  readonly log: JobLog = {
    debug: (message, data) => this.#line("debug", message, data),
    info: (message, data) => this.#line("info", message, data),
    warn: (message, data) => this.#line("warn", message, data),
    error: (message, data) => this.#line("error", message, data),
  };
  readonly #lease: AttemptLease;
  readonly #port: AttemptPort;
  #gathered: GatheredNote | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(lease: AttemptLease, port: AttemptPort) {
    this.#lease = lease;
    this.#port = port;
    lease.onLost(() => this.drain());
  }

  progress(value: number, message?: string): void {
    if (!(value >= 0 && value <= 1))
      throw new AppError("invalid-request", `Progress must be a number from 0 to 1, not ${value}.`);
    this.#note().progress = message === undefined ? { value } : { value, message: message.slice(0, MAX_MESSAGE_CHARS) };
  }

  /** Returns what is not written yet. The caller writes it with the outcome, or drops it. */
  drain(): Note | undefined {
    clearTimeout(this.#timer);
    const note = this.#gathered;
    this.#gathered = undefined;
    return note;
  }

  #line(level: LogLine["level"], message: string, data?: Record<string, unknown>): void {
    const { logs } = this.#note();
    if (logs.length >= MAX_LINES_WAITING) return;
    const line: LogLine = { at: Date.now(), level, message: String(message).slice(0, MAX_LOG_CHARS) };
    if (data !== undefined) line.data = clippedJson(data);
    logs.push(line);
  }

  #note(): GatheredNote {
    if (!this.#gathered) {
      this.#gathered = { logs: [] };
      if (!this.#lease.lost) this.#timer = setTimeout(() => this.#write(), WRITE_EVERY_MS);
    }
    return this.#gathered;
  }

  #write(): void {
    const note = this.drain();
    if (!note) return;
    this.#port.note(note).then(
      (written) => {
        if (written === "lease-lost") this.#lease.lose("lease-lost");
      },
      // Notes are worth less than the work. A store in trouble shows at the next step or at the settle.
      () => {},
    );
  }
}

function clippedJson(data: Record<string, unknown>): string {
  try {
    const text = JSON.stringify(data) ?? "null";
    return text.length > MAX_LOG_CHARS ? JSON.stringify({ clipped: text.slice(0, MAX_LOG_CHARS) }) : text;
  } catch {
    return JSON.stringify({ unserialisable: true });
  }
}
