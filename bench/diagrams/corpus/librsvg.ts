// librsvg's picture of a drawing, with our fonts: what GNOME, pandoc and Wikimedia show. Debian's package is librsvg2-bin.

import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fontConfig } from "../../../packages/diagrams/src/chromium/font-config.ts";

const LIMIT_MS = 60_000;

export class Librsvg {
  readonly #env: NodeJS.ProcessEnv;
  readonly #dir: string;

  private constructor(dir: string, env: NodeJS.ProcessEnv) {
    this.#dir = dir;
    this.#env = env;
  }

  /** Undefined where it is not installed. */
  static find(dir: string): Librsvg | undefined {
    if (spawnSync("rsvg-convert", ["--version"]).status !== 0) return undefined;
    const config = join(dir, "fonts.conf");
    mkdirSync(join(dir, "fontcache"), { recursive: true });
    writeFileSync(config, fontConfig(dir));
    return new Librsvg(dir, { ...process.env, FONTCONFIG_FILE: config });
  }

  /** Undefined for what it refuses. */
  async picture(svg: string): Promise<Uint8Array | undefined> {
    const file = join(this.#dir, "drawing.svg");
    writeFileSync(file, svg);
    return new Promise((resolve) => {
      const options = { env: this.#env, encoding: "buffer", maxBuffer: 2 ** 28, timeout: LIMIT_MS } as const;
      execFile("rsvg-convert", [file], options, (error, stdout) => resolve(error === null ? stdout : undefined));
    });
  }
}
