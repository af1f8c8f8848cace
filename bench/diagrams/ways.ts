// The ways to draw that are compared: our engine in a plain process, and the same Mermaid in a browser as others run it.
// Sanitiser and frame are part of ours.

import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { CommonOptions } from "../../packages/diagrams/src/api/options.ts";
import { Chromium } from "../../packages/diagrams/src/chromium/chromium.ts";
import type { DiagramEngine } from "../../packages/diagrams/src/engine.ts";
import { engineOf } from "../../packages/diagrams/src/engines.ts";
import { renderDiagram } from "../../packages/diagrams/src/render.ts";
import { findChromium } from "../../packages/millrace/src/chromium/find.ts";
import type { Subject } from "./sources.ts";

export const WAYS = ["millrace", "warm page", "fresh page", "mermaid-cli"] as const;
export type Way = (typeof WAYS)[number];

type Draw = (subject: Subject, round: number) => Promise<unknown>;

export interface Opened {
  readonly draw: Draw;
  close(): Promise<void>;
}

export async function openWay(way: Way, dir: string): Promise<Opened> {
  switch (way) {
    case "millrace":
      return { draw: drawHere, close: async () => {} };
    case "warm page": {
      const chromium = await Chromium.start();
      return {
        draw: (subject, round) => chromium.mermaid(subject.source(round), {}),
        close: () => chromium.stop(),
      };
    }
    case "fresh page": {
      const chromium = await Chromium.start();
      return {
        draw: (subject, round) => chromium.mermaidInFreshPage(subject.source(round), {}),
        close: () => chromium.stop(),
      };
    }
    case "mermaid-cli":
      return { draw: await mermaidCli(dir), close: async () => {} };
  }
}

async function drawHere({ format, source }: Subject, round: number): Promise<void> {
  const engine = (await engineOf(format)) as DiagramEngine<CommonOptions>;
  const rendered = await renderDiagram(engine, source(round), {});
  if ("fault" in rendered) throw new Error(JSON.stringify(rendered.fault));
}

async function mermaidCli(dir: string): Promise<Draw> {
  const found = await findChromium();
  if (found === undefined) throw new Error("no Chromium");
  const [source, puppeteer] = [join(dir, "in.mmd"), join(dir, "puppeteer.json")];
  writeFileSync(puppeteer, JSON.stringify({ executablePath: found.path, args: ["--no-sandbox"] }));
  const main = createRequire(import.meta.url).resolve("@mermaid-js/mermaid-cli");
  const script = join(dirname(main), "cli.js");
  return async (subject, round) => {
    writeFileSync(source, subject.source(round));
    const args = [script, "-q", "-i", source, "-o", join(dir, "out.svg"), "-p", puppeteer];
    await promisify(execFile)("node", args, { env: { ...process.env, ...found.env } });
  };
}
