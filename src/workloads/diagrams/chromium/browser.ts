// A Chromium process and its DevTools protocol, spoken over two pipes: no port is opened that others could speak to, and the
// browser ends by itself when the pipes close, however this process ended.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import type { ChromiumBinary } from "./find.ts";
import { fontConfig } from "./font-config.ts";

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: object;
  readonly sessionId?: string;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

export type Listener = (method: string, params: object, sessionId: string | undefined) => void;

const FOLDER = /^millrace-browser-(\d+)-/;
const ARGS = [
  "--headless=new",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-extensions",
  "--disable-dev-shm-usage",
  // No name leads anywhere, whatever a page asks for.
  "--host-resolver-rules=MAP * ~NOTFOUND",
  "--font-render-hinting=none",
  "--force-device-scale-factor=1",
  "--hide-scrollbars",
  "--disable-renderer-backgrounding",
  "--disable-background-timer-throttling",
  "--remote-debugging-pipe",
];

let count = 0;

/** Nothing is wrong with what it drew: whoever asked may ask again. */
export class ChromiumEnded extends Error {
  override readonly name = "ChromiumEnded";
}

export class Browser {
  readonly #process: ChildProcess;
  readonly #folder: string;
  readonly #waiting = new Map<number, { done(answer: Message): void; failed(error: Error): void }>();
  readonly #listeners = new Set<Listener>();
  #nextId = 1;
  #ended: string | undefined;

  private constructor(process: ChildProcess, folder: string) {
    this.#process = process;
    this.#folder = folder;
    this.#read(process.stdio[4] as Readable);
    let said = "";
    process.stderr?.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(-2000);
    });
    // A write that meets a closed pipe: the end of the process says it better.
    process.stdio[3]?.on("error", () => undefined);
    process.once("error", (error) => this.#end(error.message));
    process.once("exit", () => this.#end(said.trim()));
  }

  static async start({ path, args, env }: ChromiumBinary): Promise<Browser> {
    removeLeftovers();
    const folder = join(tmpdir(), `millrace-browser-${process.pid}-${count++}`);
    mkdirSync(folder, { mode: 0o700 });
    const fonts = join(folder, "fonts.conf");
    writeFileSync(fonts, fontConfig(folder));
    // Chromium's sandbox refuses to work for root.
    const unboxed = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
    const child = spawn(path, [...ARGS, ...unboxed, ...args, `--user-data-dir=${folder}/profile`, "about:blank"], {
      env: { ...env, FONTCONFIG_FILE: fonts, HOME: folder, TMPDIR: folder },
      stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"],
    });
    const browser = new Browser(child, folder);
    process.once("exit", browser.#remove);
    await browser.ask("Browser.getVersion");
    return browser;
  }

  async stop(): Promise<void> {
    if (this.#ended === undefined) {
      this.#keepAlive(true);
      const ended = new Promise((done) => this.#process.once("exit", done));
      this.#process.kill("SIGKILL");
      await ended;
    }
    process.off("exit", this.#remove);
    this.#remove();
  }

  get isRunning(): boolean {
    return this.#ended === undefined;
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async ask<Result>(method: string, params: object = {}, sessionId?: string): Promise<Result> {
    if (this.#ended !== undefined) throw new ChromiumEnded(`Chromium has ended. ${this.#ended}`);
    const id = this.#nextId++;
    this.#keepAlive(true);
    try {
      const { result, error } = await new Promise<Message>((done, failed) => {
        this.#waiting.set(id, { done, failed });
        const message = { id, method, params, ...(sessionId === undefined ? {} : { sessionId }) };
        (this.#process.stdio[3] as Writable).write(`${JSON.stringify(message)}\0`);
      });
      if (error !== undefined) throw new Error(`${method}: ${error.message}`);
      return result as Result;
    } finally {
      this.#waiting.delete(id);
      if (this.#waiting.size === 0) this.#keepAlive(false);
    }
  }

  /** While nothing is asked, a browser at rest does not keep our process from ending. */
  #keepAlive(wanted: boolean): void {
    const what = wanted ? "ref" : "unref";
    for (const each of [this.#process, ...this.#process.stdio.slice(2)])
      (each as { ref?(): void; unref?(): void } | null | undefined)?.[what]?.();
  }

  #read(pipe: Readable): void {
    let text = "";
    pipe.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      for (let end = text.indexOf("\0"); end !== -1; end = text.indexOf("\0")) {
        const message = JSON.parse(text.slice(0, end)) as Message;
        text = text.slice(end + 1);
        if (message.id !== undefined) this.#waiting.get(message.id)?.done(message);
        else
          for (const listener of this.#listeners)
            listener(message.method ?? "", message.params ?? {}, message.sessionId);
      }
    });
    pipe.on("error", () => undefined);
  }

  #end(said: string): void {
    this.#ended ??= said;
    for (const { failed } of this.#waiting.values()) failed(new ChromiumEnded(`Chromium has ended. ${said}`));
  }

  readonly #remove = () => {
    this.#process.kill("SIGKILL");
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  };
}

/** Of processes that were killed before they could clean up. */
function removeLeftovers(): void {
  for (const name of readdirSync(tmpdir())) {
    const [, owner] = FOLDER.exec(name) ?? [];
    if (owner === undefined || isAlive(Number(owner))) continue;
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
    } catch {
      // Another user's.
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
