// Mermaid's diagram type `zenuml`, whose drawing code is an optional package.

import type { Drawing, Fault } from "../../engine.ts";
import { LoadedOnce } from "../../loaded-once.ts";
import { packageFolder } from "../../package-folder.ts";
import { plainDrawing, WHITE } from "../../svg/plain-drawing.ts";
import { parseXml, writeXml, type XmlElement } from "../../svg/xml.ts";
import { Typesetter } from "../../text/typesetter.ts";
import { cleanedText } from "../fault.ts";
import { loadZenUml, ZENUML_PACKAGE, type ZenUml } from "./load.ts";

const FIRST_WORD = /^zenuml\b/;
const FONT = 'font-family:Arimo,Arial,Helvetica,"Liberation Sans",sans-serif';
const MOST_NAMED = 3;

export class ZenUmlDrawer {
  readonly #folder: () => string | undefined;
  readonly #zenUml = new LoadedOnce<ZenUml>(async () => loadZenUml(this.#folder() ?? "", await Typesetter.load()));

  /** `folder` gives the package's. */
  constructor(folder = () => packageFolder(ZENUML_PACKAGE)?.path) {
    this.#folder = folder;
  }

  /** Whether the source, after its front matter and comments, is one. */
  static draws(source: string): boolean {
    return FIRST_WORD.test(cleanedText(source));
  }

  async draw(source: string): Promise<Drawing | { fault: Fault }> {
    if (this.#folder() === undefined)
      return { fault: { message: `ZenUML is not installed here. Run: npm install ${ZENUML_PACKAGE}` } };
    const zenUml = await this.#zenUml.get();
    try {
      const { svg, said } = await zenUml.draw(cleanedText(source).replace(FIRST_WORD, ""));
      const root = parseXml(svg);
      useOurFonts(root);
      return await plainDrawing(writeXml(root), { ground: WHITE, warnings: unread(said, source) });
    } catch {
      return { fault: { message: "ZenUML cannot draw this diagram, and does not say where it fails." } };
    }
  }
}

/** Its stylesheet embeds a font, and names it first for every text. Widths were measured with ours. */
function useOurFonts(root: XmlElement): void {
  for (const style of root.descendants()) {
    if (style.localName !== "style") continue;
    const css = style.text.replace(/@font-face\s*\{[^}]*\}/g, "").replace(/font-family:[^;]*(?=;)/g, FONT);
    style.children.length = 0;
    style.append(css);
  }
}

/** ZenUML draws as much as it understands. Its parser names lines and columns of the text that it was given. */
function unread(said: readonly string[], source: string): string[] {
  const places = said.flatMap((each) => {
    const [, line, column, what = ""] = /^line (\d+):(\d+) (.*)/s.exec(each) ?? [];
    return line === undefined ? [] : [{ line: lineIn(source, Number(line)), column: Number(column) + 1, what }];
  });
  return places.slice(0, MOST_NAMED).map(({ line, column, what }) => {
    return `Line ${line}, column ${column} was read in part only: ${what.split("\n")[0]?.slice(0, 200)}.`;
  });
}

/** Its first line is the one that begins with the word `zenuml`. */
function lineIn(source: string, line: number): number {
  const first = source.split("\n").findIndex((each) => FIRST_WORD.test(each.trimStart()));
  return Math.max(first, 0) + line;
}
