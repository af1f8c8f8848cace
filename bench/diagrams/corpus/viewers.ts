// Pictures of a drawing by programs that are no browser, with our fonts: librsvg, which GNOME, pandoc and Wikimedia use, and
// Inkscape. Debian's packages are librsvg2-bin and inkscape.

import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fontConfig } from "../../../packages/diagrams/src/chromium/font-config.ts";

const LIMIT_MS = 60_000;

export const VIEWERS = {
  librsvg: { program: "rsvg-convert", args: (svg: string, png: string) => [svg, "-o", png] },
  inkscape: { program: "inkscape", args: (svg: string, png: string) => [svg, "-o", png] },
} as const;
export type ViewerName = keyof typeof VIEWERS;

export class Viewer {
  readonly #name: ViewerName;
  readonly #env: NodeJS.ProcessEnv;
  readonly #dir: string;

  private constructor(name: ViewerName, dir: string, env: NodeJS.ProcessEnv) {
    this.#name = name;
    this.#dir = dir;
    this.#env = env;
  }

  /** Undefined where it is not installed. */
  static find(name: ViewerName, dir: string): Viewer | undefined {
    if (spawnSync(VIEWERS[name].program, ["--version"]).status !== 0) return undefined;
    const config = join(dir, "fonts.conf");
    mkdirSync(join(dir, "fontcache"), { recursive: true });
    writeFileSync(config, fontConfig(dir));
    return new Viewer(name, dir, { ...process.env, FONTCONFIG_FILE: config });
  }

  /** Of so many whole pixels, because programs round differently. Undefined for what it refuses. */
  async picture(svg: string, width: number, height: number): Promise<Uint8Array | undefined> {
    const [file, png] = [join(this.#dir, "drawing.svg"), join(this.#dir, "drawing.png")];
    writeFileSync(file, inWholePixels(svg, width, height));
    rmSync(png, { force: true });
    const { program, args } = VIEWERS[this.#name];
    return new Promise((resolve) => {
      execFile(program, args(file, png), { env: this.#env, timeout: LIMIT_MS }, (error) =>
        resolve(error === null ? readFileSync(png) : undefined),
      );
    });
  }
}

function inWholePixels(svg: string, width: number, height: number): string {
  return svg.replace(/^<svg[^>]*>/, (tag) =>
    tag
      .replace(/ width="[^"]*"/, ` width="${Math.max(1, Math.round(width))}"`)
      .replace(/ height="[^"]*"/, ` height="${Math.max(1, Math.round(height))}"`),
  );
}
