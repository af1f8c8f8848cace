import { createRequire } from "node:module";
import type { CommonOptions } from "../api/options.ts";
import type { DiagramEngine, Drawing, Fault } from "../engine.ts";
import { LoadedOnce } from "../loaded-once.ts";
import { plainDrawing, WHITE } from "../svg/plain-drawing.ts";
import { fontFromCss } from "../text/css-font.ts";
import { Typesetter } from "../text/typesetter.ts";

interface Nomnoml {
  renderSvg(source: string, document: unknown): string;
}

interface LoadedNomnoml {
  readonly nomnoml: Nomnoml;
  /** As much of a browser's document as measuring texts needs. */
  readonly document: unknown;
}

export class NomnomlEngine implements DiagramEngine<CommonOptions> {
  readonly #loaded = new LoadedOnce(load);

  async warmUp(): Promise<void> {
    await this.render("[a]->[b]");
  }

  async render(source: string): Promise<Drawing | { fault: Fault }> {
    const { nomnoml, document } = await this.#loaded.get();
    let svg: string;
    try {
      svg = nomnoml.renderSvg(source, document);
    } catch (error) {
      return { fault: faultOf(error) };
    }
    return plainDrawing(svg, { ground: WHITE });
  }
}

async function load(): Promise<LoadedNomnoml> {
  const typesetter = await Typesetter.load();
  const context = {
    font: "",
    measureText(text: string) {
      typesetter.noteMissing(text);
      return { width: typesetter.widthPx(text, fontFromCss(this.font)) };
    },
  };
  const nomnoml = createRequire(import.meta.url)("nomnoml") as Nomnoml;
  return { nomnoml, document: { createElement: () => ({ getContext: () => context }) } };
}

/** `Parse error at line 3 column 1, expected "]" but got end of file`. */
function faultOf(error: unknown): Fault {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof RangeError) return { message: "This diagram is nested too deeply." };
  const [, line, column, rest] = /^Parse error at line (\d+) column (\d+), ([\s\S]*)$/.exec(message) ?? [];
  if (line === undefined || rest === undefined)
    return { message: "nomnoml could not draw this diagram. A value of a directive may not be valid." };
  const sentence = rest.replace(/^e/, "E").replace(/\s+/g, " ");
  return { message: `${sentence}.`, line: Number(line), column: Number(column) };
}
