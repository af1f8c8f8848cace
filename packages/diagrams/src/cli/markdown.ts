// A Markdown file with pictures in the place of its diagrams, as mermaid-cli writes one.

import { readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, extname, join, relative, resolve } from "node:path";
import { messageOf, UsageError } from "millrace/cli";
import type { ToldFault } from "../engine.ts";
import { excerptOf } from "../fault/excerpt.ts";
import { type DiagramBlock, diagramBlocks, withPictures } from "../markdown/blocks.ts";
import { blockTask, isMarkdown, outputTypeOf, type RenderFlags, type Task } from "./task.ts";

export interface MarkdownFile {
  readonly file: string;
  /** The file that is written. */
  readonly output: string;
  readonly text: string;
  readonly tasks: readonly Task[];
}

/** What is to be drawn for the Markdown files among these. Throws for a file that cannot be read. */
export function markdownFilesOf(files: readonly string[], flags: RenderFlags): MarkdownFile[] {
  const found = files.filter(isMarkdown);
  if (found.length === 0) return [];
  if (flags.output !== undefined && files.length > 1)
    throw new UsageError("--output works with one file only. Remove it to render several.");
  return found.map((file) => markdownFileOf(file, flags));
}

function markdownFileOf(file: string, flags: RenderFlags): MarkdownFile {
  const output = flags.output ?? `${withoutEnding(file)}.out${extname(file)}`;
  if (output === "-" || !isMarkdown(output)) throw new UsageError(`"${output}" must end in .md, as "${file}" does.`);
  if (resolve(output) === resolve(file)) throw new UsageError(`--output would overwrite "${file}". Use another name.`);
  const text = read(file);
  const { output: _document, ...ofPictures } = flags;
  const type = outputTypeOf(ofPictures);
  // Beside the file that is written, and by the name of the one that is read.
  const base = join(dirname(output), basename(withoutEnding(flags.output ?? file)));
  const tasks = diagramBlocks(text).map((block, at) =>
    blockTask(block, { file, output: `${base}-${at + 1}.${type}` }, flags),
  );
  return { file, output, text, tasks };
}

/** Writes the file. A block that could not be drawn stays as it is. */
export function writeMarkdown({ output, text, tasks }: MarkdownFile, drawn: ReadonlySet<Task>): void {
  const pictures = new Map<DiagramBlock, string>();
  for (const task of tasks) {
    if (task.block === undefined || task.output === undefined || !drawn.has(task)) continue;
    const address = relative(dirname(output), task.output).replaceAll("\\", "/");
    pictures.set(task.block, `./${encodeURI(address)}`);
  }
  writeFileSync(output, withPictures(text, pictures));
}

/** The fault of a block at its place in the file. */
export function faultInFile(fault: ToldFault, { line: first, indent }: DiagramBlock, text: string): ToldFault {
  const line = first + (fault.line ?? 1) - 1;
  const column = fault.line === undefined || fault.column === undefined ? undefined : fault.column + indent;
  const excerpt = fault.line === undefined ? undefined : excerptOf(text, line, column);
  const { message, advice } = fault;
  return {
    message,
    line,
    ...(column !== undefined && { column }),
    ...(excerpt !== undefined && { excerpt }),
    ...(advice !== undefined && { advice }),
  };
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`${file}: ${messageOf(error)}`);
  }
}

function withoutEnding(file: string): string {
  return file.slice(0, file.length - extname(file).length);
}
