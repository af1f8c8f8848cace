// Prints reports as PDF in a Chromium that is started for each one: it starts in a tenth of a second, and a browser kept
// between two prints would cost a few hundred megabytes.

import { AppError } from "millrace";
import { Browser, type ChromiumBinary, ChromiumEnded, INSTALL_HINT, Page } from "millrace/chromium";

export interface PrinterOptions {
  readonly findBrowser: () => Promise<ChromiumBinary | undefined>;
  /** The content of a fontconfig file. Default: the system's own. */
  readonly fontConfig?: (cache: string) => string;
  /** For one PDF, with the wait for those before it. */
  readonly limitMs: number;
}

export class Printer {
  readonly #options: PrinterOptions;
  // One browser at a time, for the sake of memory.
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: PrinterOptions) {
    this.#options = options;
  }

  /** Prints a page that needs nothing else: it has no network, and no script runs. */
  async print(html: string): Promise<Uint8Array<ArrayBuffer>> {
    const { limitMs } = this.#options;
    const limit = AbortSignal.timeout(limitMs);
    const printed = this.#last.then(() => this.#printNow(html, limit));
    this.#last = printed.catch(() => undefined);
    try {
      return await inTime(printed, limit);
    } catch (error) {
      if (limit.aborted) throw timedOut(limitMs, error);
      throw error;
    }
  }

  async #printNow(html: string, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    signal.throwIfAborted();
    const binary = await this.#find();
    try {
      const { fontConfig } = this.#options;
      const browser = await Browser.start(binary, { fontConfig, signal, ownGroup: true });
      try {
        return await (await Page.open(browser)).print(html);
      } finally {
        await browser.stop();
      }
    } catch (error) {
      throw error instanceof ChromiumEnded ? broken(binary.path, error) : error;
    }
  }

  async #find(): Promise<ChromiumBinary> {
    const { findBrowser } = this.#options;
    const binary = await findBrowser().catch((error: unknown) => {
      throw broken("The npm package @sparticuz/chromium", error);
    });
    if (binary !== undefined) return binary;
    throw new AppError("no-browser", "Printing a PDF needs a Chromium on the server, and none was found.", {
      hint: `${INSTALL_HINT} Or print the HTML report from your own browser.`,
    });
  }
}

function broken(what: string, cause: unknown): AppError {
  const why = cause instanceof Error ? (cause.message.trim().split("\n").at(-1) ?? "").slice(-300) : String(cause);
  return new AppError("no-browser", `${what} could not print the report: ${why}`, { hint: INSTALL_HINT, cause });
}

function timedOut(limitMs: number, cause: unknown): AppError {
  return new AppError("print-timeout", `The browser did not print the report within ${limitMs} ms.`, {
    hint: `Try again when the server is less busy, or raise PDF_TIMEOUT_MS. If it never prints: ${INSTALL_HINT}`,
    cause,
  });
}

/** Unpacking a browser goes on after the limit, so that the next request finds it. */
function inTime<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}
