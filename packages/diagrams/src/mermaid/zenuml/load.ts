// ZenUML's own drawing code, run in a function whose parameters stand in for a browser's globals. It reaches nothing beside them.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fontFromCss } from "../../text/css-font.ts";
import type { Typesetter } from "../../text/typesetter.ts";

export const ZENUML_PACKAGE = "@zenuml/core";

// Everything it could use to reach out, or to keep the process alive. They are parameters too, and undefined.
const HIDDEN =
  "document window navigator fetch XMLHttpRequest WebSocket EventSource Worker importScripts process require Bun Deno Buffer localStorage sessionStorage indexedDB setTimeout setInterval setImmediate MessageChannel BroadcastChannel".split(
    " ",
  );

interface ZenUmlModule {
  renderToSvg(source: string, options?: { readonly theme?: string }): { readonly svg: string };
  ensureDiagramIconsLoaded?(source: string): Promise<void>;
}

export interface ZenUml {
  /** `said` is what its parser complained of, in its own words. */
  draw(source: string): Promise<{ readonly svg: string; readonly said: readonly string[] }>;
}

/** `folder` is the package's. */
export function loadZenUml(folder: string, typesetter: Typesetter): ZenUml {
  const said: string[] = [];
  const quiet = () => undefined;
  const error = (...parts: readonly unknown[]) => void said.push(parts.map(String).join(" "));
  const exports: Partial<ZenUmlModule> = {};
  const given: Record<string, unknown> = {
    module: { exports },
    exports,
    globalThis: {},
    self: {},
    console: { log: quiet, info: quiet, debug: quiet, warn: quiet, error },
    OffscreenCanvas: measuringCanvas(typesetter),
  };
  const names = [...Object.keys(given), ...HIDDEN];
  // The text is that of the installed package, and this is how it gets its own globals.
  const run = new Function(...names, readFileSync(join(folder, "dist/zenuml.js"), "utf8"));
  run(...names.map((name) => given[name]));
  const { renderToSvg, ensureDiagramIconsLoaded } = exports;
  if (renderToSvg === undefined)
    throw new Error(`Unsupported version of ${ZENUML_PACKAGE}: it has no renderToSvg function.`);
  return {
    async draw(source) {
      said.length = 0;
      await ensureDiagramIconsLoaded?.(source);
      const { svg } = renderToSvg(source, { theme: "theme-default" });
      return { svg, said: [...said] };
    },
  };
}

function measuringCanvas(typesetter: Typesetter) {
  return class {
    getContext() {
      return {
        font: "",
        fontVariantCaps: "normal",
        measureText(text: string) {
          return { width: typesetter.widthPx(String(text), fontFromCss(this.font)) };
        },
      };
    }
  };
}
