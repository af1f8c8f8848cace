// CSSStyleSheet, as far as Mermaid uses it: to have single rules checked and written out.

import { parseStylesheet, type StyleRule, writeDeclarations } from "../../svg/css.ts";

export class StyleSheet {
  readonly cssRules: { readonly cssText: string; readonly style: Record<string, unknown> }[] = [];

  /** Exactly one rule per call: whatever tries to break out of its braces comes out as none. */
  insertRule(text: string, index = 0): number {
    const rules = parseStylesheet(text);
    const [rule] = rules;
    if (rule?.type === "style" && rules.length === 1) this.cssRules.splice(index, 0, asCssRule(rule));
    return index;
  }

  replaceSync(text: string): void {
    this.cssRules.length = 0;
    for (const rule of parseStylesheet(text)) if (rule.type === "style") this.cssRules.push(asCssRule(rule));
  }
}

function asCssRule({ selectors, declarations }: StyleRule) {
  return { cssText: `${selectors.join(", ")} { ${writeDeclarations(declarations)}; }`, style: {} };
}
