// The formats we draw. Each engine is loaded when its first diagram comes.

import type { Format } from "./api/options.ts";
import type { Engine } from "./engine.ts";
import { LoadedOnce } from "./loaded-once.ts";

const ENGINES: Readonly<Record<Format, LoadedOnce<Engine>>> = {
  mermaid: new LoadedOnce(async () => new (await import("./mermaid/engine.ts")).MermaidEngine() as Engine),
  d2: new LoadedOnce(async () => new (await import("./d2/engine.ts")).D2Engine() as Engine),
  graphviz: new LoadedOnce(async () => new (await import("./graphviz/engine.ts")).GraphvizEngine() as Engine),
};

export function engineOf(format: Format): Promise<Engine> {
  return ENGINES[format].get();
}
