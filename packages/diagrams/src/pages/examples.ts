import type { RenderRequest } from "../client.ts";
import { MORE_LANGUAGES } from "./more-examples.ts";

export type DiagramFormat = RenderRequest["format"];

interface Example {
  readonly name: string;
  readonly source: string;
}

interface Language {
  readonly title: string;
  readonly examples: readonly Example[];
}

/** The languages of the editor, in its order. */
export const LANGUAGES: Readonly<Record<DiagramFormat, Language>> = {
  mermaid: {
    title: "Mermaid",
    examples: [
      {
        name: "Flowchart",
        source: `flowchart TD
  submit([Submit]) --> store[(Store)]
  store --> claim{Processor free?}
  claim -- yes --> process[Process]
  claim -- no --> store
  process --> settle([Settle])
  process -. fails .-> store
`,
      },
      {
        name: "Sequence",
        source: `sequenceDiagram
  participant App
  participant Millrace
  participant Pool
  App->>Millrace: POST /jobs
  Millrace-->>App: 201, on disk
  Pool->>Millrace: claim
  Millrace-->>Pool: lease
  Pool->>Millrace: settle
  App->>Millrace: GET /jobs/job_4fQ81xZa?wait=20
  Millrace-->>App: completed
`,
      },
      {
        name: "States",
        source: `stateDiagram-v2
  [*] --> pending
  pending --> running: claim
  running --> completed: settle
  running --> pending: retry
  running --> failed: last attempt
  failed --> pending: revive
  completed --> [*]
`,
      },
    ],
  },
  d2: {
    title: "D2",
    examples: [
      {
        name: "Services",
        source: `direction: right
browser: Browser
api: API {
  http
  auth
}
store: Store { shape: cylinder }
pool: Pool
browser -> api.http: submit
api.http -> store: one commit
pool -> store: claim, settle
`,
      },
      {
        name: "Sequence",
        source: `shape: sequence_diagram
app -> millrace: submit
millrace -> app: job id
pool -> millrace: claim
millrace -> pool: lease
pool -> millrace: settle
`,
      },
    ],
  },
  graphviz: {
    title: "Graphviz",
    examples: [
      {
        name: "Graph",
        source: `digraph {
  rankdir=LR
  node [shape=box, style=rounded]
  submit -> store -> claim -> process -> settle
  process -> store [label="retry", style=dashed]
}
`,
      },
    ],
  },
  ...MORE_LANGUAGES,
};

export const FORMATS = (Object.keys(LANGUAGES) as DiagramFormat[]).map(
  (format) => [format, LANGUAGES[format].title] as const,
);
