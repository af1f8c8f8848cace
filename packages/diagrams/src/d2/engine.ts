import { D2Options } from "../api/options.ts";
import type { DiagramEngine, Drawing, Fault } from "../engine.ts";
import { viewOf } from "../frame.ts";
import { LoadedOnce } from "../loaded-once.ts";
import { isElement, type MarkupNode, readMarkup } from "../svg/markup.ts";
import { parseXml, writeXml, XmlElement, XmlError } from "../svg/xml.ts";
import { missingIn } from "../text/missing-glyphs.ts";
import { Typesetter } from "../text/typesetter.ts";
import { d2Version, loadD2 } from "./load.ts";
import { markdownAsText } from "./markdown.ts";
import { themeNumber } from "./options.ts";

const PADDING_PX = 20;
// A small diagram needs 50 MB. After one that needed more than this, a fresh copy takes over: 0.3 s for what else stays taken.
const MAX_MEMORY_BYTES = 256 * 2 ** 20;
const PANIC = /^panic recovered: ([^\n]*)/;

export class D2Engine implements DiagramEngine<D2Options> {
  readonly options = D2Options;
  #version: string | undefined;
  readonly #loaded = new LoadedOnce(loadD2);
  // Two calls at once would take each other's answers.
  #last: Promise<unknown> = Promise.resolve();

  get version(): string {
    this.#version ??= d2Version();
    return this.#version;
  }

  async warmUp(): Promise<void> {
    await this.render("a -> b", {});
  }

  render(source: string, options: D2Options): Promise<Drawing | { fault: Fault }> {
    const drawing = this.#last.then(() => this.#render(source, options));
    this.#last = drawing.catch(() => undefined);
    return drawing;
  }

  /** Go code that panicked is not asked again: a fresh copy is, once. */
  async #render(source: string, options: D2Options): Promise<Drawing | { fault: Fault }> {
    const first = await this.#attempt(source, options);
    if (!("fault" in first) || !PANIC.test(first.fault.message)) return first;
    this.#loaded.forget();
    const second = await this.#attempt(source, options);
    if (!("fault" in second) || !PANIC.test(second.fault.message)) return second;
    this.#loaded.forget();
    const [, reason = "a panic"] = PANIC.exec(second.fault.message) ?? [];
    return { fault: { message: `D2 failed on this diagram (${reason}). Another layout may work.` } };
  }

  async #attempt(source: string, options: D2Options): Promise<Drawing | { fault: Fault }> {
    const d2 = await this.#loaded.get();
    const { theme, darkTheme, layout = "dagre", sketch = false, padding = PADDING_PX } = options;
    if (layout === "elk" || /\belk\b/.test(source)) d2.loadElk();
    const look = {
      sketch,
      pad: padding,
      noXMLTag: true,
      ...(theme === undefined ? {} : { themeID: themeNumber(theme) }),
      ...(darkTheme === undefined ? {} : { darkThemeID: themeNumber(darkTheme) }),
    };
    const compiled = answer(await d2.compile(JSON.stringify({ fs: { index: source }, options: { layout, ...look } })));
    if ("fault" in compiled) return compiled;
    const { diagram, renderOptions } = compiled.data as { diagram: unknown; renderOptions: object };
    const request = { diagram, options: { ...renderOptions, ...look } };
    const rendered = answer(await d2.render(JSON.stringify(request)));
    if (d2.memoryBytes() > MAX_MEMORY_BYTES) this.#loaded.forget();
    if ("fault" in rendered) return rendered;
    return finish(Buffer.from(String(rendered.data), "base64").toString("utf8"), options);
  }
}

async function finish(svg: string, { background, engine }: D2Options): Promise<Drawing | { fault: Fault }> {
  const root = readDrawing(svg);
  if (root === undefined)
    return { fault: { message: "D2 produced invalid XML, because of markup in a label or a class." } };
  const warnings: string[] = [];
  if (background !== undefined) recolour(root, background);
  let browserSvg: string | undefined;
  if (svg.includes("<foreignObject")) {
    if (engine === "chromium") browserSvg = writeXml(root);
    const count = markdownAsText(root, await Typesetter.load());
    if (count > 0)
      warnings.push(
        "Markdown in the diagram is drawn as plain text: headings, lists and code, without tables, images and links.",
      );
  }
  warnings.push(...(await missingIn(root)));
  const { width, height } = viewOf(root);
  const drawing = { svg: writeXml(root), width, height, warnings, isPadded: true };
  return browserSvg === undefined ? drawing : { ...drawing, browserSvg };
}

/** HTML that an author put into Markdown need not be XML; it is made so. */
function readDrawing(svg: string): XmlElement | undefined {
  for (const text of [
    svg,
    svg.replace(
      /(<foreignObject[^>]*>)([\s\S]*?)(<\/foreignObject>)/g,
      (_, open, inside, close) => open + asXml(inside) + close,
    ),
  ]) {
    try {
      return parseXml(text);
    } catch (error) {
      if (!(error instanceof XmlError)) throw error;
    }
  }
  return undefined;
}

function asXml(html: string): string {
  const root = new XmlElement("div");
  const copy = (nodes: readonly MarkupNode[], into: XmlElement) => {
    for (const node of nodes) {
      if ("value" in node) into.append(node.value);
      if (!isElement(node)) continue;
      const element = new XmlElement(/^[a-z]\w*$/i.test(node.tagName) ? node.tagName : "span");
      into.append(element);
      copy(node.childNodes, element);
    }
  };
  copy(readMarkup(html), root);
  return writeXml(root);
}

/** The ground is the first rectangle of the inner svg. */
function recolour(root: XmlElement, background: string): void {
  const ground = root.elements[0]?.elements.find(({ localName }) => localName === "rect");
  if (ground === undefined) return;
  ground.attributes.delete("class");
  ground.attributes.set("fill", background);
}

/** Go's answers: `{data}`, or an error whose message is a list of places and what is wrong there. */
function answer(text: string): { data: unknown } | { fault: Fault } {
  const { data, error } = JSON.parse(text) as { data?: unknown; error?: { message: string } };
  return error === undefined ? { data } : { fault: faultOf(error.message) };
}

function faultOf(message: string): Fault {
  const [first = message] = messagesIn(message);
  const [, line, column, rest] = /^index:(\d+):(\d+): ([\s\S]*)$/.exec(first) ?? [];
  const sentence = rest ?? first.replace(/^index: ?/, "");
  return line === undefined ? { message: sentence } : { message: sentence, line: Number(line), column: Number(column) };
}

function messagesIn(message: string): string[] {
  try {
    return (JSON.parse(message) as { errmsg: string }[]).map(({ errmsg }) => errmsg);
  } catch {
    return [message];
  }
}
