// Formulas and icons in a browser's page, which can fetch nothing: each part is sent with the first diagram that uses it.

import type { Page } from "millrace/chromium";
import { formulasForBrowser } from "../mermaid/formulas/formulas.ts";
import { iconPack } from "../mermaid/icons/icon-packs.ts";

const ICON = /(?<![\w-])([a-z\d]+(?:-[a-z\d]+)*):(?=[a-z\d])/g;
/** A source can name thousands of prefixes, and each is looked up in the file system. */
const MOST_PREFIXES = 50;

export class PageExtras {
  #hasFormulas = false;
  readonly #prefixes = new Set<string>();

  async load(page: Page, source: string): Promise<void> {
    if (source.includes("$$") && !this.#hasFormulas) {
      await page.evaluate(`globalThis.millraceFormulas = ${formulasForBrowser()};\n1`);
      this.#hasFormulas = true;
    }
    const prefixes = new Set(Array.from(source.matchAll(ICON), ([, prefix = ""]) => prefix));
    for (const prefix of [...prefixes].slice(0, MOST_PREFIXES)) {
      if (this.#prefixes.has(prefix)) continue;
      const pack = iconPack(prefix);
      if (pack === undefined) continue;
      await page.evaluate(`millrace.packs.set(${JSON.stringify(prefix)}, ${JSON.stringify(pack)});\n1`);
      this.#prefixes.add(prefix);
    }
  }
}
