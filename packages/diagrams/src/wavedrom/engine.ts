import { createRequire } from "node:module";
import JSON5 from "json5";
import type { CommonOptions } from "../api/options.ts";
import type { DiagramEngine, Drawing, Fault } from "../engine.ts";
import { LoadedOnce } from "../loaded-once.ts";
import { plainDrawing, WHITE } from "../svg/plain-drawing.ts";
import { elementOf, type Tree, withoutUnused } from "./tree.ts";

interface WaveDrom {
  renderAny(index: number, source: unknown, skins: Skins): Tree;
}
type Skins = Readonly<Record<string, unknown>>;

const DARK = { light: "#000" };
const SKINS = ["default", "narrow", "narrower", "narrowerer", "lowkey", "dark"];

export class WaveDromEngine implements DiagramEngine<CommonOptions> {
  readonly #loaded = new LoadedOnce(load);

  async warmUp(): Promise<void> {
    await this.render('{ signal: [{ name: "clk", wave: "p..." }] }');
  }

  async render(source: string): Promise<Drawing | { fault: Fault }> {
    const { waveDrom, skins } = await this.#loaded.get();
    let described: unknown;
    try {
      described = JSON5.parse(source);
    } catch (error) {
      return { fault: syntaxFault(error) };
    }
    const shape = shapeFault(described);
    if (shape !== undefined) return { fault: { message: shape } };
    let tree: Tree;
    try {
      tree = waveDrom.renderAny(0, described, skins);
    } catch {
      return { fault: { message: "WaveDrom could not draw this. A value may have the wrong type." } };
    }
    return plainDrawing(withoutUnused(elementOf(tree)), { ground: isDark(described) ? DARK : WHITE });
  }
}

async function load(): Promise<{ waveDrom: WaveDrom; skins: Skins }> {
  const require = createRequire(import.meta.url);
  const loaded = SKINS.map((name) => require(`wavedrom/skins/${name}.js`) as Skins);
  return { waveDrom: require("wavedrom") as WaveDrom, skins: Object.assign({}, ...loaded) as Skins };
}

/** JSON5 tells its line and column beside its sentence. */
function syntaxFault(error: unknown): Fault {
  const { message = "", lineNumber, columnNumber } = error as SyntaxError & Record<string, unknown>;
  const sentence = message.replace(/^JSON5: /, "").replace(/ at \d+:\d+$/, "");
  const place = typeof lineNumber === "number" && typeof columnNumber === "number";
  return {
    message: `This is not JSON: ${sentence}.`,
    ...(place && { line: lineNumber, column: columnNumber }),
  };
}

function shapeFault(described: unknown): string | undefined {
  const isObject = typeof described === "object" && described !== null && !Array.isArray(described);
  if (!isObject) return 'A WaveDrom diagram is an object such as { signal: [{ name: "clk", wave: "p..." }] }.';
  const { signal, assign, reg } = described as Record<string, unknown>;
  const [given = undefined] = [signal, assign, reg].filter((part) => part !== undefined);
  if (given === undefined) return 'A WaveDrom diagram needs "signal", "assign" or "reg".';
  return Array.isArray(given) ? undefined : '"signal", "assign" and "reg" must be arrays.';
}

function isDark(described: unknown): boolean {
  const { config } = described as { config?: { skin?: unknown } };
  return config?.skin === "dark";
}
