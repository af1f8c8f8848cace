// What the caller of `render` asks for, checked before any process starts.

import { inWords, issuesOf } from "millrace/shapes";
import { FORMAT_TABLE, FORMATS, type Format } from "../api/formats.ts";
import { OUTPUT_TYPES, type OutputType, type RenderPayload } from "../api/render.ts";
import { RenderError } from "./error.ts";
import type { RenderOptions } from "./types.ts";

export const MOST_CHARS = 1_048_576;

const KNOWN = ["format", "output", "options", "timeoutMs", "signal", "isolation"];

export function payloadOf(source: string, given: RenderOptions<Format, OutputType>): RenderPayload {
  if (typeof given !== "object" || given === null)
    throw invalid('render() needs options with a format: render(source, { format: "mermaid" }).');
  const { format, output = "svg", options = {}, isolation = "process", timeoutMs } = given;
  const unknown = Object.keys(given).find((name) => !KNOWN.includes(name));
  if (unknown !== undefined) throw invalid(`Unknown option "${unknown}". Known options: ${KNOWN.join(", ")}.`);
  if (!FORMATS.includes(format)) throw invalid(`Unknown format "${format}". Known formats: ${FORMATS.join(", ")}.`);
  if (!OUTPUT_TYPES.includes(output))
    throw invalid(`Unknown output "${output}". Known outputs: ${OUTPUT_TYPES.join(", ")}.`);
  if (isolation !== "process" && isolation !== "none") throw invalid('isolation must be "process" or "none".');
  checkSource(source, format);
  const parsed = FORMAT_TABLE[format].options.safeParse(options, { error: inWords });
  if (!parsed.success) {
    const [{ path, message } = { path: "", message: "is not valid" }] = issuesOf(parsed.error);
    throw invalid(`options${path === "" ? "" : `.${path}`} ${message}.`, format);
  }
  if (isolation === "none") refuseInProcess(timeoutMs, parsed.data.engine);
  return { format, source, options: parsed.data, outputType: output } as RenderPayload;
}

function checkSource(source: unknown, format: Format): void {
  if (typeof source !== "string") throw invalid("The source of a diagram must be a string.", format);
  if (source.trim() === "") throw invalid("The diagram is empty.", format);
  if (source.includes("\0"))
    throw invalid("The diagram has a character U+0000. Check that it is not a binary file.", format);
  if (!source.isWellFormed()) throw invalid("The diagram has an unpaired surrogate.", format);
  if (source.length > MOST_CHARS)
    throw invalid(`The diagram has ${source.length} characters; the limit is ${MOST_CHARS}.`, format);
}

/** Only another process can end a drawing that does not end by itself. */
function refuseInProcess(timeoutMs: number | undefined, engine: string | undefined): void {
  if (timeoutMs !== undefined) throw invalid('timeoutMs needs isolation "process".');
  if (engine !== undefined) throw invalid(`engine "${engine}" needs isolation "process".`);
}

function invalid(message: string, format?: Format): RenderError {
  return new RenderError("invalid-request", message, { format });
}
