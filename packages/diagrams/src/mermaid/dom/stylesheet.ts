// CSSStyleSheet, as far as Mermaid uses it: to have single rules checked and written out.

import { type Declaration, parseStylesheet, type StyleRule, writeDeclarations } from "../../svg/css.ts";

export class StyleSheet {
  readonly cssRules: CssRule[] = [];

  /** Exactly one rule per call: whatever tries to break out of its braces comes out as none. */
  insertRule(text: string, index = 0): number {
    const rules = parseStylesheet(text);
    const [rule] = rules;
    if (rule?.type === "style" && rules.length === 1) this.cssRules.splice(index, 0, new CssRule(rule));
    return index;
  }

  replaceSync(text: string): void {
    this.cssRules.length = 0;
    for (const rule of parseStylesheet(text)) if (rule.type === "style") this.cssRules.push(new CssRule(rule));
  }
}

class CssRule {
  readonly #selectors: string;
  readonly #declarations: Declaration[];

  constructor({ selectors, declarations }: StyleRule) {
    this.#selectors = selectors.join(", ");
    this.#declarations = [...declarations];
  }

  get cssText(): string {
    return `${this.#selectors} { ${writeDeclarations(this.#declarations)}; }`;
  }

  get style() {
    const declarations = this.#declarations;
    return {
      length: declarations.length,
      setProperty: (property: string, value: string) => {
        if (!/[{};]/.test(value)) declarations.push({ property, value, important: false });
      },
    };
  }
}
