// The formats we draw. Each engine is loaded when its first diagram comes.

import type { Format } from "../../api/diagram-options.ts";
import type { Engine } from "./engine.ts";

const engines = new Map<Format, Promise<Engine>>();

export function engineOf(format: Format): Promise<Engine> {
  let engine = engines.get(format);
  if (engine === undefined) {
    engine = load(format);
    engines.set(format, engine);
  }
  return engine;
}

async function load(format: Format): Promise<Engine> {
  switch (format) {
    case "mermaid":
      return new (await import("./mermaid/engine.ts")).MermaidEngine() as Engine;
    case "d2":
      return new (await import("./d2/engine.ts")).D2Engine() as Engine;
    case "graphviz":
      return new (await import("./graphviz/engine.ts")).GraphvizEngine() as Engine;
  }
}
