// One diagram to SVG: our engine in a plain process, beside the same Mermaid in a browser as others run it. Sanitiser and frame are
// part of ours. Each case runs in a fresh process, so `cold` is from nothing to the first drawing.

import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { CommonOptions } from "../../src/api/diagram-options.ts";
import { Chromium } from "../../src/workloads/diagrams/chromium/chromium.ts";
import { findChromium } from "../../src/workloads/diagrams/chromium/find.ts";
import type { Engine } from "../../src/workloads/diagrams/engine.ts";
import { engineOf } from "../../src/workloads/diagrams/engines.ts";
import { renderDiagram } from "../../src/workloads/diagrams/render.ts";
import type { Who } from "../contenders/open.ts";
import { SUBJECTS, type Subject } from "../diagrams/sources.ts";
import { type Case, type Figures, type Measure, percentile } from "../harness.ts";

const WAYS = ["millrace", "warm page", "fresh page", "mermaid-cli"] as const;
type Way = (typeof WAYS)[number];

type Draw = (round: number) => Promise<unknown>;
interface Opened {
  readonly draw: Draw;
  close(): Promise<void>;
}

/** These are ways to draw, not queues that `open` knows. */
const as = (way: Way) => way as string as Who;

export const diagrams: Measure = {
  name: "diagrams",
  title: "One diagram to SVG, each from a source of its own; the browsers draw Mermaid alone",
  unit: "ms",
  rounds: 1,
  cases: ({ quick }) =>
    SUBJECTS.flatMap(({ name: setting, format }, subject) =>
      WAYS.filter((way) => way === "millrace" || format === "mermaid").map((way): Case => {
        // A call of mermaid-cli takes seconds.
        const warm = way === "mermaid-cli" || way === "fresh page" ? (quick ? 1 : 5) : quick ? 10 : 50;
        return {
          who: as(way),
          setting,
          ...(way !== "millrace" && { against: { who: as("millrace"), setting } }),
          with: { subject, warm },
        };
      }),
    ),
  async run(each, dir): Promise<Figures> {
    const { subject: index, warm } = each.with as { subject: number; warm: number };
    const subject = SUBJECTS[index];
    if (subject === undefined) throw new Error("no such diagram");
    const startedAt = performance.now();
    const { draw, close } = await open(each.who as string as Way, subject, dir);
    try {
      await draw(0);
      const cold = performance.now() - startedAt;
      // A compiler that works while the program runs needs some rounds; a fresh page and a call have none to gain.
      if (warm > 5) for (let round = 1; round <= 20; round++) await draw(1000 + round);
      const times: number[] = [];
      for (let round = 1; round <= warm; round++) {
        const from = performance.now();
        await draw(round);
        times.push(performance.now() - from);
      }
      const memoryMb = process.memoryUsage().rss / 2 ** 20;
      return { "p50 ms": percentile(times, 0.5), "p99 ms": percentile(times, 0.99), "cold ms": cold, MB: memoryMb };
    } finally {
      await close();
    }
  },
};

async function open(way: Way, subject: Subject, dir: string): Promise<Opened> {
  switch (way) {
    case "millrace": {
      const engine = (await engineOf(subject.format)) as Engine<CommonOptions>;
      return {
        draw: async (round) => drawn(await renderDiagram(engine, subject.source(round), {})),
        close: async () => {},
      };
    }
    case "warm page": {
      const chromium = await Chromium.start();
      return { draw: (round) => chromium.mermaid(subject.source(round), {}), close: () => chromium.stop() };
    }
    case "fresh page": {
      const chromium = await Chromium.start();
      return { draw: (round) => chromium.mermaidInFreshPage(subject.source(round), {}), close: () => chromium.stop() };
    }
    case "mermaid-cli":
      return { draw: await mermaidCli(subject, dir), close: async () => {} };
  }
}

function drawn(rendered: object): void {
  if ("fault" in rendered) throw new Error(JSON.stringify(rendered.fault));
}

async function mermaidCli(subject: Subject, dir: string): Promise<Draw> {
  const found = await findChromium();
  if (found === undefined) throw new Error("no Chromium");
  const [source, puppeteer] = [join(dir, "in.mmd"), join(dir, "puppeteer.json")];
  writeFileSync(puppeteer, JSON.stringify({ executablePath: found.path, args: ["--no-sandbox", ...found.args] }));
  const main = createRequire(import.meta.url).resolve("@mermaid-js/mermaid-cli");
  const script = join(dirname(main), "cli.js");
  return async (round) => {
    writeFileSync(source, subject.source(round));
    const args = [script, "-q", "-i", source, "-o", join(dir, "out.svg"), "-p", puppeteer];
    await promisify(execFile)("node", args, { env: { ...process.env, ...found.env } });
  };
}
