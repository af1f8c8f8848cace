// Which declarations of a stylesheet win on an element.

import { type Declaration, parseDeclarations, parseStylesheet, type StyleRule } from "./css.ts";
import { compileSelector, type Selectable, type Selector } from "./selector.ts";

interface IndexedRule {
  readonly selector: Selector;
  readonly declarations: readonly Declaration[];
  readonly order: number;
}

/** Which of the two sets of colours that a drawing may have. */
export type Scheme = "light" | "dark";

// A style attribute outweighs any selector, and !important outweighs that.
const INLINE = 1e12;
const IMPORTANT = 1e15;

export class Cascade {
  readonly #rules = new Map<string, IndexedRule[]>();
  readonly #wanted: ((property: string) => boolean) | undefined;
  #order = 0;

  /** `wanted` leaves out properties that are never read. */
  constructor(wanted?: (property: string) => boolean) {
    this.#wanted = wanted;
  }

  /** With a scheme, the rules of media queries that hold for a screen of that scheme count too. */
  add(stylesheet: string, scheme?: Scheme): this {
    for (const rule of parseStylesheet(stylesheet)) {
      if (rule.type === "style") this.#index(rule);
      else if (scheme !== undefined && rule.name === "media" && holdsFor(rule.prelude, scheme))
        this.add(rule.body ?? "", scheme);
    }
    return this;
  }

  /** Whether any rule at all could set these properties: if not, asking per element can be saved. */
  get isEmpty(): boolean {
    return this.#rules.size === 0;
  }

  /** The winning declarations of the stylesheets and of the element's own style attribute; undefined for none. */
  declared(element: Selectable): Map<string, string> | undefined {
    const winners = new Winners();
    this.#tryRules("*", element, winners);
    this.#tryRules(element.localName, element, winners);
    const classes = element.getAttribute("class");
    if (classes !== null)
      for (const name of classes.split(/\s+/)) if (name !== "") this.#tryRules(`.${name}`, element, winners);
    const id = element.getAttribute("id");
    if (id !== null) this.#tryRules(`#${id}`, element, winners);
    const style = element.getAttribute("style");
    if (style !== null && style !== "") winners.offer(this.#kept(parseDeclarations(style)), INLINE);
    return winners.values;
  }

  #tryRules(key: string, element: Selectable, winners: Winners): void {
    const rules = this.#rules.get(key);
    if (rules === undefined) return;
    for (const { selector, declarations, order } of rules)
      if (selector.matches(element)) winners.offer(declarations, selector.specificity * 10_000 + order);
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

function holdsFor(query: string, scheme: Scheme): boolean {
  return query
    .split(/\band\b/)
    .map((part) => part.trim().toLowerCase())
    .every(
      (part) => part === "screen" || part === "all" || part.replaceAll(" ", "") === `(prefers-color-scheme:${scheme})`,
    );
}

/** Most elements have no declaration at all: nothing is made for those. */
class Winners {
  values: Map<string, string> | undefined;
  #weights: Map<string, number> | undefined;

  offer(declarations: readonly Declaration[], weight: number): void {
    for (const { property, value, important } of declarations) {
      this.values ??= new Map();
      this.#weights ??= new Map();
      const total = important ? weight + IMPORTANT : weight;
      const best = this.#weights.get(property);
      if (best !== undefined && total < best) continue;
      this.#weights.set(property, total);
      this.values.set(property, value);
    }
  }
}
