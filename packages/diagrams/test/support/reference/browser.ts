// The Chromium that drawings are compared in and with: Mermaid as its package ships it, with its defaults and our fonts.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Page } from "../../../../millrace/src/chromium/page.ts";
import { Chromium } from "../../../src/chromium/chromium.ts";

/** A letter, what stands before it, its left, top, width and height, and whether it belongs to an edge's label. */
export type Letter = readonly [string, "label" | "space" | "", number, number, number, number, 0 | 1];

export interface Letters {
  readonly width: number;
  readonly height: number;
  readonly letters: readonly Letter[];
}

export type Box = readonly [x: number, y: number, width: number, height: number];

const LIMIT_MS = 60_000;

export class ReferenceBrowser {
  readonly #chromium: Chromium;
  #page: Page;

  private constructor(chromium: Chromium, page: Page) {
    this.#chromium = chromium;
    this.#page = page;
  }

  static async start(): Promise<ReferenceBrowser> {
    const chromium = await Chromium.start();
    return new ReferenceBrowser(chromium, await openPage(chromium));
  }

  /** Undefined for what Mermaid refuses; a source that takes over a minute gets no reference either. */
  async mermaid(source: string): Promise<string | undefined> {
    try {
      const drawn = await this.#call<{ svg?: string }>("drawByDefaults", source);
      return drawn.svg;
    } catch {
      await this.#page.close().catch(() => undefined);
      this.#page = await openPage(this.#chromium);
      return undefined;
    }
  }

  lettersOf(svg: string): Promise<Letters> {
    return this.#call("lettersOf", svg);
  }

  linesThrough(svg: string, boxes: readonly Box[]): Promise<number> {
    return this.#call("linesThrough", svg, boxes);
  }

  ink(one: Uint8Array, other: Uint8Array): Promise<number> {
    const [a, b] = [one, other].map((png) => Buffer.from(png).toString("base64"));
    return this.#call("inkBetween", a, b);
  }

  picture(svg: string, width: number, height: number): Promise<Uint8Array> {
    return this.#chromium.picture(svg, Math.max(1, Math.round(width)), Math.max(1, Math.round(height)));
  }

  stop(): Promise<void> {
    return this.#chromium.stop();
  }

  #call<Result>(name: string, ...given: unknown[]): Promise<Result> {
    const list = given.map((each) => JSON.stringify(each)).join(",");
    return this.#page.evaluate<Result>(`inPage.${name}(${list})`, { limitMs: LIMIT_MS });
  }
}

async function openPage(chromium: Chromium): Promise<Page> {
  const page = await Page.open(chromium.browser);
  const size = { width: 800, height: 600, deviceScaleFactor: 1, mobile: false };
  await page.ask("Emulation.setDeviceMetricsOverride", size);
  // With a document type, as the pages that show diagrams have.
  const { frameTree } = await page.ask<{ frameTree: { frame: { id: string } } }>("Page.getFrameTree");
  await page.ask("Page.setDocumentContent", { frameId: frameTree.frame.id, html: "<!doctype html><title>.</title>" });
  const file = createRequire(import.meta.url).resolve("mermaid/dist/mermaid.js");
  await page.evaluate(`${readFileSync(file, "utf8")}\n1`);
  await page.evaluate(`${readFileSync(new URL("./in-page.js", import.meta.url), "utf8")}
    document.body.style.margin = "0";
    document.documentElement.style.textRendering = "geometricPrecision";
    1`);
  return page;
}
