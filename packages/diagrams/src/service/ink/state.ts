// What a client of mermaid.ink asks for, out of an address.

import { inflateSync } from "node:zlib";
import { MermaidOptions } from "../../api/options.ts";
import { type OutputType, RenderPayload } from "../../api/render.ts";

/** Told to the client as text, as mermaid.ink does. */
export class InkError extends Error {
  override readonly name = "InkError";
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export interface InkState {
  readonly code: string;
  /** Settings of Mermaid that come beside the source. */
  readonly config: Readonly<Record<string, unknown>>;
}

/** Base64 of the source, of `{code, mermaid}` as JSON, or, after `pako:`, of the same deflated. */
export function stateIn(encoded: string, maxChars: number): InkState {
  const isDeflated = encoded.startsWith("pako:");
  const base64 = isDeflated ? encoded.slice("pako:".length) : encoded;
  if (!/^[\w\-+/]+=*$/.test(base64)) throw new InkError(400, "The encoded diagram is not base64.");
  const text = textOf(Buffer.from(base64, "base64"), isDeflated, maxChars);
  const state = jsonObjectIn(text);
  if (state === undefined) return checked({ code: text, config: {} }, maxChars);
  const { code, mermaid } = state;
  if (typeof code !== "string") throw new InkError(400, 'The encoded state has no "code".');
  const config = typeof mermaid === "string" ? jsonObjectIn(mermaid) : mermaid;
  const isObject = typeof config === "object" && config !== null && !Array.isArray(config);
  return checked({ code, config: isObject ? (config as Record<string, unknown>) : {} }, maxChars);
}

function textOf(bytes: Buffer, isDeflated: boolean, maxChars: number): string {
  try {
    // Four bytes are the most that a character takes; the state around the source is small.
    const most = maxChars * 4 + 10_000;
    const plain = isDeflated ? inflateSync(bytes, { maxOutputLength: most }) : bytes;
    return new TextDecoder("utf-8", { fatal: true }).decode(plain);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw tooLarge(maxChars);
    throw new InkError(400, "The encoded diagram cannot be decoded.");
  }
}

function jsonObjectIn(text: string): Record<string, unknown> | undefined {
  if (!text.trimStart().startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function checked(state: InkState, maxChars: number): InkState {
  if (state.code.length > maxChars) throw tooLarge(maxChars);
  if (state.code.trim() === "") throw new InkError(400, "The diagram is empty.");
  return state;
}

function tooLarge(maxChars: number): InkError {
  return new InkError(413, `The diagram has more than ${maxChars} characters.`);
}

const PICTURES = ["jpeg", "png", "webp"] as const;

export function payloadOf(
  { code, config }: InkState,
  query: Readonly<Record<string, string>>,
  wanted: "img" | "svg" | "pdf",
): RenderPayload {
  const type = query["type"] ?? "jpeg";
  const outputType: OutputType | undefined = wanted !== "img" ? wanted : PICTURES.find((each) => each === type);
  if (outputType === undefined) throw new InkError(400, "type must be jpeg, png or webp.");
  const { theme: ownTheme, ...settings } = config;
  const knownTheme = MermaidOptions.shape.theme.safeParse(ownTheme);
  const theme = query["theme"] ?? (knownTheme.success ? knownTheme.data : undefined);
  if (query["scale"] !== undefined && query["width"] === undefined && query["height"] === undefined)
    throw new InkError(400, "scale needs width or height.");
  const options = {
    background: backgroundOf(query["bgColor"], outputType),
    ...(theme !== undefined && { theme }),
    ...numberIn(query, "width"),
    ...numberIn(query, "height"),
    ...numberIn(query, "scale"),
  };
  const source = Object.keys(settings).length === 0 ? code : withDirective(code, settings);
  const parsed = RenderPayload.safeParse({ format: "mermaid", source, outputType, options });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new InkError(400, `${issue?.path.at(-1)?.toString() ?? "The request"}: ${issue?.message ?? "is not valid"}`);
}

/** `FF0000` is a colour in digits, `!white` one by its name. */
function backgroundOf(bgColor: string | undefined, outputType: OutputType): string {
  if (bgColor === undefined || bgColor === "")
    return outputType === "jpeg" || outputType === "pdf" ? "white" : "transparent";
  return bgColor.startsWith("!") ? bgColor.slice(1) : `#${bgColor}`;
}

function numberIn(query: Readonly<Record<string, string>>, name: "width" | "height" | "scale") {
  return query[name] === undefined ? {} : { [name]: Number(query[name]) };
}

/** Mermaid reads it, and every value is checked, as with a directive of the author's own. No line moves. */
function withDirective(code: string, settings: Readonly<Record<string, unknown>>): string {
  const directive = `%%{init: ${JSON.stringify(settings).replaceAll("}%%", "")}}%% `;
  const [frontMatter = ""] = /^---[ \t]*\r?\n[\s\S]*?\n---[ \t]*\r?\n/.exec(code) ?? [];
  return frontMatter + directive + code.slice(frontMatter.length);
}
