// PlantUML without Java: its own build for browsers. It draws one diagram at a time, and its faults as pictures, which are told
// apart here.

import type { PlantUmlOptions } from "../api/formats/plantuml.ts";
import type { DiagramEngine, Drawing, Fault } from "../engine.ts";
import { LoadedOnce } from "../loaded-once.ts";
import { plainDrawing, WHITE } from "../svg/plain-drawing.ts";
import { parseXml } from "../svg/xml.ts";
import { Typesetter } from "../text/typesetter.ts";
import { faultIn, faultOf, warningsFor } from "./fault.ts";
import { libraryFolder } from "./library.ts";
import { loadPlantUml } from "./load.ts";

export class PlantUmlEngine implements DiagramEngine<PlantUmlOptions> {
  readonly #plantUml = new LoadedOnce(async () => loadPlantUml(await Typesetter.load(), libraryFolder()));
  #last: Promise<unknown> = Promise.resolve();

  async warmUp(): Promise<void> {
    await this.render("@startuml\na -> b\n@enduml", {});
  }

  /** Of several at once only the last would ever answer. */
  render(source: string, options: PlantUmlOptions): Promise<Drawing | { fault: Fault }> {
    const drawing = this.#last.then(() => this.#draw(source, options));
    this.#last = drawing.catch(() => undefined);
    return drawing;
  }

  async #draw(source: string, { theme }: PlantUmlOptions): Promise<Drawing | { fault: Fault }> {
    const plantUml = await this.#plantUml.get();
    const { lines, added } = linesOf(source, theme);
    const svg = await plantUml.draw(lines);
    if (svg === undefined || svg.startsWith("ERROR ")) {
      // It may be left in the middle of its work.
      this.#plantUml.forget();
      return { fault: faultOf(svg ?? "", source) };
    }
    const root = parseXml(svg);
    const fault = faultIn(root, { added, source });
    return fault === undefined ? plainDrawing(root, { ground: WHITE, warnings: warningsFor(source) }) : { fault };
  }
}

/** A source may leave out its first and last line, as on PlantUML's own server. */
function linesOf(source: string, theme: string | undefined): { lines: string[]; added: number } {
  const given = source.split("\n");
  const hasStart = /^\s*@start\w/m.test(source);
  const lines = hasStart ? given : ["@startuml", ...given, "@enduml"];
  const added = hasStart ? 0 : 1;
  if (theme === undefined) return { lines, added };
  const at = lines.findIndex((line) => /^\s*@start\w/.test(line));
  return { lines: lines.toSpliced(at + 1, 0, `!theme ${theme}`), added: added + 1 };
}
