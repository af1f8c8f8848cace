// What the upstream of each language draws: Mermaid in a browser with its defaults, D2 and Graphviz as their packages give it.

import { instance } from "@viz-js/viz";
import { D2_THEMES } from "../../../packages/diagrams/src/api/options.ts";
import { type D2, loadD2 } from "../../../packages/diagrams/src/d2/load.ts";
import type { ReferenceBrowser } from "../../../packages/diagrams/test/support/reference/browser.ts";
import { formatOf, type Group } from "./sources.ts";

/** The SVG; undefined for what the upstream refuses. */
export type Reference = (source: string) => Promise<string | undefined>;

export function referenceFor(group: Group, browser: ReferenceBrowser): Reference {
  switch (formatOf(group)) {
    case "mermaid":
      return (source) => browser.mermaid(source);
    case "d2":
      return d2Reference();
    case "graphviz":
      return graphviz;
  }
}

/** Our padding and theme, so that only what we make of the drawing differs. A copy that panicked is replaced. */
function d2Reference(): Reference {
  let loaded: Promise<D2> | undefined;
  return async (source) => {
    try {
      loaded ??= loadD2();
      const d2 = await loaded;
      if (/\belk\b/.test(source)) d2.loadElk();
      const look = { sketch: false, pad: 20, noXMLTag: true };
      const options = { layout: "dagre", ...look };
      const compiled = JSON.parse(await d2.compile(JSON.stringify({ fs: { index: source }, options })));
      if (compiled.error !== undefined) return undefined;
      const { diagram, renderOptions } = compiled.data;
      const themed = { themeID: D2_THEMES["neutral-default"], ...renderOptions, ...look };
      const rendered = JSON.parse(await d2.render(JSON.stringify({ diagram, options: themed })));
      if (/panic/.test(rendered.error?.message ?? "")) loaded = undefined;
      return rendered.error === undefined ? Buffer.from(rendered.data, "base64").toString("utf8") : undefined;
    } catch {
      loaded = undefined;
      return undefined;
    }
  };
}

/** A fresh instance for every source: one that drew many can crash on a good graph. */
async function graphviz(source: string): Promise<string | undefined> {
  try {
    const font = { fontname: "Arial" };
    const attributes = { graphAttributes: font, nodeAttributes: font, edgeAttributes: font };
    const drawn = (await instance()).render(source, { format: "svg", engine: "dot", ...attributes });
    return drawn.output;
  } catch {
    return undefined;
  }
}
