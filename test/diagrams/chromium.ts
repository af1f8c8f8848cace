// Mermaid in a real Chromium, for comparison: same configuration, same fonts, same chance.

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { mermaidConfig } from "../../src/workloads/diagrams/mermaid/options.ts";
import { findFonts } from "../../src/workloads/diagrams/text/fonts.ts";

const PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/opt/google/chrome/chrome",
];

export function findChromium(): string | undefined {
  return [process.env["CHROMIUM"] ?? "", ...PLACES].find((path) => path !== "" && existsSync(path));
}

export class Chromium {
  readonly #process: ChildProcess;
  readonly #folder: string;
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (answer: { result?: unknown; error?: { message: string } }) => void>();
  #session = "";
  #nextId = 1;

  private constructor(process: ChildProcess, folder: string, socket: WebSocket) {
    this.#process = process;
    this.#folder = folder;
    this.#socket = socket;
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(String(data)) as { id?: number; result?: unknown; error?: { message: string } };
      if (message.id === undefined) return;
      this.#waiting.get(message.id)?.(message);
      this.#waiting.delete(message.id);
    };
  }

  static async start(path: string): Promise<Chromium> {
    const folder = mkdtempSync(join(tmpdir(), "millrace-chromium-"));
    writeFileSync(join(folder, "fonts.conf"), fontConfig(folder));
    const child = spawn(
      path,
      [
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--no-first-run",
        "--disable-background-networking",
        "--font-render-hinting=none",
        "--force-device-scale-factor=1",
        "--window-size=800,600",
        `--user-data-dir=${folder}`,
        "--remote-debugging-port=0",
        "about:blank",
      ],
      {
        env: { ...process.env, FONTCONFIG_FILE: join(folder, "fonts.conf"), HOME: folder },
        stdio: ["ignore", "ignore", "pipe"],
      },
    );
    const url = await new Promise<string>((found, failed) => {
      let text = "";
      child.stderr?.on("data", (chunk) => {
        text += chunk;
        const [, address] = /DevTools listening on (\S+)/.exec(text) ?? [];
        if (address !== undefined) found(address);
      });
      child.once("exit", () => failed(new Error(`Chromium ended: ${text}`)));
    });
    const socket = new WebSocket(url);
    await new Promise((opened) => {
      socket.onopen = opened;
    });
    const chromium = new Chromium(child, folder, socket);
    await chromium.#open();
    return chromium;
  }

  async stop(): Promise<void> {
    this.#socket.close();
    const ended = new Promise((done) => this.#process.once("exit", done));
    this.#process.kill("SIGKILL");
    await ended;
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** The SVG, or what Mermaid said against it. */
  async render(source: string): Promise<{ svg: string } | { error: string }> {
    const config = JSON.stringify(mermaidConfig({}));
    return (await this.evaluate(`(async () => {
      document.body.innerHTML = "";
      let state = 0x9e3779b9;
      Math.random = () => {
        state = (state + 0x6d2b79f5) | 0;
        let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
        mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
        return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
      };
      mermaid.initialize(${config});
      try {
        const { svg } = await mermaid.render("diagram", ${JSON.stringify(source)});
        const holder = document.createElement("div");
        holder.innerHTML = svg;
        return { svg: new XMLSerializer().serializeToString(holder.firstElementChild) };
      } catch (error) {
        return { error: String(error.message ?? error) };
      }
    })()`)) as { svg: string } | { error: string };
  }

  /** How Chromium draws a finished SVG, as a PNG. */
  async screenshot(svg: string, width: number, height: number): Promise<Uint8Array> {
    await this.evaluate(`document.body.innerHTML = ${JSON.stringify(svg)}; 1`);
    const clip = { x: 0, y: 0, width, height, scale: 1 };
    const shot = await this.#ask("Page.captureScreenshot", { format: "png", clip, captureBeyondViewport: true });
    return Buffer.from((shot as { data: string }).data, "base64");
  }

  async evaluate(expression: string): Promise<unknown> {
    const answer = (await this.#ask("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true })) as {
      result: { value: unknown };
      exceptionDetails?: { text: string; exception?: { description?: string } };
    };
    if (answer.exceptionDetails !== undefined)
      throw new Error(answer.exceptionDetails.exception?.description ?? answer.exceptionDetails.text);
    return answer.result.value;
  }

  async #open(): Promise<void> {
    const { targetInfos } = (await this.#ask("Target.getTargets", {})) as {
      targetInfos: { type: string; targetId: string }[];
    };
    const page = targetInfos.find(({ type }) => type === "page");
    const attached = await this.#ask("Target.attachToTarget", { targetId: page?.targetId, flatten: true });
    this.#session = (attached as { sessionId: string }).sessionId;
    await this.#ask("Emulation.setDeviceMetricsOverride", {
      width: 800,
      height: 600,
      deviceScaleFactor: 1,
      mobile: false,
    });
    const folder = dirname(createRequire(import.meta.url).resolve("mermaid/package.json"));
    await this.evaluate(readFileSync(join(folder, "dist/mermaid.min.js"), "utf8"));
    await this.evaluate(
      "document.body.style.margin = '0'; document.documentElement.style.overflow = 'hidden'; document.documentElement.style.textRendering = 'geometricPrecision'; 1",
    );
  }

  async #ask(method: string, params: object): Promise<unknown> {
    const id = this.#nextId++;
    const answer = new Promise<{ result?: unknown; error?: { message: string } }>((done) =>
      this.#waiting.set(id, done),
    );
    this.#socket.send(
      JSON.stringify({ id, method, params, ...(this.#session === "" ? {} : { sessionId: this.#session }) }),
    );
    const { result, error } = await answer;
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  }
}

function fontConfig(cache: string): string {
  const folders = [...new Set(findFonts().files.map(({ path }) => dirname(path)))];
  const alias = (from: string, to: string) =>
    `<match target="pattern"><test name="family"><string>${from}</string></test><edit name="family" mode="assign" binding="same"><string>${to}</string></edit></match>`;
  return `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
${folders.map((folder) => `<dir>${folder}</dir>`).join("\n")}
<cachedir>${cache}/fontcache</cachedir>
${["sans-serif", "serif", "Arial", "Helvetica", "Times New Roman", "trebuchet ms", "verdana"].map((name) => alias(name, "Arimo")).join("\n")}
${["monospace", "Courier New"].map((name) => alias(name, "Cousine")).join("\n")}
</fontconfig>`;
}
