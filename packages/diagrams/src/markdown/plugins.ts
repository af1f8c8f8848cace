// Plugins for remark and markdown-it: fenced diagrams as inline SVG or as pictures, drawn by the library.

import { FORMATS, type Format, type OptionsByFormat } from "../api/formats.ts";
import type { RenderOptions, RenderResult } from "../library/types.ts";
import { languageFormat } from "./blocks.ts";

/** How the diagrams of a document are drawn. */
export interface MarkdownDiagramOptions {
  /** `svg` (default) puts the markup into the page; `img` puts it into an `<img>` as a data address. */
  readonly as?: "svg" | "img";
  /** Options of each format, such as `{ mermaid: { darkTheme: "dark" } }`. Default: none. */
  readonly options?: Partial<OptionsByFormat>;
  /** Called for a diagram with an error, whose block then stays as code. Default: the error is thrown. */
  readonly onError?: (error: unknown, source: string) => void;
}

type Render = (source: string, options: RenderOptions<Format, "svg">) => Promise<RenderResult<"svg">>;

/** A node of a Markdown tree, as remark has it. */
export interface MarkdownNode {
  /** What it is, such as `code` or `paragraph`. */
  type: string;
  /** Of code: its language. Default: none. */
  lang?: string | null;
  /** Of code and text: what it holds. Default: none. */
  value?: string;
  /** The nodes inside. Default: none. */
  children?: MarkdownNode[];
}

/** One part of a document, as markdown-it has it. */
export interface MarkdownToken {
  /** What it is, such as `fence`. */
  type: string;
  /** Of a fence: what stands behind its signs. */
  info: string;
  /** Of a fence: what it holds. */
  content: string;
}

/** What the plugin needs of markdown-it. */
export interface MarkdownItLike {
  /** Reads a text. */
  parse(text: string, env: object): MarkdownToken[];
  /** Writes its parts as HTML. */
  renderer: {
    /** One rule for each kind of part. */
    // biome-ignore lint/suspicious/noExplicitAny: each version of markdown-it types its rules in its own way
    rules: Record<string, any>;
  };
}

export interface MarkdownPlugins {
  /** For remark and everything that takes its plugins: `.use(remarkDiagrams, { as: "img" })`. */
  remarkDiagrams(options?: MarkdownDiagramOptions): (tree: MarkdownNode) => Promise<void>;
  /** For markdown-it: `md.use(markdownItDiagrams)`. The diagrams of a text are drawn beforehand, by `drawDiagrams`. */
  markdownItDiagrams(md: MarkdownItLike): void;
  /** Draws the diagrams of a text and keeps them in `env`: `md.render(text, await drawDiagrams(md, text))`. */
  drawDiagrams<Env extends object>(
    md: MarkdownItLike,
    text: string,
    options?: MarkdownDiagramOptions,
    env?: Env,
  ): Promise<Env>;
}

export function markdownPlugins(render: Render): MarkdownPlugins {
  return {
    remarkDiagrams:
      (options = {}) =>
      async (tree) => {
        const found = codeNodes(tree);
        const drawn = await Promise.all(
          found.map(({ lang, value }) => htmlOf(render, lang ?? "", value ?? "", options)),
        );
        for (const [at, node] of found.entries()) {
          const html = drawn[at];
          if (html === undefined) continue;
          node.type = "html";
          node.value = html;
          delete node.lang;
        }
      },
    markdownItDiagrams: ({ renderer }) => {
      const fence = renderer.rules["fence"];
      renderer.rules["fence"] = (tokens: MarkdownToken[], at: number, options: unknown, env: object, self: unknown) => {
        const token = tokens[at] as MarkdownToken;
        return DRAWN.get(env)?.get(keyOf(token)) ?? fence(tokens, at, options, env, self);
      };
    },
    drawDiagrams: async (md, text, options = {}, env = {} as never) => {
      const tokens = md.parse(text, env).filter(({ type }) => type === "fence");
      const drawn = new Map<string, string>();
      await Promise.all(
        tokens.map(async (token) => {
          const html = await htmlOf(render, token.info, token.content, options);
          if (html !== undefined) drawn.set(keyOf(token), `${html}\n`);
        }),
      );
      DRAWN.set(env, drawn);
      return env;
    },
  };
}

/** The drawings of a text, by the object that markdown-it hands on while it renders it. */
const DRAWN = new WeakMap<object, ReadonlyMap<string, string>>();

function keyOf({ info, content }: MarkdownToken): string {
  return `${info}\n${content}`;
}

function codeNodes(node: MarkdownNode): MarkdownNode[] {
  if (node.type === "code") return [node];
  return (node.children ?? []).flatMap(codeNodes);
}

/** Undefined: not a diagram, or one with an error that was told. */
async function htmlOf(
  render: Render,
  info: string,
  source: string,
  { as = "svg", options = {}, onError }: MarkdownDiagramOptions,
): Promise<string | undefined> {
  const format = languageFormat(info.trim().split(/[\s{]/)[0] ?? "");
  if (format === undefined || !FORMATS.includes(format)) return undefined;
  try {
    const own = options[format];
    const { data } = await render(source, { format, ...(own !== undefined && { options: own }) } as never);
    // Inside of a paragraph an empty line would end the markup.
    const svg = data.replace(/\n\s*\n/g, "\n");
    return as === "svg"
      ? svg
      : `<img alt="diagram" src="data:image/svg+xml;base64,${Buffer.from(data).toString("base64")}">`;
  } catch (error) {
    if (onError === undefined) throw error;
    onError(error, source);
    return undefined;
  }
}
