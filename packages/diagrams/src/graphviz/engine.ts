import { GraphvizOptions } from "../api/options.ts";
import type { DiagramEngine, Drawing, Fault } from "../engine.ts";
import { viewOf } from "../frame.ts";
import { LoadedOnce } from "../loaded-once.ts";
import { packageFolder } from "../package-folder.ts";
import { parseXml } from "../svg/xml.ts";
import { missingIn } from "../text/missing-glyphs.ts";

type Viz = Awaited<ReturnType<typeof import("@viz-js/viz")["instance"]>>;

// Graphviz knows the widths of Arial by heart, and they are those of the font we draw with.
const FONT = { fontname: "Arial" };

export class GraphvizEngine implements DiagramEngine<GraphvizOptions> {
  readonly options = GraphvizOptions;
  readonly #viz = new LoadedOnce<Viz>(async () => (await import("@viz-js/viz")).instance());

  get version(): string {
    return packageFolder("@viz-js/viz")?.version ?? "";
  }

  async warmUp(): Promise<void> {
    await this.render("digraph { a -> b }", {});
  }

  async render(source: string, options: GraphvizOptions): Promise<Drawing | { fault: Fault }> {
    const { layout = "dot", background, attributes: { graph, node, edge } = {} } = options;
    const viz = await this.#viz.get();
    const result = viz.render(source, {
      format: "svg",
      engine: layout,
      // Its own ground is white, and would lie over the one that was asked for.
      graphAttributes: { ...FONT, ...graph, ...(background !== undefined && { bgcolor: "transparent" }) },
      nodeAttributes: { ...FONT, ...node },
      edgeAttributes: { ...FONT, ...edge },
    });
    const said = result.errors.map(({ message }) => message.trim());
    if (result.status === "failure" || result.output === undefined) return { fault: faultOf(said) };
    const root = parseXml(result.output);
    const { width, height } = viewOf(root);
    return { svg: result.output, width, height, warnings: [...said, ...(await missingIn(root))] };
  }
}

function faultOf(said: readonly string[]): Fault {
  const message = said[0] ?? "Graphviz could not draw this diagram.";
  const [, line] = /\bline (\d+)\b/.exec(message) ?? [];
  return line === undefined ? { message } : { message, line: Number(line) };
}
