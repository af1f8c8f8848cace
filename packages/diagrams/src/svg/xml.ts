// A small, strict reader of XML and its writer. Strict, because two readers that disagree about broken markup are how
// scripts get past a sanitiser: what is not well-formed is refused, and what is written is always well-formed.

export class XmlElement {
  readonly localName: string;
  readonly attributes: Map<string, string>;
  readonly children: (XmlElement | string)[] = [];
  parentElement: XmlElement | null = null;
  /** Its position among its parent's children when it was last looked up. */
  #place = -1;

  constructor(localName: string, attributes: Iterable<readonly [string, string]> = []) {
    this.localName = localName;
    this.attributes = new Map(attributes);
  }

  getAttribute(name: string): string | null {
    return this.attributes.get(name) ?? null;
  }

  get elements(): XmlElement[] {
    return this.children.filter((child) => child instanceof XmlElement);
  }

  get text(): string {
    return this.children.map((child) => (child instanceof XmlElement ? child.text : child)).join("");
  }

  get previousElementSibling(): XmlElement | null {
    return this.#sibling(-1);
  }

  get nextElementSibling(): XmlElement | null {
    return this.#sibling(1);
  }

  append(child: XmlElement | string): void {
    if (child instanceof XmlElement) child.parentElement = this;
    this.children.push(child);
  }

  *descendants(): Generator<XmlElement> {
    for (const child of this.children) {
      if (!(child instanceof XmlElement)) continue;
      yield child;
      yield* child.descendants();
    }
  }

  // Selectors go from sibling to sibling, so a search for the own place at each step would be cubic.
  #sibling(step: 1 | -1): XmlElement | null {
    const siblings = this.parentElement?.children ?? [];
    if (siblings[this.#place] !== this)
      for (const [at, sibling] of siblings.entries()) if (sibling instanceof XmlElement) sibling.#place = at;
    for (let at = this.#place + step; at >= 0 && at < siblings.length; at += step) {
      const sibling = siblings[at];
      if (sibling instanceof XmlElement) return sibling;
    }
    return null;
  }
}

export class XmlError extends Error {
  override readonly name = "XmlError";
}

const NAME = "[A-Za-z_:\\u00c0-\\uffff][\\w.:\\u00b7-\\uffff-]*";
const OPEN = new RegExp(`<(${NAME})((?:\\s+${NAME}\\s*=\\s*(?:"[^"<]*"|'[^'<]*'))*)\\s*(/?)>`, "y");
const CLOSE = new RegExp(`</(${NAME})\\s*>`, "y");
const ATTRIBUTE = new RegExp(`(${NAME})\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, "g");
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0" };
const MAX_DEPTH = 500;

/** The root element. A document type, comments and processing instructions are passed over; entities of one's own are not known. */
export function parseXml(text: string): XmlElement {
  let root: XmlElement | undefined;
  let open: XmlElement | undefined;
  let depth = 0;
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  while (at < text.length) {
    const next = text.indexOf("<", at);
    const end = next === -1 ? text.length : next;
    if (end > at) {
      const between = text.slice(at, end);
      if (open !== undefined) open.append(decode(between, at));
      else if (between.trim() !== "") throw new XmlError(`Text outside of the root element at ${at}.`);
    }
    if (next === -1) break;
    at = next;
    if (text.startsWith("<!--", at)) at = after(text, "-->", at);
    else if (text.startsWith("<![CDATA[", at)) {
      const close = after(text, "]]>", at);
      open?.append(text.slice(at + 9, close - 3));
      at = close;
    } else if (text.startsWith("<?", at)) at = after(text, "?>", at);
    else if (text.startsWith("<!DOCTYPE", at) && root === undefined) at = afterDoctype(text, at);
    else if (text[at + 1] === "/") {
      CLOSE.lastIndex = at;
      const found = CLOSE.exec(text);
      if (found === null || open === undefined || found[1] !== open.localName)
        throw new XmlError(`The end tag at ${at} has no start tag.`);
      open = open.parentElement ?? undefined;
      depth--;
      at = CLOSE.lastIndex;
    } else {
      OPEN.lastIndex = at;
      const found = OPEN.exec(text);
      if (found === null) throw new XmlError(`Invalid tag at ${at}.`);
      if (root !== undefined && open === undefined) throw new XmlError(`A second root element at ${at}.`);
      const element = new XmlElement(found[1] ?? "", attributesOf(found[2] ?? "", at));
      open?.append(element);
      root ??= element;
      at = OPEN.lastIndex;
      if (found[3] === "/") continue;
      open = element;
      if (++depth > MAX_DEPTH) throw new XmlError(`Elements are nested more than ${MAX_DEPTH} levels deep.`);
    }
  }
  if (root === undefined) throw new XmlError("The document has no element.");
  if (open !== undefined) throw new XmlError(`<${open.localName}> is not closed.`);
  return root;
}

export function writeXml(root: XmlElement): string {
  const parts: string[] = [];
  write(root, parts);
  return parts.join("");
}

function write(element: XmlElement, parts: string[]): void {
  parts.push("<", element.localName);
  for (const [name, value] of element.attributes)
    parts.push(" ", name, '="', escapeXml(writable(value)).replaceAll('"', "&quot;"), '"');
  if (element.children.length === 0) {
    parts.push("/>");
    return;
  }
  parts.push(">");
  for (const child of element.children) {
    if (child instanceof XmlElement) write(child, parts);
    else parts.push(escapeXml(writable(child)));
  }
  parts.push("</", element.localName, ">");
}

// XML 1.0 cannot write most control characters, U+FFFE, U+FFFF or half a surrogate pair, not even as entities.
const UNWRITABLE = /[^\P{Cc}\t\n\r]|[\p{Cs}\ufffe\uffff]/gu;

/** The text with U+FFFD, the sign for a character that cannot be shown, in place of what XML cannot write. */
export function writable(text: string): string {
  return text.replace(UNWRITABLE, "\ufffd");
}

export function escapeXml(text: string): string {
  if (!/[&<>]/.test(text)) return text;
  return text.replace(/[&<>]/g, (character) => (character === "&" ? "&amp;" : character === "<" ? "&lt;" : "&gt;"));
}

function attributesOf(text: string, at: number): Map<string, string> {
  const attributes = new Map<string, string>();
  if (text === "") return attributes;
  for (const [, name = "", double, single] of text.matchAll(ATTRIBUTE)) {
    if (attributes.has(name)) throw new XmlError(`The attribute "${name}" is given twice at ${at}.`);
    attributes.set(name, decode(double ?? single ?? "", at));
  }
  return attributes;
}

function decode(text: string, at: number): string {
  if (!text.includes("&")) return text;
  return text.replace(/&([^;]{0,12};)?/g, (whole, inside: string | undefined) => {
    const name = inside?.slice(0, -1) ?? "";
    const known = Object.hasOwn(ENTITIES, name) ? ENTITIES[name] : undefined;
    if (known !== undefined) return known;
    const [, hexadecimal, decimal] = /^#(?:x([\da-fA-F]+)|(\d+))$/.exec(name) ?? [];
    const codePoint = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16);
    if (Number.isNaN(codePoint)) throw new XmlError(`Unknown entity ${whole} near ${at}.`);
    return codePoint <= 0x10ffff ? writable(String.fromCodePoint(codePoint)) : "\ufffd";
  });
}

function after(text: string, end: string, from: number): number {
  const found = text.indexOf(end, from);
  if (found === -1) throw new XmlError(`The part that starts at ${from} is not closed.`);
  return found + end.length;
}

/** Without a subset of its own: that is where entities would be declared. */
function afterDoctype(text: string, from: number): number {
  const end = after(text, ">", from);
  if (text.slice(from, end).includes("[")) throw new XmlError("A document type with declarations is not allowed.");
  return end;
}
