// The gallery of docs/gallery.md as data: one diagram of every kind, drawn as we draw it. scripts/gallery.js writes it.

import { entryOf, FORMATS, type Format } from "../../src/api/formats.ts";
import type { CommonOptions } from "../../src/api/options.ts";
import type { DiagramEngine } from "../../src/engine.ts";
import { engineOf } from "../../src/engines.ts";
import { renderDiagram } from "../../src/render.ts";
import { FORMAT_SOURCES } from "../formats/support/sources.ts";
import { D2_SOURCES, GRAPHVIZ_SOURCES } from "./other-sources.ts";
import { SOURCES } from "./sources.ts";

interface Exhibit {
  /** Its name in the page, and that of its file. */
  readonly title: string;
  readonly file: string;
  readonly format: Format;
  readonly source: string;
}

// The page has one of each kind; of the commonest, some that show more.
const MORE = ["flowchart/shapes", "flowchart/hand-drawn", "sequence/blocks", "class/relations", "state/composite"];

export function exhibits(): Exhibit[] {
  const seen = new Set<string>();
  const mermaid = Object.entries(SOURCES).filter(([name]) => {
    const [kind = ""] = name.split("/");
    const isFirst = !seen.has(kind);
    seen.add(kind);
    return isFirst || MORE.includes(name);
  });
  const as = (format: Format) => {
    return ([name, source]: readonly [string, string]): Exhibit => {
      const title = format === "mermaid" ? name.replace(/\/small$/, "").replace("/", ", ") : name;
      return { title, file: `${format}-${name.replaceAll("/", "-")}.svg`, format, source };
    };
  };
  return [
    ...mermaid.map(as("mermaid")),
    ...Object.entries(D2_SOURCES).map(as("d2")),
    ...Object.entries(GRAPHVIZ_SOURCES).map(as("graphviz")),
    ...FORMAT_SOURCES.map(({ format, kind, source }) => as(format)([kind, source])),
  ];
}

export async function draw({ title, format, source }: Exhibit): Promise<string> {
  const engine = (await engineOf(format)) as DiagramEngine<CommonOptions>;
  const rendered = await renderDiagram(engine, source, { background: "white", padding: 8 });
  if ("fault" in rendered) throw new Error(`${title}: ${rendered.fault.message}`);
  return `${rendered.svg}\n`;
}

export function page(): string {
  const all = exhibits();
  const section = (format: Format) =>
    all
      .filter((each) => each.format === format)
      .map(
        ({ title, file, source }) =>
          `### ${title}\n\n![${title}](gallery/${file})\n\n<details><summary>source</summary>\n\n\`\`\`${format === "graphviz" ? "dot" : format}\n${source.trim()}\n\`\`\`\n\n</details>\n`,
      )
      .join("\n");
  return `# Gallery

One diagram of every kind that Millrace draws. \`node scripts/gallery.js\` draws them without a browser, on a white background.
A test draws them again and compares every byte. [Parity](reference/diagram-parity.md) compares them with a browser's drawings.

${FORMATS.map((format) => `## ${entryOf(format).title}\n\n${section(format)}`).join("\n")}`;
}
