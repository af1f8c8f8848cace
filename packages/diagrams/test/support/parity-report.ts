// The comparison with Chromium in words: docs/reference/diagram-parity.md.

import type { Comparison } from "./compare.ts";

export interface Compared extends Comparison {
  readonly name: string;
}

export const COMMON = [
  "flowchart",
  "sequence",
  "class",
  "state",
  "er",
  "gantt",
  "pie",
  "mindmap",
  "gitGraph",
  "timeline",
  "journey",
  "quadrant",
];
export const TOLERANCE_PX = 1;

// Why a drawing differs. A source that differs and is not explained here is a fault of ours to look into.
export const EXPLANATIONS: Readonly<Record<string, string>> = {
  "mindmap/shapes":
    "Its layout is a simulation of forces, which makes of a small difference another arrangement. Here it is the box round the cloud: Skia draws its arcs as curves that are a thousandth of a pixel off, and we measure the arcs. The shapes, their sizes and the texts are the same.",
};

export function isWithin({ maxPx, structure }: Comparison): boolean {
  return maxPx <= TOLERANCE_PX && structure === "";
}

export function parityReport(compared: readonly Compared[], versions: { chromium: string; mermaid: string }): string {
  const common = compared.filter(({ name }) => COMMON.includes(name.split("/")[0] ?? ""));
  const good = (all: readonly Compared[]) => all.filter(isWithin).length;
  const off = compared.filter((each) => !isWithin(each));
  return `# Our drawings beside a browser's

Made by \`node packages/diagrams/test/support/parity.ts --write\`: the same ${compared.length} sources, the same options and fonts, drawn by our engine
without a browser and by Mermaid ${versions.mermaid} in ${versions.chromium.replace("/", " ")}. The comparison covers the
elements and their order, the texts, and every number of every attribute that places or sizes something.

- **${good(compared)} of ${compared.length}** sources have every number within ${TOLERANCE_PX} px and the same structure.
- Of the twelve most common kinds (${COMMON.join(", ")}): **${good(common)} of ${common.length}**.

| source | numbers | off by more than ${TOLERANCE_PX} px | largest difference | |
|---|---:|---:|---:|---|
${compared.map(row).join("\n")}

## Where they differ

${off.length === 0 ? "Nowhere." : off.map((each) => `- \`${each.name}\`: ${EXPLANATIONS[each.name] ?? `${each.where} ${each.structure}`.trim()}`).join("\n")}
`;
}

function row(each: Compared): string {
  const mark = isWithin(each) ? "" : "differs";
  return `| ${each.name} | ${each.numbers} | ${each.offNumbers} | ${each.maxPx.toFixed(2)} px | ${mark} |`;
}
