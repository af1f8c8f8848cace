// Svgbob's WebAssembly needs nothing from outside, so it is started here: the package's own loader can never start it again
// after a failure.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { SvgbobOptions } from "../api/formats/svgbob.ts";
import { isColour } from "../colour.ts";
import type { DiagramEngine, Drawing, Fault } from "../engine.ts";
import { LoadedOnce } from "../loaded-once.ts";
import { packageFolder } from "../package-folder.ts";
import { plainDrawing, WHITE } from "../svg/plain-drawing.ts";

interface Svgbob {
  readonly memory: { readonly buffer: ArrayBuffer };
  render(result: number, source: number, bytes: number): void;
  __wbindgen_add_to_stack_pointer(change: number): number;
  __wbindgen_malloc(bytes: number): number;
  __wbindgen_free(at: number, bytes: number): void;
}

// Both runtimes have it; the types of Node leave it to those of a browser.
declare const WebAssembly: { instantiate(bytes: Uint8Array): Promise<{ instance: { exports: unknown } }> };

export class SvgbobEngine implements DiagramEngine<SvgbobOptions> {
  readonly #svgbob = new LoadedOnce(load);

  async warmUp(): Promise<void> {
    await this.render("-->", {});
  }

  async render(source: string, options: SvgbobOptions): Promise<Drawing | { fault: Fault }> {
    const svgbob = await this.#svgbob.get();
    let svg: string;
    try {
      svg = drawnBy(svgbob, source);
    } catch {
      this.#svgbob.forget();
      return { fault: { message: "Svgbob failed on this diagram." } };
    }
    return plainDrawing(styled(svg, options), { ground: WHITE });
  }
}

async function load(): Promise<Svgbob> {
  const folder = packageFolder("bob-wasm");
  if (folder === undefined) throw new Error('The package "bob-wasm" is not installed. Run: npm install bob-wasm');
  const { instance } = await WebAssembly.instantiate(readFileSync(join(folder.path, "svgbob/svgbob.wasm")));
  return instance.exports as Svgbob;
}

/** The result is written as two numbers: where its bytes are, and how many. */
function drawnBy(svgbob: Svgbob, source: string): string {
  const result = svgbob.__wbindgen_add_to_stack_pointer(-16);
  const bytes = new TextEncoder().encode(source);
  const start = svgbob.__wbindgen_malloc(bytes.length);
  new Uint8Array(svgbob.memory.buffer).set(bytes, start);
  svgbob.render(result, start, bytes.length);
  const [at = 0, length = 0] = new Uint32Array(svgbob.memory.buffer, result, 2);
  const svg = new TextDecoder().decode(new Uint8Array(svgbob.memory.buffer).slice(at, at + length));
  svgbob.__wbindgen_free(at, length);
  svgbob.__wbindgen_add_to_stack_pointer(16);
  return svg;
}

/** Options are values in its stylesheet, which is the same for every drawing. */
function styled(svg: string, { fontFamily, fontSize, strokeWidth, fillColor, strokeColor }: SvgbobOptions): string {
  const end = svg.indexOf("</style>");
  const colour = (text: string | undefined) => (text !== undefined && isColour(text) ? text : undefined);
  const [fill, stroke] = [colour(fillColor), colour(strokeColor)];
  const style = svg
    .slice(0, end)
    .replace("Iosevka Fixed, monospace", fontFamily === undefined ? "monospace" : `${fontFamily}, monospace`)
    .replace("font-size:14px", `font-size:${fontSize ?? 14}px`)
    .replace("stroke-width:2", `stroke-width:${strokeWidth ?? 2}`)
    .replace("stroke:black", `stroke:${stroke ?? "black"}`)
    .replace(".filled{fill:black;}", `.filled{fill:${fill ?? stroke ?? "black"};}`);
  return style + svg.slice(end);
}
