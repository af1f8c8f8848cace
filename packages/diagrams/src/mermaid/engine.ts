// The real Mermaid in a plain process: our own document and fonts answer what it would ask a browser.

import { MermaidOptions } from "../api/options.ts";
import { isDark } from "../colour.ts";
import type { DiagramEngine, Drawing, Fault } from "../engine.ts";
import { LoadedOnce } from "../loaded-once.ts";
import { Memo } from "../memo.ts";
import { decodeEntities } from "../svg/markup.ts";
import { missingGlyphs } from "../text/missing-glyphs.ts";
import { Typesetter } from "../text/typesetter.ts";
import { checkConfig } from "./check-config.ts";
import { copyConfig } from "./config-copy.ts";
import { withDarkStyles } from "./dark.ts";
import { darkBeside } from "./dark-beside.ts";
import { Document } from "./dom/document.ts";
import type { Element } from "./dom/element.ts";
import { Timers } from "./dom/timers.ts";
import { makeWindow } from "./dom/window.ts";
import { faultOf, tooLong } from "./fault.ts";
import { formulas } from "./formulas/formulas.ts";
import { Geometry } from "./geometry/geometry.ts";
import { TextStyles } from "./geometry/text-style.ts";
import { htmlLabelsAsText } from "./html/convert.ts";
import { htmlAsSvg } from "./html/to-svg.ts";
import { iconPack, iconsNotDrawn } from "./icons/icon-packs.ts";
import { purifier } from "./labels.ts";
import { loadMermaid, type Mermaid, mermaidVersion } from "./load.ts";
import { DRAWING_ID, mermaidConfig, SECURE } from "./options.ts";
import { SeededRandom } from "./random.ts";
import { serialise } from "./serialise.ts";
import { steadyMath } from "./steady-math.ts";
import { ZenUmlDrawer } from "./zenuml/zenuml.ts";

const WARM_UP = ["flowchart LR\n  a -->|b| c", "sequenceDiagram\n  a->>b: c", "classDiagram\n  a <|-- b"];

export class MermaidEngine implements DiagramEngine<MermaidOptions> {
  readonly options = MermaidOptions;
  readonly #chance = new SeededRandom();
  readonly #loaded = new LoadedOnce(() => load(this.#chance));
  readonly #zenUml = new ZenUmlDrawer();
  #version: string | undefined;
  #configured: string | undefined;
  // One drawing at a time: Mermaid keeps what it is drawing in variables of its own.
  #last: Promise<unknown> = Promise.resolve();

  get version(): string {
    this.#version ??= mermaidVersion();
    return this.#version;
  }

  async warmUp(): Promise<void> {
    for (const source of WARM_UP) await this.render(source, {});
  }

  /** The kinds of diagram that Mermaid knows, by its own names. */
  async kinds(): Promise<string[]> {
    const { mermaid } = await this.#loaded.get();
    // Asked for nothing, Mermaid first fills its registry.
    await mermaid.registerExternalDiagrams([]);
    return mermaid.getRegisteredDiagramsMetadata().map(({ id }) => id);
  }

  render(source: string, options: MermaidOptions): Promise<Drawing | { fault: Fault }> {
    const drawing = this.#last.then(() => this.#render(source, options));
    this.#last = drawing.catch(() => undefined);
    return drawing;
  }

  async #render(source: string, options: MermaidOptions): Promise<Drawing | { fault: Fault }> {
    const fault = tooLong(source);
    if (fault !== undefined) return { fault };
    if (ZenUmlDrawer.draws(source)) return this.#zenUml.draw(source);
    const { darkTheme, ...light } = options;
    const warnings: string[] = [];
    try {
      const draw =
        options.engine === "chromium" ? await this.#inChromium(source, warnings) : await this.#here(source, warnings);
      let { svg, ground } = await draw(light);
      if (darkTheme !== undefined) {
        const dark = await draw({ ...light, theme: darkTheme });
        svg = withDarkStyles(svg, dark.svg) ?? darkBeside(svg, dark.svg);
        return { svg, ...sizeOf(svg), ground: { light: ground, dark: dark.ground }, warnings };
      }
      return { svg, ...sizeOf(svg), ground: { light: ground }, warnings };
    } catch (error) {
      if (error instanceof Error && error.name === "ChromiumEnded") throw error;
      return { fault: faultOf(error, source) };
    }
  }

  async #inChromium(source: string, warnings: string[]): Promise<Draw> {
    const { sharedChromium } = await import("../chromium/chromium.ts");
    const chromium = await sharedChromium();
    const typesetter = await Typesetter.load();
    return async (options) => {
      const { svg, missingIcons } = await chromium.mermaid(source, options);
      const warning = iconsNotDrawn(missingIcons);
      if (warning !== undefined && !warnings.includes(warning)) warnings.push(warning);
      const ground = groundOf(/dark$/.test(options.theme ?? "") ? DARK_GROUND : undefined);
      return { svg: htmlLabelsAsText(svg, typesetter), ground };
    };
  }

  async #here(source: string, warnings: string[]): Promise<Draw> {
    const loaded = await this.#loaded.get();
    return async (options) => {
      const svg = await this.#draw(source, options, loaded);
      const ground = groundOf(loaded.mermaid.mermaidAPI.getConfig().themeVariables?.["background"]);
      const missing = loaded.typesetter.drainMissing();
      if (missing.length > 0 && warnings.length === 0) warnings.push(missingGlyphs(missing));
      for (const warning of [
        refusedNames(loaded.refused.splice(0)),
        ignoredValues(loaded.ignored.splice(0)),
        iconsNotDrawn(loaded.missingIcons.splice(0)),
      ])
        if (warning !== undefined && !warnings.includes(warning)) warnings.push(warning);
      return { svg, ground };
    };
  }

  async #draw(source: string, options: MermaidOptions, loaded: LoadedMermaid): Promise<string> {
    const { mermaid, document, timers, ignored, refused } = loaded;
    ignored.length = 0;
    refused.length = 0;
    const own = options.config === undefined ? {} : loaded.check(options.config, mermaid.mermaidAPI.defaultConfig);
    const config = mermaidConfig(options, own);
    const key = JSON.stringify(config);
    if (key !== this.#configured) mermaid.initialize(config);
    this.#configured = key;
    this.#chance.restart();
    loaded.missingIcons.length = 0;
    try {
      const { svg } = await mermaid.render(DRAWING_ID, source);
      return svg;
    } finally {
      timers.end();
      document.clear();
    }
  }
}

/** The SVG, and the colour of its ground; throws what Mermaid throws. */
type Draw = (options: MermaidOptions) => Promise<{ svg: string; ground: string }>;

/** Of all Mermaid's dark themes. */
const DARK_GROUND = "#333";

/** White, as mermaid-cli's, but for dark themes, whose pale lines would not be seen on it. */
function groundOf(background: unknown): string {
  return typeof background === "string" && isDark(background) ? background.trim() : "white";
}

interface LoadedMermaid {
  readonly mermaid: Mermaid;
  readonly document: Document;
  readonly timers: Timers;
  readonly typesetter: Typesetter;
  /** Paths of the values in the configuration of the diagram being drawn that have the wrong type. */
  readonly ignored: string[];
  /** Names in it that only we may set. */
  readonly refused: string[];
  /** The configuration without both. */
  check(config: unknown, defaults: unknown): Record<string, unknown>;
  /** Names of icons that no installed pack has. */
  readonly missingIcons: string[];
}

async function load(chance: SeededRandom): Promise<LoadedMermaid> {
  const typesetter = await Typesetter.load();
  const document = new Document();
  const timers = new Timers();
  const geometry = new Geometry(new TextStyles(document), typesetter);
  const stylesheets = new Memo<string>(32);
  const ignored: string[] = [];
  const refused: string[] = [];
  const missingIcons: string[] = [];
  const check = (config: unknown, defaults: unknown) => {
    const given = typeof config === "object" && config !== null ? Object.entries(config) : [];
    refused.push(...given.flatMap(([name]) => (SECURE.includes(name) ? [name] : [])));
    return checkConfig(Object.fromEntries(given.filter(([name]) => !SECURE.includes(name))), defaults, ignored);
  };
  const window = makeWindow(document, geometry, timers, chance);
  const mermaid = loadMermaid(window, {
    purifier,
    serialise: (svg) => {
      htmlAsSvg(svg as Element, geometry);
      return serialise(svg as Element);
    },
    random: () => chance.random(),
    decodeEntities,
    copyConfig,
    checkConfig: check,
    stylesheet: (text, make) => stylesheets.get(text, make),
    math: steadyMath,
    formulas,
    unfinished: [],
    iconPack: (prefix) => {
      const pack = iconPack(prefix);
      return pack === undefined ? undefined : async () => pack;
    },
    missingIcon: (name) => {
      missingIcons.push(name.replace(/:fa-/, ":"));
    },
  });
  mermaid.registerLayoutLoaders((await import("@mermaid-js/layout-tidy-tree")).default);
  return { mermaid, document, timers, typesetter, check, ignored, refused, missingIcons };
}

const MOST_NAMED = 5;

function refusedNames(names: readonly string[]): string | undefined {
  return names.length === 0 ? undefined : `A diagram cannot set ${[...new Set(names)].join(", ")}.`;
}

function ignoredValues(paths: readonly string[]): string | undefined {
  if (paths.length === 0) return undefined;
  const more = paths.length > MOST_NAMED ? ` and ${paths.length - MOST_NAMED} more` : "";
  return `Ignored configuration values that have the wrong type: ${paths.slice(0, MOST_NAMED).join(", ")}${more}.`;
}

/** From the viewBox, or from width and height where there is none. */
function sizeOf(svg: string): { width: number; height: number } {
  const [root = ""] = /^<svg[^>]*>/.exec(svg) ?? [];
  const [, , , width, height] = /viewBox="([-\d.]+)[ ,]+([-\d.]+)[ ,]+([\d.]+)[ ,]+([\d.]+)"/.exec(root) ?? [];
  const side = (name: string) => new RegExp(` ${name}="([\\d.]+)(?:px)?"`).exec(root)?.[1] ?? "0";
  return { width: Number(width ?? side("width")), height: Number(height ?? side("height")) };
}
