// element.style, kept in step with the style attribute.

import { parseDeclarations, writeDeclarations } from "../../svg/css.ts";

export interface StyleOwner {
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
}

export class InlineStyle {
  readonly #owner: StyleOwner;

  private constructor(owner: StyleOwner) {
    this.#owner = owner;
  }

  /** `style.maxWidth = "10px"` works as well as `style.setProperty("max-width", "10px")`. */
  static of(owner: StyleOwner): InlineStyle {
    return new Proxy(new InlineStyle(owner), {
      get(style, key) {
        if (typeof key === "symbol") return undefined;
        const own = style[key as keyof InlineStyle] as unknown;
        if (typeof own === "function") return own.bind(style);
        return key === "cssText" ? (owner.getAttribute("style") ?? "") : style.getPropertyValue(hyphenated(key));
      },
      set(style, key, value) {
        if (key === "cssText") owner.setAttribute("style", String(value));
        else if (typeof key === "string") style.setProperty(hyphenated(key), value);
        return true;
      },
    });
  }

  getPropertyValue(property: string): string {
    return this.#read().find((each) => each.property === property)?.value ?? "";
  }

  setProperty(property: string, value: unknown, priority = ""): void {
    const others = this.#read().filter((each) => each.property !== property);
    const text = value === null || value === undefined ? "" : String(value);
    if (text !== "") others.push({ property, value: text, important: priority === "important" });
    if (others.length === 0) this.#owner.removeAttribute("style");
    else this.#owner.setAttribute("style", `${writeDeclarations(others)};`);
  }

  removeProperty(property: string): void {
    this.setProperty(property, "");
  }

  #read() {
    return parseDeclarations(this.#owner.getAttribute("style") ?? "");
  }
}

function hyphenated(name: string): string {
  return name.startsWith("--") ? name : name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
