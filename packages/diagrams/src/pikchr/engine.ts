import { createRequire } from "node:module";
import type { CommonOptions } from "../api/options.ts";
import type { DiagramEngine, Drawing, Fault } from "../engine.ts";
import { LoadedOnce } from "../loaded-once.ts";
import { plainDrawing, WHITE } from "../svg/plain-drawing.ts";

interface Pikchr {
  /** A width below 0 means that `svg` says what is wrong. */
  render(source: string, className: string, flags: number): { svg: string; width: number; height: number };
  readonly flags: { readonly PLAINTEXT_ERRORS: number };
}

export class PikchrEngine implements DiagramEngine<CommonOptions> {
  readonly #pikchr = new LoadedOnce(() => (createRequire(import.meta.url)("pikchr-js") as () => Promise<Pikchr>)());

  async warmUp(): Promise<void> {
    await this.render("box");
  }

  async render(source: string): Promise<Drawing | { fault: Fault }> {
    const pikchr = await this.#pikchr.get();
    let drawn: ReturnType<Pikchr["render"]>;
    try {
      drawn = pikchr.render(source, "pikchr", pikchr.flags.PLAINTEXT_ERRORS);
    } catch {
      // WebAssembly that failed once goes on failing.
      this.#pikchr.forget();
      return { fault: { message: "Pikchr failed on this diagram. It may be nested too deeply." } };
    }
    const { svg, width } = drawn;
    if (width < 0) return { fault: faultOf(svg) };
    if (width === 0) return { fault: { message: "This diagram draws nothing." } };
    return plainDrawing(svg, { ground: WHITE });
  }
}

/**
 * The line of the fault with its number, spaces and carets below it, and the sentence. A fault in a macro lists where it was
 * called as well; the first place is that of the fault.
 */
function faultOf(told: string): Fault {
  const lines = told.split("\n");
  const sentence = lines.find((line) => line.startsWith("ERROR:"))?.slice("ERROR:".length) ?? " This cannot be drawn";
  const marks = lines.findIndex((line) => /^\s+\^+\s*$/.test(line));
  const [prefix, number] = /^\/\*\s*(\d+)\s*\*\/ {2}/.exec(lines[marks - 1] ?? "") ?? [];
  const message = `${sentence.trim().replace(/^./, (letter) => letter.toUpperCase())}.`;
  if (prefix === undefined) return { message };
  return { message, line: Number(number), column: (lines[marks]?.indexOf("^") ?? 0) - prefix.length + 1 };
}
