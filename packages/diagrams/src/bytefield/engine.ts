// A bytefield diagram is a program in a small Clojure: it can call nothing of JavaScript, and one that never ends meets the
// deadline of its renderer.

import { createRequire } from "node:module";
import type { CommonOptions } from "../api/options.ts";
import type { DiagramEngine, Drawing, Fault } from "../engine.ts";
import { LoadedOnce } from "../loaded-once.ts";
import { plainDrawing, WHITE } from "../svg/plain-drawing.ts";

type Generate = (source: string) => string;

export class BytefieldEngine implements DiagramEngine<CommonOptions> {
  readonly #generate = new LoadedOnce(async () => createRequire(import.meta.url)("bytefield-svg") as Generate);

  async warmUp(): Promise<void> {
    await this.render('(draw-box "a")');
  }

  async render(source: string): Promise<Drawing | { fault: Fault }> {
    const generate = await this.#generate.get();
    let svg: string;
    try {
      svg = generate(source);
    } catch (error) {
      return { fault: faultOf(error) };
    }
    return plainDrawing(svg, { ground: WHITE });
  }
}

/** `EOF while reading, expected ) to match ( at [1,1] [at line 2, column 30]`. */
function faultOf(error: unknown): Fault {
  if (error instanceof RangeError) return { message: "This diagram is nested too deeply." };
  const told = error instanceof Error ? error.message : String(error);
  const [, line, column] = /\[at (?:line )?(\d+)[:,]\s*(?:column )?(\d+)\]/.exec(told) ?? [];
  const [sentence = ""] = told.replace(/\s*\[at [^\]]*\]/g, "").split("\n");
  const isInternal = /\$|undefined|null pointer|is not a function|cljs|sci\./i.test(sentence);
  const message = isInternal || sentence === "" ? "This expression cannot be evaluated." : `${sentence}.`;
  return { message, ...(line !== undefined && { line: Number(line), column: Number(column) }) };
}
