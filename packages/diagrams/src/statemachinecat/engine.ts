// State machine cat reads the diagram, and our Graphviz lays it out: with measured fonts, and with a fresh copy after a crash.

import type { StateMachineCatOptions } from "../api/formats/statemachinecat.ts";
import type { DiagramEngine, Drawing, Fault } from "../engine.ts";
import { GraphvizEngine } from "../graphviz/engine.ts";
import { LoadedOnce } from "../loaded-once.ts";

export class StateMachineCatEngine implements DiagramEngine<StateMachineCatOptions> {
  readonly #cat = new LoadedOnce(() => import("state-machine-cat"));
  readonly #graphviz = new GraphvizEngine();

  async warmUp(): Promise<void> {
    await this.render("a => b;", {});
  }

  async render(source: string, options: StateMachineCatOptions): Promise<Drawing | { fault: Fault }> {
    const { layout = "dot", direction = "top-down" } = options;
    const { render } = await this.#cat.get();
    let dot: string;
    try {
      dot = await (render(source, { inputType: "smcat", outputType: "dot", engine: layout, direction }) as
        | string
        | Promise<string>);
    } catch (error) {
      return { fault: faultOf(error) };
    }
    const drawing = await this.#graphviz.render(
      dot,
      options.background === undefined ? { layout } : { layout, background: options.background },
    );
    // A line in the graph is none of the diagram's.
    return "fault" in drawing ? { fault: { message: drawing.fault.message } } : drawing;
  }
}

function faultOf(error: unknown): Fault {
  if (error instanceof RangeError) return { message: "This diagram is nested too deeply." };
  const { message, location } = error as Error & { location?: { start: { line: number; column: number } } };
  if (location === undefined) return { message };
  return { message, line: location.start.line, column: location.start.column };
}
