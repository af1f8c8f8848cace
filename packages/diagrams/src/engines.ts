// The engines of the formats we draw. Each is loaded when its first diagram comes.

import { entryOf, type Format } from "./api/formats.ts";
import type { DiagramEngine } from "./engine.ts";
import { LoadedOnce } from "./loaded-once.ts";
import { packageFolder } from "./package-folder.ts";

const ENGINES: Readonly<Record<Format, LoadedOnce<DiagramEngine>>> = {
  mermaid: loaded(async () => new (await import("./mermaid/engine.ts")).MermaidEngine()),
  d2: loaded(async () => new (await import("./d2/engine.ts")).D2Engine()),
  graphviz: loaded(async () => new (await import("./graphviz/engine.ts")).GraphvizEngine()),
  plantuml: loaded(async () => new (await import("./plantuml/engine.ts")).PlantUmlEngine()),
  vega: loaded(async () => new (await import("./vega/engine.ts")).VegaEngine("vega")),
  vegalite: loaded(async () => new (await import("./vega/engine.ts")).VegaEngine("vegalite")),
  nomnoml: loaded(async () => new (await import("./nomnoml/engine.ts")).NomnomlEngine()),
  wavedrom: loaded(async () => new (await import("./wavedrom/engine.ts")).WaveDromEngine()),
  pikchr: loaded(async () => new (await import("./pikchr/engine.ts")).PikchrEngine()),
  svgbob: loaded(async () => new (await import("./svgbob/engine.ts")).SvgbobEngine()),
  bytefield: loaded(async () => new (await import("./bytefield/engine.ts")).BytefieldEngine()),
  dbml: loaded(async () => new (await import("./dbml/engine.ts")).DbmlEngine()),
  bpmn: loaded(async () => new (await import("./bpmn/engine.ts")).BpmnEngine()),
  statemachinecat: loaded(async () => new (await import("./statemachinecat/engine.ts")).StateMachineCatEngine()),
  railroad: loaded(async () => new (await import("./railroad/engine.ts")).RailroadEngine()),
};

function loaded<Options>(load: () => Promise<DiagramEngine<Options>>): LoadedOnce<DiagramEngine> {
  return new LoadedOnce(async () => (await load()) as DiagramEngine);
}

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
