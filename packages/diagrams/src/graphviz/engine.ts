import { GraphvizOptions } from "../api/options.ts";
import type { DiagramEngine, Drawing, Fault } from "../engine.ts";
import { viewOf } from "../frame.ts";
import { LoadedOnce } from "../loaded-once.ts";
import { packageFolder } from "../package-folder.ts";
import { parseXml } from "../svg/xml.ts";
import { missingIn } from "../text/missing-glyphs.ts";
import { measuredFamily, withMeasuredFonts, withTrueFonts } from "./font-names.ts";

export type Viz = Awaited<ReturnType<typeof import("@viz-js/viz")["instance"]>>;

// Graphviz knows the widths of Arial by heart, and they are those of the font we draw with.
const FONT = { fontname: "Arial" };

export class GraphvizEngine implements DiagramEngine<GraphvizOptions> {
  readonly options = GraphvizOptions;
  readonly #viz: LoadedOnce<Viz>;

  constructor(load: () => Promise<Viz> = async () => (await import("@viz-js/viz")).instance()) {
    this.#viz = new LoadedOnce(load);
  }

  get version(): string {
    return packageFolder("@viz-js/viz")?.version ?? "";
  }

  async warmUp(): Promise<void> {
    await this.render("digraph { a -> b }", {});
  }

  /** WebAssembly that failed once goes on failing, so a fresh copy is asked, once. */
  async render(source: string, options: GraphvizOptions): Promise<Drawing | { fault: Fault }> {
    const measured = withMeasuredFonts(source);
    const drawing = (await this.#attempt(measured, options)) ?? (await this.#attempt(measured, options));
    return drawing ?? { fault: { message: "Graphviz failed on this diagram. Another layout may work." } };
  }

  /** Undefined where the engine failed, which says nothing of the diagram. */
  async #attempt(source: string, options: GraphvizOptions): Promise<Drawing | { fault: Fault } | undefined> {
    const { layout = "dot", background, attributes: { graph, node, edge } = {} } = options;
    let result: ReturnType<Viz["render"]>;
    try {
      const viz = await this.#viz.get();
      result = viz.render(source, {
        format: "svg",
        engine: layout,
        // Its own ground is white, and would lie over the one that was asked for.
        graphAttributes: { ...FONT, ...measured(graph), ...(background !== undefined && { bgcolor: "transparent" }) },
        nodeAttributes: { ...FONT, ...measured(node) },
        edgeAttributes: { ...FONT, ...measured(edge) },
      });
    } catch (error) {
      // A deep recursion of the author's comes back as the same error from a fresh copy.
      if (!isEngineFault(String(error))) throw error;
      this.#viz.forget();
      return undefined;
    }
    const said = result.errors.map(({ message }) => message.trim());
    if (said.some(isEngineFault)) {
      this.#viz.forget();
      return undefined;
    }
    if (result.status === "failure" || result.output === undefined) return { fault: faultOf(said, source) };
    const svg = withTrueFonts(result.output);
    const root = parseXml(svg);
    const { width, height } = viewOf(root);
    return { svg, width, height, warnings: [...said, ...(await missingIn(root))] };
  }
}

function measured(attributes: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const { fontname } = attributes;
  return fontname === undefined ? attributes : { ...attributes, fontname: measuredFamily(fontname) };
}

/** As V8 and JavaScriptCore say that WebAssembly went wrong, and what Emscripten makes of it. */
function isEngineFault(message: string): boolean {
  return /out of bounds|call_indirect|unreachable|null function|function signature mismatch|table index|divide by zero|integer overflow|Aborted\(|RuntimeError|Maximum call stack/i.test(
    message,
  );
}

function faultOf(said: readonly string[], source: string): Fault {
  const [message = ""] = (said[0] ?? "Graphviz could not draw this diagram.").split("\n");
  const [, line] = /\bline (\d+)\b/.exec(message) ?? [];
  if (line === undefined) return { message };
  const [, near = ""] = /near '([^']+)'/.exec(message) ?? [];
  const text = source.split("\n")[Number(line) - 1] ?? "";
  const place = near === "" ? -1 : text.indexOf(near);
  const isOnlyOne = place !== -1 && text.indexOf(near, place + 1) === -1;
  return { message, line: Number(line), ...(isOnlyOne && { column: place + 1 }) };
}
