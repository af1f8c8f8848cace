// Loads the real Mermaid: its own single-file build, run in a function whose parameters stand in for a browser's globals.
// So nothing is put on globalThis, Mermaid cannot see fetch or process, and the places below can be exchanged
// while it is read, without touching the installed package.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageFolder } from "../package-folder.ts";
import { checkConfig } from "./check-config.ts";
import type { Window } from "./dom/window.ts";
import type { Formulas } from "./formulas/make-formulas.ts";
import type { IconPack } from "./icons/icon-packs.ts";

export interface Mermaid {
  initialize(config: Record<string, unknown>): void;
  render(id: string, source: string): Promise<{ diagramType: string; svg: string }>;
  registerLayoutLoaders(loaders: readonly unknown[]): void;
  registerExternalDiagrams(diagrams: readonly unknown[]): Promise<void>;
  getRegisteredDiagramsMetadata(): { id: string }[];
  readonly mermaidAPI: {
    readonly defaultConfig: object;
    /** Of the diagram drawn last: the site's configuration, its own, and what its theme makes of both. */
    getConfig(): { readonly themeVariables?: Readonly<Record<string, unknown>> };
  };
}

/** What the exchanged places call. */
export interface Substitutes {
  readonly purifier: unknown;
  serialise(svg: unknown): string;
  decodeEntities(text: string): string;
  copyConfig(config: Record<string, unknown>): Record<string, unknown>;
  /** The configuration of a diagram, without the values that have the wrong type. */
  checkConfig(config: unknown, defaults: unknown): Record<string, unknown>;
  /** `make` gives the same for the same text. */
  stylesheet(text: string, make: () => string): string;
  random(): number;
  readonly math: object;
  formulas(): Promise<Formulas>;
  /** Formulas that are still being drawn. */
  readonly unfinished: Promise<unknown>[];
  /** A function that gives the pack; undefined if the pack is not installed. */
  iconPack(prefix: string): (() => Promise<IconPack>) | undefined;
  missingIcon(name: string): void;
}

interface Exchange {
  readonly why: string;
  readonly find: string | RegExp;
  readonly put: string;
  readonly times: number | "some";
  /** In a browser too. There `millrace` has what `mermaidForBrowser` gives it, and nothing else. */
  readonly inBrowser?: true;
}

const EXCHANGES: readonly Exchange[] = [
  {
    why: "DOMPurify does nothing without a browser",
    find: "purify_default = createDOMPurify();",
    put: "purify_default = millrace.purifier;",
    times: 1,
  },
  {
    why: "values inside other values of a diagram's configuration go into stylesheets unchecked",
    find: "addDirective(processed2.config ?? {});",
    put: "addDirective(millrace.checkConfig(processed2.config, defaultConfig_default));",
    times: 1,
    inBrowser: true,
  },
  {
    why: "the drawing is written as XML, not as HTML",
    find: ": serializeSvg();",
    put: ": millrace.serialise(root4.select(enclosingDivID_selector).node().firstChild);",
    times: 1,
  },
  {
    // Only the outermost level is copied each time: kanban and others write into it what holds for them alone.
    why: "a copy of the whole configuration was made at every question: a quarter of the time of a drawing",
    find: "        return assignWithDepth_default({}, currentConfig);",
    put: "        return { ...(millraceConfigOf === currentConfig ? millraceConfig : (millraceConfigOf = currentConfig, millraceConfig = millrace.copyConfig(currentConfig))) };",
    times: 1,
  },
  {
    why: "participants, classes, icons and ids are counted over all drawings of a process: here each drawing starts from zero",
    find: "const processed2 = processAndSetConfigs(text4);",
    put: "actorCnt = -1; classCounter = counter = cnt = cnt2 = cnt3 = idCounter = 0; const processed2 = processAndSetConfigs(text4);",
    times: 1,
    inBrowser: true,
  },
  {
    why: "icons were named after the time of day",
    find: '"IconifyId" + Date.now().toString(16) + (Math.random() * 16777216 | 0).toString(16)',
    put: '"icon"',
    times: 1,
    inBrowser: true,
  },
  {
    why: "entities in labels: only three of them were known outside of HTML labels",
    find: "  function decodeHTMLEntities(text4) {",
    put: "  function decodeHTMLEntities(text4) {\n    return millrace.decodeEntities(text4);",
    times: 1,
  },
  {
    why: "names for functions were set each time one was made: a tenth of the time of a large drawing",
    find: '  var __name = (target, value2) => __defProp(target, "name", { value: value2, configurable: true });',
    put: "  var __name = (target) => target;",
    times: 1,
  },
  {
    why: "and another copy whenever a setting changed, four times in a drawing",
    find: "let cfg = assignWithDepth_default({}, siteCfg);",
    put: "let cfg = millrace.copyConfig(siteCfg);",
    times: 1,
  },
  {
    why: "ELK was created for every drawing, and read all its own options each time: a tenth of a small drawing",
    find: "const elk = new import_elk_bundled.default();",
    put: "const elk = millraceElk ?? new import_elk_bundled.default();",
    times: 1,
  },
  {
    why: "kept once it has drawn: one whose first drawing failed may not have got so far",
    find: "const graph = await runElkLayout(elk, layoutState.elkGraph, elkContext.log);",
    put: "const graph = await runElkLayout(elk, layoutState.elkGraph, elkContext.log); millraceElk = elk;",
    times: 1,
  },
  {
    why: "ELK's loader, at home in a package of its own, tells Mermaid the settings it has just had from it",
    find: "    setConfig2(elkContext.getConfig());",
    put: "",
    times: 1,
  },
  {
    why: "the stylesheet of a kind and theme was put together from its nested form again for every drawing",
    find: "return compileCSS(svgId, allStyles);",
    put: "return millrace.stylesheet(svgId + ' ' + allStyles, () => compileCSS(svgId, allStyles));",
    times: 1,
  },
  {
    why: "the line of today would make the same source another drawing tomorrow: drawn only where it is asked for",
    find: 'if (todayMarker2 === "off") {',
    put: 'if (todayMarker2 === "off" || todayMarker2 === "") {',
    times: 1,
    inBrowser: true,
  },
  {
    why: "the last digit of a sine is another in every engine, and a layout by forces makes much of it",
    find: /(?<![.\w$])Math\.(?=(?:sin|cos|tan|asin|acos|atan2?|hypot|pow)\b)/g,
    put: "millrace.math.",
    times: "some",
  },
  {
    why: "formulas are drawn as paths, because viewers outside of browsers have no MathML",
    find: "const { default: katex2 } = await Promise.resolve().then(() => (init_katex(), katex_exports));",
    put: "const katex2 = await millrace.formulas();",
    times: 1,
    inBrowser: true,
  },
  {
    why: "Mermaid does not wait for the formulas in participants, and wrote the drawing without those at its foot",
    find: "            return byKatex;",
    put: "            return (...given) => { millrace.unfinished.push(byKatex(...given)); };",
    times: "some",
    inBrowser: true,
  },
  {
    why: "so the drawing is written when they are there",
    find: "const svgCode = false ?",
    put: "await Promise.all(millrace.unfinished.splice(0)); const svgCode = false ?",
    times: 1,
    inBrowser: true,
  },
  {
    why: "formulas need no MathML of the browser",
    find: "window.MathMLElement !== void 0",
    put: "true",
    times: 1,
    inBrowser: true,
  },
  {
    why: "a formula stands in its line like a word, with the spaces around it",
    find: "display: flex; align-items: center; justify-content: center; white-space: nowrap;",
    put: "white-space: nowrap;",
    times: 1,
    inBrowser: true,
  },
  {
    why: "icons come from installed packages",
    find: "loaderStore.get(prefix)",
    put: "(loaderStore.get(prefix) ?? millrace.iconPack(prefix))",
    times: 1,
    inBrowser: true,
  },
  {
    why: "an icon that is not found is named in a warning",
    find: "iconData = unknownIcon;",
    put: "millrace.missingIcon(iconName); iconData = unknownIcon;",
    times: 1,
    inBrowser: true,
  },
  {
    why: "and so is an icon of Font Awesome, which stands in a text",
    find: "return `<i class='${sanitizeText(fullMatch, config3)",
    put: "millrace.missingIcon(fullMatch); return `<i class='${sanitizeText(fullMatch, config3)",
    times: 1,
    inBrowser: true,
  },
  {
    why: "chance comes from a seed",
    find: /(?<![.\w$])Math\.random\b/g,
    put: "millrace.random",
    times: "some",
  },
];

// These are what they are; as parameters they would only be slower.
const LANGUAGE =
  /^(?:[A-Z]\w*(?:Array|Buffer|Error)|Array|BigInt|Boolean|Date|Error|Function|Infinity|Intl|JSON|Map|Math|NaN|Number|Object|Promise|Proxy|Reflect|RegExp|Set|String|Symbol|WeakMap|WeakSet|is\w+|parse\w+|decode\w+|encode\w+|structuredClone|queueMicrotask)$/;
const FILE = "dist/mermaid.js";
// Everything Mermaid could use to reach out of its drawing. They are parameters too, and undefined.
const HIDDEN =
  "fetch XMLHttpRequest WebSocket EventSource Worker SharedWorker importScripts process require module exports global Bun Deno Buffer localStorage sessionStorage indexedDB define Option".split(
    " ",
  );

export function loadMermaid(window: Window, substitutes: Substitutes): Mermaid {
  const text = exchange(readFileSync(join(mermaidFolder(), FILE), "utf8"), EXCHANGES);
  const browser = Object.entries(window).filter(([name]) => !LANGUAGE.test(name));
  const own: Record<string, unknown> = { ...Object.fromEntries(browser), globalThis: window, millrace: substitutes };
  const names = [...Object.keys(own), ...HIDDEN.filter((name) => !(name in own))];
  const body = `"use strict";\nlet millraceConfig, millraceConfigOf, millraceElk;\n${text}\nreturn __esbuild_esm_mermaid_nm.mermaid.default;`;
  // The text is that of the pinned package, and this is how it gets its own globals.
  const run = new Function(...names, body.replace(/^globalThis\["mermaid"\] = .*$/m, ""));
  return run(...names.map((name) => own[name])) as Mermaid;
}

/** The same Mermaid for a browser's page, where it is the global `mermaid`. */
export function mermaidForBrowser(): string {
  const exchanges = EXCHANGES.filter(({ inBrowser }) => inBrowser);
  const substitutes = `globalThis.millrace = {
    checkConfig: (config, defaults) => (${checkConfig.toString()})(config, defaults, []),
    packs: new Map(),
    missing: [],
    unfinished: [],
    formulas: async () => millraceFormulas,
    iconPack: (prefix) => millrace.packs.has(prefix) ? async () => millrace.packs.get(prefix) : undefined,
    missingIcon: (name) => { millrace.missing.push(name.replace(/:fa-/, ":")); },
  };`;
  return `${substitutes}\n${exchange(readFileSync(join(mermaidFolder(), FILE), "utf8"), exchanges)}`;
}

export function mermaidVersion(): string {
  const manifest = JSON.parse(readFileSync(join(mermaidFolder(), "package.json"), "utf8")) as { version: string };
  return manifest.version;
}

function mermaidFolder(): string {
  const folder = packageFolder("mermaid");
  if (folder !== undefined) return folder.path;
  throw new Error('The package "mermaid" is not installed. Run: npm install mermaid@12.3.0');
}

function exchange(original: string, exchanges: readonly Exchange[]): string {
  let text = original;
  for (const { why, find, put, times } of exchanges) {
    let count = 0;
    text = text.replaceAll(find, () => {
      count++;
      return put;
    });
    if (times === "some" ? count === 0 : count !== times)
      throw new Error(`This version of Mermaid is not the one we know: "${find}" is there ${count} times (${why}).`);
  }
  return text;
}
