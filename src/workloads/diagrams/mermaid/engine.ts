// The real Mermaid in a plain process: our own document and fonts answer what it would ask a browser.

import type { Drawing, Engine, Fault } from "../engine.ts";
import { Typesetter } from "../text/typesetter.ts";
import { Document, type Element } from "./dom/dom.ts";
import { Timers } from "./dom/timers.ts";
import { makeWindow } from "./dom/window.ts";
import { faultOf } from "./fault.ts";
import { Geometry } from "./geometry/geometry.ts";
import { TextStyles } from "./geometry/text-style.ts";
import { purifier } from "./labels.ts";
import { loadMermaid, type Mermaid, mermaidVersion } from "./load.ts";
import { MermaidOptions, mermaidConfig } from "./options.ts";
import { SeededRandom } from "./random.ts";
import { serialise } from "./serialise.ts";

const ID = "diagram";
const WARM_UP = ["flowchart LR\n  a --> b", "sequenceDiagram\n  a->>b: c"];

export class MermaidEngine implements Engine<MermaidOptions> {
  readonly options = MermaidOptions;
  readonly #chance = new SeededRandom();
  #loaded: Promise<Loaded> | undefined;
  #version: string | undefined;
  #configured: string | undefined;

  get version(): string {
    this.#version ??= mermaidVersion();
    return this.#version;
  }

  async warmUp(): Promise<void> {
    for (const source of WARM_UP) await this.render(source, {});
  }

  /** The kinds of diagram that Mermaid knows, by its own names. */
  async kinds(): Promise<string[]> {
    const { mermaid } = await this.#load();
    // Asked for nothing, Mermaid first fills its registry.
    await mermaid.registerExternalDiagrams([]);
    return mermaid.getRegisteredDiagramsMetadata().map(({ id }) => id);
  }

  async render(source: string, options: MermaidOptions): Promise<Drawing | { fault: Fault }> {
    const { document, timers, typesetter } = await this.#load();
    const { darkTheme, ...light } = options;
    const warnings: string[] = [];
    try {
      const svg = await this.#draw(source, light);
      typesetter.takeMissing();
      return { svg, ...sizeOf(svg), warnings };
    } catch (error) {
      if (process.argv.includes("--stack")) process.stderr.write(String((error as Error).stack));
      return { fault: faultOf(error, source) };
    } finally {
      timers.end();
      document.clear();
      void darkTheme;
    }
  }

  async #draw(source: string, options: MermaidOptions): Promise<string> {
    const { mermaid } = await this.#load();
    const config = mermaidConfig(options);
    const key = JSON.stringify(config);
    if (key !== this.#configured) mermaid.initialize(config);
    this.#configured = key;
    this.#chance.restart();
    const { svg } = await mermaid.render(ID, source);
    return svg;
  }

  #load(): Promise<Loaded> {
    this.#loaded ??= load(this.#chance);
    return this.#loaded;
  }
}

interface Loaded {
  readonly mermaid: Mermaid;
  readonly document: Document;
  readonly timers: Timers;
  readonly typesetter: Typesetter;
}

async function load(chance: SeededRandom): Promise<Loaded> {
  const typesetter = await Typesetter.load();
  const document = new Document();
  const timers = new Timers();
  const geometry = new Geometry(new TextStyles(document), typesetter);
  const window = makeWindow(document, geometry, timers, chance);
  const mermaid = loadMermaid(window, {
    purifier,
    serialise: (svg) => serialise(svg as Element),
    random: () => chance.random(),
  });
  return { mermaid, document, timers, typesetter };
}

function sizeOf(svg: string): { width: number; height: number } {
  const [, , , width = "0", height = "0"] =
    /viewBox="([-\d.]+)[ ,]+([-\d.]+)[ ,]+([\d.]+)[ ,]+([\d.]+)"/.exec(svg) ?? [];
  return { width: Number(width), height: Number(height) };
}
