import { createRequire } from "node:module";
import type { CommonOptions } from "../api/options.ts";
import type { DiagramEngine, Drawing, Fault } from "../engine.ts";
import { LoadedOnce } from "../loaded-once.ts";
import { el, plainDrawing, svgRoot, WHITE } from "../svg/plain-drawing.ts";
import type { XmlElement } from "../svg/xml.ts";
import { Typesetter } from "../text/typesetter.ts";
import { Track, type Tracks } from "./draw.ts";
import { GrammarError, type Rule } from "./grammar.ts";
import { readGrammar } from "./read.ts";

const TITLE = { family: "Arial", sizePx: 16, weight: 700, italic: false };
const TITLE_PX = 28;
const MARGIN_PX = 10;

interface LoadedTracks {
  readonly tracks: Tracks;
  readonly typesetter: Typesetter;
}

/** Grammars in EBNF as railroad diagrams, one below another with their names. */
export class RailroadEngine implements DiagramEngine<CommonOptions> {
  readonly #loaded = new LoadedOnce<LoadedTracks>(async () => ({
    tracks: createRequire(import.meta.url)("railroad-diagrams") as Tracks,
    typesetter: await Typesetter.load(),
  }));

  async warmUp(): Promise<void> {
    await this.render('a = "b";');
  }

  async render(source: string): Promise<Drawing | { fault: Fault }> {
    let rules: Rule[];
    try {
      rules = readGrammar(source);
    } catch (error) {
      if (!(error instanceof GrammarError)) throw error;
      return { fault: { message: error.message, ...placeOf(source, error.offset) } };
    }
    return plainDrawing(stacked(rules, await this.#loaded.get()), { ground: WHITE });
  }
}

function stacked(rules: readonly Rule[], { tracks, typesetter }: LoadedTracks): XmlElement {
  const parts: XmlElement[] = [];
  let y = MARGIN_PX;
  let widest = 0;
  for (const { name, expression } of rules) {
    const track = new Track(expression, tracks, typesetter);
    const text = { x: MARGIN_PX, y: y + TITLE.sizePx, "font-family": TITLE.family, "font-size": TITLE.sizePx };
    parts.push(el("text", { ...text, "font-weight": TITLE.weight, fill: "#222" }, name));
    parts.push(el("g", { transform: `translate(${MARGIN_PX} ${y + TITLE_PX})` }, track.drawing));
    y += TITLE_PX + track.height + MARGIN_PX;
    widest = Math.max(widest, track.width, typesetter.widthPx(name, TITLE));
  }
  return svgRoot(Math.ceil(widest + 2 * MARGIN_PX), Math.ceil(y), ...parts);
}

function placeOf(source: string, offset: number): { line: number; column: number } {
  const before = source.slice(0, offset);
  return { line: before.split("\n").length, column: offset - before.lastIndexOf("\n") };
}
