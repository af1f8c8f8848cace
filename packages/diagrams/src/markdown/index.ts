// What `@millrace/diagrams/markdown` gives: plugins for remark and markdown-it.

import { render } from "../library/render.ts";
import { type MarkdownDiagramOptions, type MarkdownItLike, type MarkdownNode, markdownPlugins } from "./plugins.ts";

const plugins = markdownPlugins(render);

/** A plugin for remark that draws fenced diagrams: `remark().use(remarkDiagrams, { as: "img" })`. */
export function remarkDiagrams(options?: MarkdownDiagramOptions): (tree: MarkdownNode) => Promise<void> {
  return plugins.remarkDiagrams(options);
}

/** A plugin for markdown-it: `md.use(markdownItDiagrams)`. `drawDiagrams` draws the diagrams of a text beforehand. */
export function markdownItDiagrams(md: MarkdownItLike): void {
  plugins.markdownItDiagrams(md);
}

/** Draws the diagrams of a text and keeps them in `env`: `md.render(text, await drawDiagrams(md, text))`. */
export function drawDiagrams<Env extends object>(
  md: MarkdownItLike,
  text: string,
  options?: MarkdownDiagramOptions,
  env?: Env,
): Promise<Env> {
  return plugins.drawDiagrams(md, text, options, env);
}

export type { MarkdownDiagramOptions, MarkdownItLike, MarkdownNode, MarkdownToken } from "./plugins.ts";
