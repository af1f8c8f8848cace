// From what the command line says to what is to be drawn. All of it is looked at before anything is drawn.

import { readFileSync } from "node:fs";
import { extname } from "node:path";
import { messageOf, UsageError } from "millrace/cli";
import { inWords, issuesOf } from "millrace/shapes";
import { FORMAT_LIST, FORMAT_TABLE, FORMATS, type Format, formatNamed, formatOfFile } from "../api/formats.ts";
import type { CommonOptions } from "../api/options.ts";
import { OUTPUT_TYPES, type OutputType } from "../api/render.ts";
import type { DiagramBlock } from "../markdown/blocks.ts";

export interface RenderFlags {
  readonly output?: string;
  readonly format?: string;
  readonly "output-type"?: string;
  readonly png?: boolean;
  readonly theme?: string;
  readonly "dark-theme"?: string;
  readonly layout?: string;
  readonly look?: string;
  readonly sketch?: boolean;
  readonly config?: string;
  readonly board?: string;
  readonly background?: string;
  readonly scale?: string;
  readonly width?: string;
  readonly height?: string;
  readonly padding?: string;
  readonly "embed-font"?: boolean;
  readonly engine?: string;
}

export interface Task {
  /** "-" is standard input. */
  readonly file: string;
  /** Of a Markdown file: the block that is drawn. Without one the whole file is. */
  readonly block?: DiagramBlock;
  readonly format: Format;
  readonly outputType: OutputType;
  readonly options: CommonOptions;
  /** Undefined: standard output. */
  readonly output: string | undefined;
}

export function tasksOf(files: readonly string[], flags: RenderFlags): Task[] {
  if (flags.output !== undefined && files.length > 1)
    throw new UsageError("--output works with one file only. Remove it to render several.");
  const tasks = files.flatMap((file) => (isMarkdown(file) ? [] : [taskOf(file, flags)]));
  const taken = new Map<string, string>();
  for (const { file, output = "standard output" } of tasks) {
    const other = taken.get(output);
    if (other !== undefined)
      throw new UsageError(
        `"${other}" and "${file}" would both be written to ${output}. Render one of them with --output.`,
      );
    taken.set(output, file);
  }
  return tasks;
}

/** By its ending, unless the file is a diagram by its flag. */
export function isMarkdown(file: string): boolean {
  return /\.(?:md|markdown|mdx)$/i.test(file);
}

/** A block of a Markdown file, with its picture beside the file that is written. */
export function blockTask(block: DiagramBlock, place: { file: string; output: string }, flags: RenderFlags): Task {
  const { output: _ofTheFile, ...ofPicture } = flags;
  return {
    ...place,
    block,
    format: block.format,
    outputType: outputTypeOf(ofPicture),
    options: optionsOf(block.format, flags),
  };
}

function taskOf(file: string, flags: RenderFlags): Task {
  const format = formatOf(file, flags.format);
  const outputType = outputTypeOf(flags);
  const { ending = extname(file) } = formatOfFile(file) ?? {};
  const beside = file === "-" ? undefined : `${file.slice(0, file.length - ending.length)}.${outputType}`;
  const output = flags.output === "-" ? undefined : (flags.output ?? beside);
  return { file, format, outputType, options: optionsOf(format, flags), output };
}

/** By its flag, else by the ending of the file that is to be written, which must not say something else than is in it. */
export function outputTypeOf({ output = "-", png = false, "output-type": wanted }: RenderFlags): OutputType {
  if (png && wanted !== undefined && wanted !== "png") throw new UsageError(`Use --png or --output-type ${wanted}.`);
  const asked = OUTPUT_TYPES.find((type) => type === wanted) ?? (png ? "png" : undefined);
  const ending = output === "-" ? "" : extname(output).toLowerCase();
  const named = ending === ".jpg" ? "jpeg" : OUTPUT_TYPES.find((type) => ending === `.${type}`);
  if (ending !== "" && named === undefined)
    throw new UsageError(`"${output}" must end in .svg, .pdf, .png, .jpg, .jpeg or .webp.`);
  if (asked !== undefined && named !== undefined && asked !== named) {
    const flag = png ? "--png" : `--output-type ${asked}`;
    throw new UsageError(`${flag} would be written to "${output}". Use a file name that ends in .${asked}.`);
  }
  return asked ?? named ?? "svg";
}

function formatOf(file: string, name: string | undefined): Format {
  if (name !== undefined) {
    const known = formatNamed(name);
    if (known) return known;
    throw new UsageError(`Unknown format "${name}". Known: ${FORMATS.join(", ")}.`);
  }
  const found = formatOfFile(file);
  if (found) return found.format;
  throw new UsageError(`The format of "${file}" is unknown. Add --format ${FORMAT_LIST}.`);
}

function optionsOf(format: Format, flags: RenderFlags): CommonOptions {
  const {
    theme,
    layout,
    look,
    sketch,
    background,
    scale,
    width,
    height,
    padding,
    engine,
    "dark-theme": darkTheme,
    "embed-font": embedFont,
  } = flags;
  const asked = {
    ...{ theme: themeOf(format, theme), darkTheme: themeOf(format, darkTheme), layout, look, sketch },
    ...{ background, scale: numberOf("scale", scale), padding: numberOf("padding", padding), engine },
    ...{ width: numberOf("width", width), height: numberOf("height", height), config: readConfig(flags.config) },
    board: flags.board,
    embedFont,
  };
  const given = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
  const parsed = FORMAT_TABLE[format].options.safeParse(given, { error: inWords });
  if (parsed.success) return parsed.data;
  const [first] = parsed.error.issues;
  if (first?.code === "unrecognized_keys")
    throw new UsageError(`${flagOf(first.keys[0])} does not apply to ${format}.`);
  const [{ path, message } = { path: "", message: "is not valid" }] = issuesOf(parsed.error);
  throw new UsageError(`${flagOf(path)} ${message}.`);
}

function readConfig(file: string | undefined): unknown {
  if (file === undefined) return undefined;
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new UsageError(`--config: "${file}" is not a JSON file that can be read: ${messageOf(error)}`);
  }
}

function numberOf(option: string, text: string | undefined): number | undefined {
  const number = text === undefined ? undefined : Number(text);
  if (Number.isNaN(number)) throw new UsageError(`${flagOf(option)} must be a number.`);
  return number;
}

function flagOf(option: PropertyKey | undefined): string {
  return `--${String(option).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** D2's themes have numbers as well. */
function themeOf(format: Format, text: string | undefined): string | number | undefined {
  return format === "d2" && text !== undefined && /^\d+$/.test(text) ? Number(text) : text;
}
