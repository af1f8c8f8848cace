import {
  defineCommand,
  EXIT,
  loadConfigOrComplain,
  messageOf,
  REMOTE,
  UsageError,
  watchFiles,
  withClient,
} from "millrace/cli";
import { FORMAT_LIST, FORMAT_NAMES } from "../api/formats.ts";
import { OUTPUT_TYPES } from "../api/render.ts";
import { diagramCalls } from "../client.ts";
import { DIAGRAM_SETTINGS, type DiagramSettingValues } from "../settings.ts";
import { type Draw, drawBy } from "./draw.ts";
import { drawAll, type Work } from "./draw-all.ts";
import { markdownFilesOf } from "./markdown.ts";
import { withRenderers } from "./renderers.ts";
import { type RenderFlags, tasksOf } from "./task.ts";

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
  "output-type": {
    type: "string",
    value: "<type>",
    choices: OUTPUT_TYPES,
    doc: "svg, pdf, png, jpeg or webp, next to the source (default: svg)",
  },
  png: { type: "boolean", doc: "the same as --output-type png" },
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
  "embed-font": { type: "boolean", doc: "put the letters of the drawing into the SVG as fonts" },
  engine: { type: "string", value: "chromium", choices: ["chromium"], doc: "render with Chromium, if it is installed" },
  watch: { type: "boolean", short: "w", doc: "keep running and draw a file again when it changes" },
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
    "render docs/*.mmd --watch",
  ],
  async run({ args, flags: given }) {
    const work = workOf(args, given);
    const { server, "api-key": apiKey, tenant, watch = false } = given;
    if (watch && args.includes("-")) throw new UsageError("--watch needs files; standard input is read once.");
    const drawn = async (draw: Draw, atOnce: number) => {
      const drawIt = (wanted: Work) => drawAll(wanted, draw, atOnce);
      return watch ? drawAgain(args, given, drawIt) : drawIt(work);
    };
    // A Markdown file without diagrams is written as it is.
    if (work.tasks.length === 0 && !watch) return drawn(async () => ({ fault: { message: "" } }), 0);
    if (server === undefined) {
      for (const name of ["api-key", "tenant"] as const)
        if (given[name] !== undefined) throw new UsageError(`--${name} needs --server.`);
      const { ofWorkloads, chromiumPath } = loadConfigOrComplain({ listens: false, workloads: [OWN_SETTINGS] });
      const settings = { ...(ofWorkloads["diagrams"] as DiagramSettingValues), chromiumPath };
      return withRenderers({ ...work, stay: watch }, settings, ({ draw, atOnce }) => drawn(draw, atOnce));
    }
    const remote = { url: server, ...(apiKey && { "api-key": apiKey }), ...(tenant && { tenant }) };
    return withClient(remote, (client) => drawn(drawBy(client.with(diagramCalls)), AT_ONCE));
  },
});

function workOf(files: readonly string[], flags: RenderFlags): Work {
  const documents = markdownFilesOf(files, flags);
  return { tasks: [...tasksOf(files, flags), ...documents.flatMap((each) => each.tasks)], documents };
}

/** Until Ctrl-C. All files are drawn again when the configuration changes. */
async function drawAgain(
  files: readonly string[],
  flags: RenderFlags,
  draw: (work: Work) => Promise<number>,
): Promise<number> {
  const { config } = flags;
  let isFirst = true;
  await watchFiles([...files, ...(config === undefined ? [] : [config])], async (changed) => {
    try {
      const isConfig = config !== undefined && changed.includes(config);
      await draw(workOf(isConfig ? files : files.filter((file) => changed.includes(file)), flags));
    } catch (error) {
      // The file is gone, is only half written, or the server is away: the next change is drawn.
      process.stderr.write(`millrace: ${messageOf(error)}\n`);
    }
    if (isFirst) process.stderr.write("Watching for changes. Stop with Ctrl-C.\n");
    isFirst = false;
  });
  return EXIT.ok;
}
