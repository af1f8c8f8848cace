// Vega and Vega-Lite. Their data is in the source: the loader refuses every file and every address. Chance comes from a seed,
// and texts are measured with our fonts.

import type { View } from "vega";
import type { CommonOptions } from "../api/options.ts";
import type { DiagramEngine, Drawing, Fault } from "../engine.ts";
import { LoadedOnce } from "../loaded-once.ts";
import { plainDrawing } from "../svg/plain-drawing.ts";
import { fontFromCss } from "../text/css-font.ts";
import { Typesetter } from "../text/typesetter.ts";
import { jsonFault } from "./json-fault.ts";
import { closedLoader, type RefusedAddress } from "./loader.ts";

/** The types leave out what sets chance and how texts are measured. */
type Vega = typeof import("vega") & {
  setRandom(random: () => number): void;
  randomLCG(seed: number): () => number;
  readonly textMetrics: { width: (item: TextItem, text: unknown) => number };
};
type VegaLite = typeof import("vega-lite");
type Language = "vega" | "vegalite";

interface TextItem {
  readonly font?: string;
  readonly fontSize?: number;
  readonly fontStyle?: string;
  readonly fontWeight?: string | number;
}

const SEED = 7;
const WHITE = { light: "white" };
const SAMPLES = {
  vega: '{"width": 9, "height": 9, "marks": [{"type": "text", "encode": {"enter": {"text": {"value": "a"}}}}]}',
  vegalite: '{"data": {"values": [{"a": 1}]}, "mark": "bar", "encoding": {"x": {"field": "a"}}}',
};

export class VegaEngine implements DiagramEngine<CommonOptions> {
  readonly #language: Language;
  readonly #vega = new LoadedOnce(loadVega);
  readonly #vegaLite = new LoadedOnce<VegaLite>(() => import("vega-lite"));

  constructor(language: Language) {
    this.#language = language;
  }

  async warmUp(): Promise<void> {
    await this.render(SAMPLES[this.#language]);
  }

  async render(source: string): Promise<Drawing | { fault: Fault }> {
    let spec: unknown;
    try {
      spec = JSON.parse(source);
    } catch {
      return { fault: jsonFault(source) };
    }
    if (typeof spec !== "object" || spec === null || Array.isArray(spec))
      return { fault: { message: "A specification is a JSON object." } };
    const vega = await this.#vega.get();
    const warnings: string[] = [];
    const drawn = await this.#draw(vega, spec, warnings);
    if (typeof drawn !== "string") return { fault: drawn };
    return plainDrawing(drawn, { ground: WHITE, warnings: [...new Set(warnings)] });
  }

  async #draw(vega: Vega, spec: object, warnings: string[]): Promise<string | Fault> {
    const refused: RefusedAddress[] = [];
    const said = { warnings: [] as string[], errors: [] as unknown[] };
    const logger = quietLogger(vega, said);
    let view: View | undefined;
    vega.setRandom(vega.randomLCG(SEED));
    try {
      const asVega =
        this.#language === "vegalite" ? (await this.#vegaLite.get()).compile(spec as never, { logger }).spec : spec;
      const runtime = vega.parse(asVega as never, {}, { ast: false });
      const loader = closedLoader(refused);
      view = new vega.View(runtime, { renderer: "none", loader: loader as never, logger });
      const svg = await view.toSVG();
      const [first] = refused;
      if (first !== undefined) return { message: first.message };
      return said.errors.length === 0 ? svg : { message: sentenceOf(said.errors[0]) };
    } catch (error) {
      return { message: refused[0]?.message ?? sentenceOf(error) };
    } finally {
      view?.finalize();
      warnings.push(...said.warnings);
    }
  }
}

async function loadVega(): Promise<Vega> {
  const [loaded, typesetter] = await Promise.all([import("vega"), Typesetter.load()]);
  const vega = loaded as unknown as Vega;
  vega.textMetrics.width = (item, given) => {
    const text = given === null || given === undefined ? "" : String(given);
    const { font = "sans-serif", fontSize = 11, fontStyle = "", fontWeight = "" } = item;
    return typesetter.widthPx(text, fontFromCss(`${fontStyle} ${fontWeight} ${fontSize}px ${font}`));
  };
  return vega;
}

/** Vega would write to the console. */
function quietLogger(vega: Vega, said: { warnings: string[]; errors: unknown[] }) {
  const logger = vega.logger(vega.Warn);
  const isRefusal = (text: string) => /RefusedAddress|Loading failed/.test(text);
  const warn = (...parts: readonly unknown[]) => {
    const text = parts.map(String).join(" ");
    // A refusal of the loader has a sentence of its own.
    if (!isRefusal(text)) said.warnings.push(text);
    return logger;
  };
  const error = (...parts: readonly unknown[]) => {
    if (!parts.some((part) => isRefusal(String(part)))) said.errors.push(parts[0]);
    return logger;
  };
  return Object.assign(logger, { warn, error, info: () => logger, debug: () => logger });
}

function sentenceOf(error: unknown): string {
  if (error instanceof RangeError) return "This specification is nested too deeply, or asks for too much.";
  const message = error instanceof Error ? error.message : String(error);
  const isInternal = /\b(?:undefined|null|function|iterable|constructor|properties|prototype)\b/.test(message);
  if (isInternal || message === "")
    return "This specification is not valid: a property is missing or has the wrong type.";
  return message.endsWith(".") ? message : `${message}.`;
}
