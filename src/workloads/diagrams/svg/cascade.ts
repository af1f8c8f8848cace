// Which declarations of a stylesheet win on an element.

import { type Declaration, parseDeclarations, parseStylesheet, type StyleRule } from "./css.ts";
import { compileSelector, type Selectable, type Selector } from "./selector.ts";

interface IndexedRule {
  readonly selector: Selector;
  readonly declarations: readonly Declaration[];
  readonly order: number;
}

// A style attribute outweighs any selector, and !important outweighs that.
const INLINE = 1e12;
const IMPORTANT = 1e15;

export class Cascade {
  readonly #rules = new Map<string, IndexedRule[]>();
  readonly #wanted: ((property: string) => boolean) | undefined;
  #order = 0;

  /** `wanted` leaves out the properties nobody will ask for. */
  constructor(wanted?: (property: string) => boolean) {
    this.#wanted = wanted;
  }

  add(stylesheet: string): this {
    for (const rule of parseStylesheet(stylesheet)) if (rule.type === "style") this.#index(rule);
    return this;
  }

  /** Whether any rule at all could set these properties: if not, asking per element can be saved. */
  get isEmpty(): boolean {
    return this.#rules.size === 0;
  }

  /** The winning declarations of the stylesheets and of the element's own style attribute; undefined for none. */
  declared(element: Selectable): Map<string, string> | undefined {
    const winners = new Map<string, { weight: number; value: string }>();
    const offer = (declarations: readonly Declaration[], weight: number) => {
      for (const { property, value, important } of declarations) {
        const total = important ? weight + IMPORTANT : weight;
        const best = winners.get(property);
        if (best === undefined || total >= best.weight) winners.set(property, { weight: total, value });
      }
    };
    const tryRules = (key: string) => {
      for (const { selector, declarations, order } of this.#rules.get(key) ?? [])
        if (selector.matches(element)) offer(declarations, selector.specificity * 10_000 + order);
    };
    tryRules("*");
    tryRules(element.localName);
    const classes = element.getAttribute("class");
    if (classes !== null) for (const name of classes.split(/\s+/)) if (name !== "") tryRules(`.${name}`);
    const id = element.getAttribute("id");
    if (id !== null) tryRules(`#${id}`);
    const style = element.getAttribute("style");
    if (style !== null && style !== "") offer(this.#kept(parseDeclarations(style)), INLINE);
    if (winners.size === 0) return undefined;
    return new Map([...winners].map(([property, { value }]) => [property, value]));
  }

  #index(rule: StyleRule): void {
    const declarations = this.#kept(rule.declarations);
    if (declarations.length === 0) return;
    for (const text of rule.selectors) {
      const selector = compileSelector(text);
      if (selector === undefined) continue;
      const list = this.#rules.get(selector.key) ?? [];
      list.push({ selector, declarations, order: this.#order++ });
      this.#rules.set(selector.key, list);
    }
  }

  #kept(declarations: readonly Declaration[]): readonly Declaration[] {
    const wanted = this.#wanted;
    return wanted === undefined ? declarations : declarations.filter(({ property }) => wanted(property));
  }
}
