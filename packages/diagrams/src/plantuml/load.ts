// PlantUML as it is published for browsers, run in a function whose parameters stand in for a browser's globals. It reaches
// nothing beside them: no files, no network, no timers but those below.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { LoadedOnce } from "../loaded-once.ts";
import { packageFolder } from "../package-folder.ts";
import type { Typesetter } from "../text/typesetter.ts";
import { drawingDocument } from "./dom.ts";
import { openLibrary } from "./library.ts";
import { EngineTimers } from "./timers.ts";

const EXPORTS = /export\s*\{\s*(\w+) as render\s*,\s*(\w+) as renderToString\s*\};?\s*$/;
/** Files of the package that PlantUML asks for when a diagram has a theme, an emoji or an icon. */
const PARTS = new Set(["themes.js", "emoji.js", "openiconic.js"]);
// Everything it could use to reach out. They are parameters too, and undefined.
const HIDDEN =
  "fetch XMLHttpRequest WebSocket EventSource Worker importScripts process require module exports global Bun Deno Buffer localStorage sessionStorage indexedDB setInterval setImmediate queueMicrotask".split(
    " ",
  );
const SEED = 7;

interface PlantUml {
  renderToString(lines: readonly string[], success: (svg: string) => void, failure: (message: string) => void): void;
}

export interface LoadedPlantUml {
  /** The drawing as SVG, also of a fault. Undefined: it gave no answer. */
  draw(lines: readonly string[]): Promise<string | undefined>;
}

type Viz = Awaited<ReturnType<typeof import("@viz-js/viz")["instance"]>>;

export async function loadPlantUml(typesetter: Typesetter, stdlib: string | undefined): Promise<LoadedPlantUml> {
  const folder = packageFolder("@plantuml/core")?.path;
  if (folder === undefined) throw new Error('The package "@plantuml/core" is not installed.');
  const timers = new EngineTimers();
  const viz = new LoadedOnce<Viz>(async () => (await import("@viz-js/viz")).instance());
  const window: Record<string, unknown> = { ...drawingDocument(typesetter).globals };
  const quiet = () => undefined;
  Object.assign(window, {
    console: { log: quiet, info: quiet, warn: quiet, error: quiet },
    setTimeout: timers.start,
    clearTimeout: quiet,
    Viz: { instance: () => timers.during(graphviz(viz)) },
    Math: seededMath(),
    PLANTUML_STDLIB: openLibrary(stdlib),
    PLANTUML_STDLIB_LOADER: (address: string, loaded: () => void, failed: (message: string) => void) => {
      if (PARTS.has(address)) run(readFileSync(join(folder, address), "utf8"), window, "");
      // What the folder lacks is found out when the file in it is asked for.
      if (PARTS.has(address) || address.endsWith(".min.js")) timers.start(loaded, 0);
      else timers.start(() => failed(`There is no ${address}.`), 0);
      return true;
    },
  });
  const text = readFileSync(join(folder, "plantuml.js"), "utf8");
  const [whole, , name] = EXPORTS.exec(text) ?? [];
  if (whole === undefined || name === undefined) throw new Error("This version of PlantUML is not the one we know.");
  const body = text.slice(0, text.length - whole.length);
  const { renderToString } = run(body, window, `return { renderToString: ${name} };`) as PlantUml;
  return {
    draw: (lines) =>
      timers.untilIdle((answer) => renderToString(lines, answer, (message) => answer(`ERROR ${String(message)}`))),
  };
}

/** One that failed is discarded. Its caller sees the fault as it would of Graphviz. */
async function graphviz(viz: LoadedOnce<Viz>): Promise<{ renderString: Viz["renderString"] }> {
  const instance = await viz.get();
  return {
    renderString: (source, options) => {
      try {
        return instance.renderString(source, options);
      } catch (error) {
        viz.forget();
        throw error;
      }
    },
  };
}

function run(text: string, window: Record<string, unknown>, ending: string): unknown {
  const own: Record<string, unknown> = { ...window, window, self: window, globalThis: window };
  const names = [...Object.keys(own), ...HIDDEN.filter((name) => !(name in own))];
  // The text is that of the pinned package, and this is how it gets its own globals.
  return new Function(...names, `{ ${text}\n${ending}\n}`)(...names.map((name) => own[name]));
}

/** Sketched lines and the like are the same each time. */
function seededMath(): typeof Math {
  let state = SEED;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return Object.defineProperties(Object.create(null), {
    ...Object.getOwnPropertyDescriptors(Math),
    random: { value: random },
  }) as typeof Math;
}
