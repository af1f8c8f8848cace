import { D2Options } from "../api/options.ts";
import type { DiagramEngine, Drawing, Fault } from "../engine.ts";
import { viewOf } from "../frame.ts";
import { LoadedOnce } from "../loaded-once.ts";
import { isElement, type MarkupNode, readMarkup } from "../svg/markup.ts";
import { parseXml, writeXml, XmlElement, XmlError } from "../svg/xml.ts";
import { missingIn } from "../text/missing-glyphs.ts";
import { Typesetter } from "../text/typesetter.ts";
import { type Board, type BoardTree, boardsOf, MOST_BOARDS, stacked } from "./boards.ts";
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
    const { diagram, renderOptions } = compiled.data as { diagram: BoardTree; renderOptions: object };
    const all = boardsOf(diagram);
    const boards = options.board === undefined ? all : all.filter(({ path }) => isCalled(path, options.board ?? ""));
    if (boards.length === 0) return { fault: { message: noBoard(options.board ?? "", all) } };
    const drawn: DrawnBoard[] = [];
    for (const { path } of boards.slice(0, MOST_BOARDS)) {
      const target = path === "" ? {} : { target: path };
      const request = { diagram, options: { ...renderOptions, ...look, ...target } };
      const rendered = answer(await d2.render(JSON.stringify(request)));
      if (d2.memoryBytes() > MAX_MEMORY_BYTES) this.#loaded.forget();
      if ("fault" in rendered) return rendered;
      const board = await finish(path, Buffer.from(String(rendered.data), "base64").toString("utf8"), options);
      if ("fault" in board) return board;
      drawn.push(board);
    }
    return together(drawn, boards.length);
  }
}

interface DrawnBoard {
  readonly path: string;
  readonly root: XmlElement;
  /** The same with HTML in it, if a browser draws it. */
  readonly browserRoot?: XmlElement;
  readonly warnings: readonly string[];
}

/** By its path, or by the name at its end. The first board is called `root`. */
function isCalled(path: string, board: string): boolean {
  return path === "" ? /^(?:root|index)?$/.test(board) : path === board || path.endsWith(`.${board}`);
}

const SHOWN_BOARDS = 10;

function noBoard(board: string, all: readonly Board[]): string {
  const names = all.slice(0, SHOWN_BOARDS).map(({ path }) => (path === "" ? "root" : path));
  return board === ""
    ? "The diagram has no board that is drawn."
    : `The diagram has no board "${board}". Its boards: ${names.join(", ")}.`;
}

function together(boards: readonly DrawnBoard[], count: number): Drawing {
  const inBrowser = boards.some(({ browserRoot }) => browserRoot !== undefined)
    ? stacked(boards.map(({ path, root, browserRoot = parseXml(writeXml(root)) }) => ({ path, root: browserRoot })))
    : undefined;
  const root = stacked(boards);
  const { width, height } = viewOf(root);
  const left = count - boards.length;
  const warnings = [...new Set(boards.flatMap((each) => each.warnings))];
  if (left > 0)
    warnings.push(`The diagram has ${count} boards; ${left} of them are not drawn. The option "board" picks one.`);
  const drawing = { svg: writeXml(root), width, height, warnings, isPadded: true };
  // The boards bring grounds of their own, which do not reach between them.
  const whole = boards.length === 1 ? drawing : { ...drawing, ground: { light: "white" } };
  return inBrowser === undefined ? whole : { ...whole, browserSvg: writeXml(inBrowser) };
}

async function finish(
  path: string,
  svg: string,
  { background, engine }: D2Options,
): Promise<DrawnBoard | { fault: Fault }> {
  let root = readDrawing(svg);
  if (root === undefined)
    return { fault: { message: "D2 produced invalid XML, because of markup in a label or a class." } };
  if (background !== undefined) recolour(root, background);
  const hasHtml = svg.includes("<foreignObject");
  const browserRoot = hasHtml && engine === "chromium" ? parseXml(writeXml(root)) : undefined;
  if (hasHtml) root = markdownAsText(root, await Typesetter.load());
  const warnings = await missingIn(root);
  return { path, root, warnings, ...(browserRoot !== undefined && { browserRoot }) };
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
