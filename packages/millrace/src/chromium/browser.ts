// A Chromium process. It ends by itself when its pipes close, however this process ended; a browser that hangs is killed.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { type AskOptions, DevToolsConnection, type Listener } from "./connection.ts";
import type { ChromiumBinary } from "./find.ts";
import { removeLeftovers } from "./leftovers.ts";

/** Options of `Browser.start()`. */
export interface BrowserOptions {
  /** The content of a fontconfig file; `cache` is a folder for its cache. Default: the system's own. */
  readonly fontConfig?: ((cache: string) => string) | undefined;
  /** Kills the browser when it is aborted. Default: none. */
  readonly signal?: AbortSignal | undefined;
  /**
   * True: the browser gets its own process group, which is killed as a whole. False suits a child process that is
   * itself killed by its group. Default: false.
   */
  readonly ownGroup?: boolean;
}

const STOPPED = "It was stopped.";
const PREFIX = "millrace-browser";
// A browser starts within 0.1 s on a quiet machine.
const START_MS = 60_000;
const CLOSE_MS = 500;
const STOP_MS = 5_000;
const ARGS = [
  "--headless=new",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-extensions",
  "--disable-dev-shm-usage",
  // No host name resolves, whatever a page asks for.
  "--host-resolver-rules=MAP * ~NOTFOUND",
  "--font-render-hinting=none",
  "--force-device-scale-factor=1",
  "--hide-scrollbars",
  "--disable-renderer-backgrounding",
  "--disable-background-timer-throttling",
  "--remote-debugging-pipe",
];

let count = 0;

/** The browser ended or was killed. Its work is not at fault and can be tried again. */
export class ChromiumEnded extends Error {
  /** The name of the error. */
  override readonly name = "ChromiumEnded";
}

/** A Chromium process without a network. It ends when this process ends; a browser that hangs is killed. */
export class Browser {
  readonly #process: ChildProcess;
  readonly #folder: string;
  readonly #ownGroup: boolean;
  readonly #connection: DevToolsConnection;
  readonly #exited: Promise<void>;
  #ended: string | undefined;

  private constructor(process: ChildProcess, folder: string, ownGroup: boolean) {
    this.#process = process;
    this.#folder = folder;
    this.#ownGroup = ownGroup;
    const [, , stderr, out, into] = process.stdio;
    this.#connection = new DevToolsConnection(out as Writable, into as Readable, (said) => this.#end(said));
    let said = "";
    (stderr as Readable).setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(-2000);
    });
    this.#exited = new Promise((resolve) => {
      const exited = () => {
        this.#end(said.trim());
        resolve();
      };
      process.once("close", exited);
      // A helper process may hold the pipes for longer; by then all that matters was read.
      process.once("exit", () => setTimeout(exited, CLOSE_MS));
    });
  }

  /** Starts a browser in its sandbox, or without one where the machine permits none. */
  static async start(binary: ChromiumBinary, options: BrowserOptions = {}): Promise<Browser> {
    // Chromium refuses to run as root with its sandbox.
    if (process.getuid?.() === 0) return await Browser.#launch(binary, options, ["--no-sandbox"]);
    try {
      return await Browser.#launch(binary, options, []);
    } catch (error) {
      // Containers and some distributions forbid the user namespaces that the sandbox is made of.
      if (!(error instanceof ChromiumEnded && /No usable sandbox|sandbox_host_linux|zygote_host/.test(error.message)))
        throw error;
      return await Browser.#launch(binary, options, ["--no-sandbox"]);
    }
  }

  static async #launch(binary: ChromiumBinary, options: BrowserOptions, args: readonly string[]): Promise<Browser> {
    const { fontConfig, signal, ownGroup = false } = options;
    signal?.throwIfAborted();
    removeLeftovers(join(tmpdir(), PREFIX));
    const folder = join(tmpdir(), `${PREFIX}-${process.pid}-${count++}`);
    mkdirSync(folder, { mode: 0o700 });
    const fonts = fontConfig && { FONTCONFIG_FILE: join(folder, "fonts.conf") };
    if (fonts) writeFileSync(fonts.FONTCONFIG_FILE, fontConfig(folder));
    const child = spawn(binary.path, [...ARGS, ...args, `--user-data-dir=${folder}/profile`, "about:blank"], {
      env: { ...binary.env, ...fonts, HOME: folder, TMPDIR: folder },
      stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"],
      detached: ownGroup,
    });
    if (child.pid === undefined) {
      const [error] = (await once(child, "error")) as [Error];
      rmSync(folder, { recursive: true, force: true });
      throw new ChromiumEnded(`Chromium could not be started. ${error.message}`);
    }
    const browser = new Browser(child, folder, ownGroup);
    process.once("exit", browser.#remove);
    signal?.addEventListener("abort", browser.#abort, { once: true });
    void browser.#exited.then(() => signal?.removeEventListener("abort", browser.#abort));
    try {
      await browser.ask("Browser.getVersion", {}, { limitMs: START_MS });
      return browser;
    } catch (error) {
      await browser.stop();
      throw error;
    }
  }

  /** Kills the browser and removes its folder. */
  async stop(): Promise<void> {
    this.#keepAlive(true);
    this.#end(STOPPED);
    // A killed process always ends, but on a starved machine the runtime may hear of it late or not at all.
    await within(STOP_MS, this.#exited);
    process.off("exit", this.#remove);
    this.#remove();
  }

  /** Whether the browser runs. */
  get isRunning(): boolean {
    return this.#ended === undefined;
  }

  /** Calls the listener for every event of the DevTools protocol. Call the returned function to stop. */
  listen(listener: Listener): () => void {
    return this.#connection.listen(listener);
  }

  /**
   * Sends a command of the DevTools protocol and returns its result. Throws `ChromiumEnded` if the browser has ended.
   */
  async ask<Result>(method: string, params: object = {}, options: AskOptions = {}): Promise<Result> {
    if (this.#ended !== undefined) throw this.#error(this.#ended);
    this.#keepAlive(true);
    try {
      return await this.#connection.ask<Result>(method, params, options);
    } finally {
      if (this.#connection.open === 0) this.#keepAlive(false);
    }
  }

  /** A browser without open questions does not keep this process from ending. */
  #keepAlive(wanted: boolean): void {
    const what = wanted ? "ref" : "unref";
    for (const each of [this.#process, ...this.#process.stdio.slice(2)])
      (each as { ref?(): void; unref?(): void } | null | undefined)?.[what]?.();
  }

  #end(said: string): void {
    if (this.#ended !== undefined) return;
    this.#ended = said;
    this.#kill();
    this.#connection.end(this.#error(said));
  }

  #error(said: string): ChromiumEnded {
    return new ChromiumEnded(`Chromium has ended. ${said}`);
  }

  readonly #abort = (): void => this.#end(STOPPED);

  /** Called once: a process id may belong to another process later. */
  #kill(): void {
    try {
      if (this.#ownGroup) process.kill(-(this.#process.pid as number), "SIGKILL");
    } catch {
      // No process of the group is left.
    }
    this.#process.kill("SIGKILL");
  }

  readonly #remove = () => {
    this.#end(STOPPED);
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  };
}

/** Waits for something, but no longer than this. */
async function within(limitMs: number, what: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, limitMs);
  await Promise.race([what, late.promise]);
  clearTimeout(timer);
}
