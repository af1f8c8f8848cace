// The formats we draw. Each engine is loaded when its first diagram comes.

import type { Format } from "./api/options.ts";
import type { DiagramEngine } from "./engine.ts";
import { LoadedOnce } from "./loaded-once.ts";

const ENGINES: Readonly<Record<Format, LoadedOnce<DiagramEngine>>> = {
  mermaid: new LoadedOnce(async () => new (await import("./mermaid/engine.ts")).MermaidEngine() as DiagramEngine),
  d2: new LoadedOnce(async () => new (await import("./d2/engine.ts")).D2Engine() as DiagramEngine),
  graphviz: new LoadedOnce(async () => new (await import("./graphviz/engine.ts")).GraphvizEngine() as DiagramEngine),
};

export function engineOf(format: Format): Promise<DiagramEngine> {
  return ENGINES[format].get();
}
