import { readFileSync, writeFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import {
  defineCommand,
  EXIT,
  loadConfigOrComplain,
  messageOf,
  oneLine,
  ProgressBar,
  paint,
  plural,
  REMOTE,
  UsageError,
  withClient,
} from "millrace/cli";
import { FORMAT_LIST, FORMAT_NAMES } from "../api/formats.ts";
import { diagramCalls } from "../client.ts";
import type { ToldFault } from "../engine.ts";
import { DIAGRAM_SETTINGS, type DiagramSettingValues } from "../settings.ts";
import { type Draw, drawBy } from "./draw.ts";
import { faultInFile, type MarkdownFile, markdownFilesOf, writeMarkdown } from "./markdown.ts";
import { withRenderers } from "./renderers.ts";
import { type Task, tasksOf } from "./task.ts";

const flags = {
  output: {
    type: "string",
    short: "o",
    value: "<file>",
    doc: "output file; its ending chooses the format (default: SVG next to the source)",
  },
  format: {
    type: "string",
    value: "<name>",
    choices: FORMAT_NAMES,
    doc: `${FORMAT_LIST} (default: by file extension)`,
  },
  png: { type: "boolean", doc: "PNG instead of SVG, next to the source" },
  theme: { type: "string", value: "<name>", doc: "theme of the diagram format" },
  "dark-theme": { type: "string", value: "<name>", doc: "theme for readers who use dark mode" },
  layout: { type: "string", value: "<name>", doc: "dagre or elk; for Graphviz dot, neato, fdp …" },
  look: {
    type: "string",
    value: "<name>",
    choices: ["classic", "handDrawn", "neo"],
    doc: "Mermaid: classic, handDrawn or neo",
  },
  config: { type: "string", short: "c", value: "<file>", doc: "Mermaid: its configuration, as JSON" },
  sketch: { type: "boolean", doc: "D2: hand-drawn style" },
  board: { type: "string", value: "<name>", doc: "D2: one board, by name or path; root is the first (default: all)" },
  background: { type: "string", value: "<colour>", doc: "a CSS colour, or transparent" },
  scale: { type: "string", value: "<number>", doc: "scale factor, 0.1 to 4 (default 1)" },
  width: { type: "string", value: "<pixels>", doc: "width of the drawing; the height follows" },
  height: { type: "string", value: "<pixels>", doc: "height of the drawing; with --width it fits into both" },
  padding: { type: "string", value: "<pixels>", doc: "padding around the drawing" },
  engine: { type: "string", value: "chromium", choices: ["chromium"], doc: "render with Chromium, if it is installed" },
  server: { type: "string", value: "<url>", doc: "render on this server, also --url; the server caches diagrams" },
  "api-key": REMOTE["api-key"],
  tenant: { type: "string", value: "<name>", doc: "with --server: act for this tenant" },
} as const;

const OWN_SETTINGS = { name: "diagrams", settings: DIAGRAM_SETTINGS };

/** A server draws several at a time, and its answers come as they may. */
const AT_ONCE = 8;

export const command = defineCommand({
  args: ["<file...>"],
  flags,
  about:
    "Without --server it renders on this machine, without a browser. The renderers have no access to the network or to files.\n" +
    'RENDER_TIMEOUT_MS limits each diagram. "-" reads standard input and needs --format.\n' +
    "A Markdown file is written beside itself, README.md as README.out.md, with a picture for each fenced diagram.\n" +
    "Exit code 1 if a diagram has an error; the message names the line. The other diagrams are still rendered.",
  examples: [
    "render diagram.mmd -o diagram.svg",
    "render docs/*.d2 --png --scale 2",
    "render docs/*.mmd --server http://127.0.0.1:3000",
    "render README.md --png",
  ],
  async run({ args, flags: given }) {
    const documents = markdownFilesOf(args, given);
    const tasks = [...tasksOf(args, given), ...documents.flatMap((each) => each.tasks)];
    const { server, "api-key": apiKey, tenant } = given;
    // A Markdown file without diagrams is written as it is.
    if (tasks.length === 0) return drawAll({ tasks, documents }, async () => ({ fault: { message: "" } }), 0);
    if (server === undefined) {
      for (const name of ["api-key", "tenant"] as const)
        if (given[name] !== undefined) throw new UsageError(`--${name} needs --server.`);
      const { ofWorkloads, chromiumPath } = loadConfigOrComplain({ listens: false, workloads: [OWN_SETTINGS] });
      const settings = { ...(ofWorkloads["diagrams"] as DiagramSettingValues), chromiumPath };
      return withRenderers(tasks, settings, ({ draw, atOnce }) => drawAll({ tasks, documents }, draw, atOnce));
    }
    const remote = { url: server, ...(apiKey && { "api-key": apiKey }), ...(tenant && { tenant }) };
    return withClient(remote, (client) => drawAll({ tasks, documents }, drawBy(client.with(diagramCalls)), AT_ONCE));
  },
});

interface Work {
  readonly tasks: readonly Task[];
  readonly documents: readonly MarkdownFile[];
}

async function drawAll({ tasks, documents }: Work, draw: Draw, atOnce: number): Promise<number> {
  const progress = new ProgressBar(tasks.length, process.stderr);
  const waiting = [...tasks];
  const done = new Set<Task>();
  let failed = 0;
  const work = async () => {
    for (let task = waiting.shift(); task; task = waiting.shift()) {
      const { file, output = file } = task;
      const text = documents.find((each) => each.tasks.includes(task as Task))?.text;
      const problem = await drawOne(task, { draw, text }, progress);
      if (problem === undefined) done.add(task);
      else {
        failed++;
        progress.say(`millrace: ${problem}`);
      }
      progress.step(output);
      // In a pipe or a log every file has its line.
      if (problem === undefined && task.output !== undefined && !progress.isShown)
        progress.say(`${paint("dim", progress.done, process.stderr)} ${output}`);
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(atOnce, tasks.length) }, work));
  } finally {
    progress.end();
  }
  for (const document of documents) {
    writeMarkdown(document, done);
    process.stderr.write(`${document.file} was written to ${document.output}.\n`);
  }
  const drawn = plural(tasks.length - failed, "diagram");
  if (tasks.length > 1) process.stderr.write(`${drawn} drawn${failed > 0 ? `, ${failed} failed` : ""}.\n`);
  return failed > 0 ? EXIT.failed : EXIT.ok;
}

/** What is wrong with the file or its diagram; undefined when it is drawn and written. */
async function drawOne(
  task: Task,
  { draw, text: markdown }: { readonly draw: Draw; readonly text: string | undefined },
  progress: ProgressBar,
): Promise<string | undefined> {
  const { file, output, block } = task;
  let source: string;
  try {
    source = block?.source ?? (file === "-" ? await text(process.stdin) : readFileSync(file, "utf8"));
  } catch (error) {
    return `${file}: ${unreadable(file, error)}`;
  }
  const drawn = await draw(task, source);
  if ("fault" in drawn) {
    const isInFile = block !== undefined && markdown !== undefined;
    return faultText(file, isInFile ? faultInFile(drawn.fault, block, markdown) : drawn.fault);
  }
  for (const warning of drawn.warnings) progress.say(`millrace: ${file}: ${warning}`);
  try {
    if (output === undefined) process.stdout.write(drawn.bytes);
    else writeFileSync(output, drawn.bytes);
  } catch (error) {
    return `${output}: ${messageOf(error)}`;
  }
  return undefined;
}

/** A pattern that no shell expanded matches nothing; the system only says that such a file does not exist. */
function unreadable(file: string, error: unknown): string {
  const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
  if (!isMissing) return messageOf(error);
  return /[*?[]/.test(file) ? "No file matches this pattern." : "No such file.";
}

/** As compilers say it, so that editors find the place: the sentence first, then the line with a caret, then the advice. */
function faultText(file: string, { message, line, column, excerpt, advice }: ToldFault): string {
  const place = [file, line, column].filter((part) => part !== undefined).join(":");
  const quoted = excerpt === undefined ? [] : excerpt.split("\n").map((each) => `  ${each}`);
  const taught = advice === undefined ? [] : [`  ${advice}`];
  return [`${place}: ${oneLine(message)}`, ...quoted, ...taught].join("\n");
}
