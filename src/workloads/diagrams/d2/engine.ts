import type { Drawing, Engine, Fault } from "../engine.ts";
import { viewOf } from "../frame.ts";
import { parseXml, writeXml, type XmlElement } from "../svg/xml.ts";
import { Typesetter } from "../text/typesetter.ts";
import { type D2, d2Version, loadD2 } from "./load.ts";
import { markdownAsText } from "./markdown.ts";
import { D2Options, themeNumber } from "./options.ts";

const PADDING_PX = 20;

export class D2Engine implements Engine<D2Options> {
  readonly options = D2Options;
  #version: string | undefined;
  #loaded: Promise<D2> | undefined;
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

  async #render(source: string, options: D2Options): Promise<Drawing | { fault: Fault }> {
    this.#loaded ??= loadD2();
    const d2 = await this.#loaded;
    const { theme, darkTheme, layout = "dagre", sketch = false, padding = PADDING_PX } = options;
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
    if ("fault" in rendered) return rendered;
    return finish(Buffer.from(String(rendered.data), "base64").toString("utf8"), options);
  }
}

async function finish(svg: string, { background }: D2Options): Promise<Drawing> {
  const root = parseXml(svg);
  const warnings: string[] = [];
  if (svg.includes("<foreignObject")) {
    const count = markdownAsText(root, await Typesetter.load());
    if (count > 0)
      warnings.push(
        "Markdown in the diagram is drawn as plain text: headings, lists and code, without tables, images and links.",
      );
  }
  if (background !== undefined) recolour(root, background);
  const { width, height } = viewOf(root);
  return { svg: writeXml(root), width, height, warnings, isPadded: true };
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
