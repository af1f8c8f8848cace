// The diagrams that are drawn. Each round changes a label, so that nothing is drawn twice.

export interface Subject {
  readonly name: string;
  readonly format: "mermaid" | "d2";
  source(round: number): string;
}

const list = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at)).join("\n");

export const SUBJECTS: readonly Subject[] = [
  {
    name: "small flowchart",
    format: "mermaid",
    source: (round) =>
      `flowchart LR\n  a[Order ${round}] --> b{In stock?}\n  b -->|yes| c[Ship it]\n  b -->|no| d[Wait]\n  d --> b`,
  },
  {
    name: "large flowchart",
    format: "mermaid",
    source: (round) =>
      `flowchart TD\n  r[Round ${round}] --> n0\n${list(100, (at) => `  n${at}[Step number ${at}] --> n${at + 1}`)}`,
  },
  {
    name: "sequence",
    format: "mermaid",
    source: (round) =>
      `sequenceDiagram\n  participant C as Client ${round}\n  participant S as Server\n${list(8, (at) => `  C->>S: request ${at}\n  S-->>C: answer ${at}`)}`,
  },
  {
    name: "class",
    format: "mermaid",
    source: (round) =>
      `classDiagram\n  class Round${round}\n${list(8, (at) => `  class Kind${at} {\n    +String name\n    +run(job) Outcome\n  }\n  Round${round} <|-- Kind${at}`)}`,
  },
  {
    name: "D2",
    format: "d2",
    source: (round) =>
      `client ${round} -> api.gateway: HTTPS\napi: {\n  gateway -> jobs: submit\n  jobs -> store\n  store: { shape: cylinder }\n}\napi.store -> backup: nightly`,
  },
];

/** The figure that holds a subject's time. */
export const timeOf = ({ name }: Subject) => `${name} ms`;
