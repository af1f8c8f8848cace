import type { TextContainer } from "./block.ts";
import { type Concealment, concealmentOf, hiddenNames } from "./hidden.ts";

type Attributes = Readonly<Record<string, string>>;

const words = (text: string) => new Set(text.split(" "));
/** Elements within a line of text. */
export const PHRASING = words(
  "a abbr acronym b bdi bdo big br cite code data del dfn em font i ins kbd label mark meter output q rp rt ruby s samp small span strong sub sup time tt u var wbr img",
);
const UNREAD = words("script style template noscript svg math iframe object canvas select datalist audio video");

interface OpenElement {
  readonly name: string;
  readonly hint: string;
  readonly conceals: Concealment | undefined;
  box: TextContainer | undefined;
}

const WHOLE_PAGE: TextContainer = { name: "html", hint: "", parent: undefined, isCollapsed: false };

/** The elements around the place that is being read. */
export class OpenElements {
  readonly #open: OpenElement[] = [];
  readonly #concealing: Record<Concealment, number> = { collapsed: 0, faded: 0, unseen: 0 };
  /** Classes and ids that the page's own style sheets hide. */
  readonly #hiddenNames = new Map<string, Concealment>();
  #unread = 0;
  #links = 0;

  get depth(): number {
    return this.#open.length;
  }

  get innermost(): string | undefined {
    return this.#open.at(-1)?.name;
  }

  get isUnread(): boolean {
    return this.#unread > 0;
  }

  get isInLink(): boolean {
    return this.#links > 0;
  }

  get isHidden(): boolean {
    const { collapsed, faded, unseen } = this.#concealing;
    return collapsed + faded + unseen > 0;
  }

  get isUnseen(): boolean {
    return this.#concealing.unseen > 0;
  }

  get isCollapsed(): boolean {
    return this.#concealing.collapsed > 0;
  }

  get innermostHides(): boolean {
    return this.#open.at(-1)?.conceals !== undefined;
  }

  push(name: string, attributes: Attributes): void {
    const conceals = this.#concealment(name, attributes);
    this.#open.push({ name, hint: hintOf(attributes), conceals, box: undefined });
    this.#count(name, conceals, 1);
  }

  pop(): void {
    const top = this.#open.pop();
    if (top) this.#count(top.name, top.conceals, -1);
  }

  hideBySheet(css: string): void {
    for (const [name, how] of hiddenNames(css)) this.#hiddenNames.set(name, how);
  }

  /** The innermost element around the text, and those around it. Elements without text never become boxes. */
  box(): TextContainer {
    let parent: TextContainer | undefined;
    for (const each of this.#open) {
      if (PHRASING.has(each.name)) continue;
      const { name, hint, conceals } = each;
      each.box ??= { name, hint, parent, isCollapsed: conceals === "collapsed" };
      parent = each.box;
    }
    return parent ?? WHOLE_PAGE;
  }

  #count(name: string, conceals: Concealment | undefined, by: 1 | -1): void {
    if (conceals !== undefined) this.#concealing[conceals] += by;
    if (UNREAD.has(name)) this.#unread += by;
    if (name === "a") this.#links += by;
  }

  #concealment(name: string, attributes: Attributes): Concealment | undefined {
    const byStyle = attributes["style"] === undefined ? undefined : concealmentOf(attributes["style"]);
    if (byStyle !== undefined) return byStyle;
    if (attributes["hidden"] !== undefined && attributes["hidden"] !== "until-found") return "collapsed";
    if (name === "dialog" && attributes["open"] === undefined) return "collapsed";
    if (this.#hiddenNames.size === 0) return undefined;
    const names = [`#${attributes["id"] ?? ""}`];
    for (const each of (attributes["class"] ?? "").slice(0, 1_000).split(/\s+/)) names.push(`.${each}`);
    const hidden = names.find((each) => this.#hiddenNames.has(each));
    return hidden === undefined ? undefined : this.#hiddenNames.get(hidden);
  }
}

/** What an author called an element. */
function hintOf(attributes: Attributes): string {
  const { class: classes = "", id = "", role, itemprop } = attributes;
  if (classes === "" && id === "" && role === undefined && itemprop === undefined) return "";
  // An id of many words is a heading's text, as in "sharing-with-other-people", and says nothing about the element.
  const name = id.length > 60 || id.split(/[-_]/).length > 3 ? "" : id;
  const named = `${classes.slice(0, 300)} ${name}`.replaceAll(/([a-z])([A-Z])/g, "$1-$2");
  const roleHint = role === undefined ? "" : ` role=${role.slice(0, 50)}`;
  return `${named}${roleHint} ${(itemprop ?? "").slice(0, 50)}`.trim().toLowerCase();
}
