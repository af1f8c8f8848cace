// Sources that are meant to stop a renderer, and such as people draw every day.

import { edges } from "./server.ts";

interface Diagram {
  readonly source: string;
  readonly format: "mermaid" | "d2" | "graphviz";
  readonly outputType?: "svg" | "png";
  readonly options?: object;
}

const mermaid = (source: string): Diagram => ({ source, format: "mermaid" });

export const HOSTILE = {
  "499 random edges": mermaid(edges(7)),
  "a word of 40,000 letters": mermaid(`flowchart LR\n  a[${"x".repeat(40_000)}]`),
  // Mermaid's own code for SVG labels tries every beginning of the word, for hours.
  "a word of 40,000 letters, as an SVG label": mermaid(
    `%%{init: {"htmlLabels": false}}%%\nflowchart LR\n  a[${"x".repeat(40_000)}]`,
  ),
  "8,000 words": mermaid(`flowchart LR\n  a["${"word ".repeat(8000)}"]`),
  "HTML labels from front matter, with an image": mermaid(
    "---\nconfig:\n  htmlLabels: true\n---\nflowchart LR\n  a[\"<img src='x'>\"]",
  ),
  "an image node": mermaid('flowchart LR\n  a@{ img: "https://evil.example/x.png", label: "x" }'),
  "aliases of aliases": mermaid(
    `---\nconfig:\n  a: &a [x,x,x,x,x,x,x,x]\n  b: &b [*a,*a,*a,*a,*a,*a,*a,*a]\n  c: &c [*b,*b,*b,*b,*b,*b,*b,*b]\n  d: &d [*c,*c,*c,*c,*c,*c,*c,*c]\n  e: [*d,*d,*d,*d,*d,*d,*d,*d]\n---\nflowchart LR\n  a`,
  ),
  "a tick for every millisecond": mermaid(
    "gantt\n  dateFormat YYYY-MM-DD\n  tickInterval 1millisecond\n  section A\n  a :2020-01-01, 3650d",
  ),
  "every day excluded": mermaid(
    "gantt\n  dateFormat YYYY-MM-DD\n  excludes monday tuesday wednesday thursday friday saturday sunday\n  a :2020-01-01, 3d",
  ),
  "300 nested subgraphs": mermaid(
    `flowchart LR\n${Array.from({ length: 300 }, (_, at) => `subgraph s${at}\n`).join("")}a\n${"end\n".repeat(300)}`,
  ),
  "prototype pollution": mermaid(
    "---\nconfig:\n  __proto__:\n    polluted: 1\n  constructor:\n    prototype:\n      polluted: 1\n---\nflowchart LR\n  __proto__ --> constructor",
  ),
  "more pixels than any screen has": {
    source: 'digraph { graph [size="900,900!"]; a -> b }',
    format: "graphviz",
    outputType: "png",
    options: { scale: 4 },
  },
  "3,000 edges of D2": {
    source: Array.from({ length: 3000 }, (_, at) => `a${at} -> a${(at * 7) % 3000}`).join("\n"),
    format: "d2",
  },
} as const satisfies Record<string, Diagram>;

export const NORMAL: readonly Diagram[] = [
  mermaid("flowchart LR\n  order --> pay --> ship"),
  mermaid("sequenceDiagram\n  Alice->>Bob: Hello\n  Bob-->>Alice: Hi"),
  mermaid("classDiagram\n  Animal <|-- Duck"),
  mermaid("gantt\n  dateFormat YYYY-MM-DD\n  a :2020-01-01, 3d"),
  { ...mermaid("flowchart TD\n  a --> b & c --> d"), outputType: "png" },
  { source: "order -> payment: pays", format: "d2" },
  { source: "digraph { order -> payment }", format: "graphviz", outputType: "png" },
];
