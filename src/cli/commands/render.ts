import { readFileSync, writeFileSync } from "node:fs";
import { extname } from "node:path";
import { text } from "node:stream/consumers";
import { type CommonOptions, FORMATS, type Format } from "../../api/diagram-options.ts";
import { AppError } from "../../lib/app-error.ts";
import type { Engine, Fault } from "../../workloads/diagrams/engine.ts";
import { engineOf } from "../../workloads/diagrams/engines.ts";
import { renderDiagram } from "../../workloads/diagrams/render.ts";
import { defineCommand, UsageError, type Values } from "../command.ts";
import { EXIT } from "../exit.ts";
import { paint } from "../output/paint.ts";

const flags = {
  output: { type: "string", short: "o", value: "<file>", doc: "where to write; else beside the source" },
  format: { type: "string", value: "<name>", doc: "mermaid, d2 or graphviz; else by the file's ending" },
  png: { type: "boolean", doc: "PNG instead of SVG; also by the ending of --output" },
  theme: { type: "string", value: "<name>", doc: "one of the format's themes" },
  layout: { type: "string", value: "<name>", doc: "dagre or elk" },
  background: { type: "string", value: "<colour>", doc: "a CSS colour, or transparent" },
  scale: { type: "string", value: "<number>", doc: "0.1 to 4" },
  padding: { type: "string", value: "<pixels>", doc: "around the drawing" },
} as const;

export const command = defineCommand({
  args: ["<file...>"],
  flags,
  about:
    'Draws diagrams here, without a server and without a browser. "-" reads from standard input; it needs --format.',
  examples: ["render diagram.mmd -o diagram.svg", "render docs/*.d2 --png --scale 2"],
  async run({ args, flags: given }) {
    if (given.output !== undefined && args.length > 1)
      throw new UsageError("--output takes one file; leave it out for many.");
    let failed = 0;
    for (const [i, file] of args.entries()) {
      if (!(await drawFile(file, given, `${i + 1}/${args.length}`))) failed++;
    }
    return failed > 0 ? EXIT.failed : EXIT.ok;
  },
});

type Given = Values<typeof flags>;

const ENDINGS: Readonly<Record<string, Format>> = {
  ".mmd": "mermaid",
  ".mermaid": "mermaid",
  ".d2": "d2",
  ".dot": "graphviz",
  ".gv": "graphviz",
};

async function drawFile(file: string, given: Given, place: string): Promise<boolean> {
  const format = formatOf(file, given.format);
  const engine = (await engineOf(format)) as Engine<CommonOptions>;
  const source = file === "-" ? await text(process.stdin) : readFileSync(file, "utf8");
  const outputType = given.png || given.output?.toLowerCase().endsWith(".png") ? "png" : "svg";
  const rendered = await renderDiagram(engine, source, optionsOf(engine, given), outputType);
  if ("fault" in rendered) {
    process.stderr.write(`millrace: ${faultLine(file, rendered.fault)}\n`);
    return false;
  }
  for (const warning of rendered.warnings) process.stderr.write(`millrace: ${file}: ${warning}\n`);
  const bytes = outputType === "png" ? (rendered.png as Uint8Array) : rendered.svg;
  if (file === "-" && given.output === undefined) process.stdout.write(bytes);
  else {
    const output = given.output ?? `${file.slice(0, file.length - extname(file).length)}.${outputType}`;
    writeFileSync(output, bytes);
    process.stderr.write(`${paint("dim", place)} ${output}\n`);
  }
  return true;
}

function formatOf(file: string, name: string | undefined): Format {
  if (name !== undefined) {
    const known = FORMATS.find((format) => format === name);
    if (known) return known;
    throw new UsageError(`"${name}" is no format. Known: ${FORMATS.join(", ")}.`);
  }
  const format = ENDINGS[extname(file).toLowerCase()];
  if (format) return format;
  throw new UsageError(`The ending of "${file}" does not tell its format. Add --format mermaid, d2 or graphviz.`);
}

function optionsOf(engine: Engine<CommonOptions>, { theme, layout, background, scale, padding }: Given): CommonOptions {
  const asked = {
    ...(theme !== undefined && { theme }),
    ...(layout !== undefined && { layout }),
    ...(background !== undefined && { background }),
    ...(scale !== undefined && { scale: Number(scale) }),
    ...(padding !== undefined && { padding: Number(padding) }),
  };
  const parsed = engine.options.safeParse(asked);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new AppError("invalid-request", `--${issue?.path.join(".")}: ${issue?.message}`);
}

/** As compilers say it, so that editors find the place. */
function faultLine(file: string, { message, line, column }: Fault): string {
  const place = [file, line, column].filter((part) => part !== undefined).join(":");
  return `${place}: ${message}`;
}
