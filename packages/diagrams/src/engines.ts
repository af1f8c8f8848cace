// The engines of the formats we draw. Each is loaded when its first diagram comes.

import { entryOf, type Format } from "./api/formats.ts";
import type { DiagramEngine } from "./engine.ts";
import { LoadedOnce } from "./loaded-once.ts";
import { packageFolder } from "./package-folder.ts";

const ENGINES: Readonly<Record<Format, LoadedOnce<DiagramEngine>>> = {
  mermaid: new LoadedOnce(async () => new (await import("./mermaid/engine.ts")).MermaidEngine() as DiagramEngine),
  d2: new LoadedOnce(async () => new (await import("./d2/engine.ts")).D2Engine() as DiagramEngine),
  graphviz: new LoadedOnce(async () => new (await import("./graphviz/engine.ts")).GraphvizEngine() as DiagramEngine),
};

export async function engineOf(format: Format): Promise<DiagramEngine> {
  const { title, packages, isOptional = false } = entryOf(format);
  const missing = isOptional ? packages.filter((name) => packageFolder(name) === undefined) : [];
  return missing.length === 0 ? await ENGINES[format].get() : missingEngine(title, missing);
}

/** For packages above 10 MB, which the application installs if it needs them. */
export function missingEngine(title: string, packages: readonly string[]): DiagramEngine {
  const message = `${title} is not installed here. Run: npm install ${packages.join(" ")}`;
  return { warmUp: async () => undefined, render: async () => ({ fault: { message } }) };
}
