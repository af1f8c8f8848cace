// What a client of Kroki asks for, out of an address, a body and headers.

import { inflateSync } from "node:zlib";
import { entryOf, FORMAT_NAMES, formatNamed } from "../../api/formats.ts";
import { OutputType, RenderPayload } from "../../api/render.ts";
import type { DrawnPayload } from "../keys.ts";
import { UPSTREAM_TYPES, UpstreamPayload } from "../upstream/payload.ts";
import { withMermaidConfig } from "./mermaid-config.ts";
import { optionsOf } from "./options.ts";

/** Told to the client in the form it understands. */
export class KrokiError extends Error {
  override readonly name = "KrokiError";
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export interface KrokiRequest {
  readonly type: string;
  readonly format: string;
  readonly source: string;
  /** Of all three places; the later ones win. */
  readonly options: Readonly<Record<string, unknown>>;
}

export function payloadOf(request: KrokiRequest, { hasUpstream }: { hasUpstream: boolean }): DrawnPayload {
  const { type, format, source, options } = request;
  const known = formatNamed(type);
  const upstream = hasUpstream ? UPSTREAM_TYPES.find((each) => each === type.toLowerCase()) : undefined;
  if (known === undefined && upstream === undefined) {
    throw new KrokiError(
      404,
      `Unsupported diagram type: ${type.slice(0, 64)}. Must be one of ${FORMAT_NAMES.join(", ")}.`,
    );
  }
  const outputType = OutputType.safeParse(format);
  if (!outputType.success) {
    throw new KrokiError(
      400,
      `Unsupported output format: ${format.slice(0, 16)} for ${type}. Must be one of svg, pdf, png, jpeg or webp.`,
    );
  }
  const trimmed = source.trim();
  if (trimmed === "") throw new KrokiError(400, "The diagram source is empty.");
  if (known === undefined) return upstreamPayload({ upstream, source: trimmed, outputType: outputType.data, options });
  const { krokiGround } = entryOf(known);
  const parsed = RenderPayload.safeParse({
    format: known,
    source: known === "mermaid" ? withMermaidConfig(trimmed, options) : trimmed,
    outputType: outputType.data,
    options: { ...(krokiGround !== undefined && { background: krokiGround }), ...optionsOf(known, options) },
  });
  if (parsed.success) return parsed.data;
  throw invalid(parsed.error.issues[0]);
}

function upstreamPayload(
  given: Readonly<Record<"upstream" | "source" | "outputType" | "options", unknown>>,
): DrawnPayload {
  const named = Object.entries(given.options as Record<string, unknown>).map(([name, value]) => [name, String(value)]);
  const parsed = UpstreamPayload.safeParse({ ...given, options: Object.fromEntries(named) });
  if (parsed.success) return parsed.data;
  throw invalid(parsed.error.issues[0]);
}

function invalid(issue: { path: PropertyKey[]; message: string } | undefined): KrokiError {
  return new KrokiError(400, `${issue?.path.join(".") || "The request"}: ${issue?.message ?? "is not valid"}`);
}

/** Zlib in URL-safe base64. Bounded: a few hundred bytes can hold a gigabyte of nothing. */
export function decodeSource(encoded: string, maxChars: number): string {
  if (!/^[\w\-+/]+=*$/.test(encoded)) throw new KrokiError(400, "The encoded diagram is not URL-safe base64.");
  try {
    // Four bytes are the most that a character takes.
    const bytes = inflateSync(Buffer.from(encoded, "base64"), { maxOutputLength: maxChars * 4 + 1 });
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE")
      throw new KrokiError(413, `The diagram has more than ${maxChars} characters.`);
    throw new KrokiError(
      400,
      "The diagram cannot be decoded. Deflate it with zlib, then encode it in URL-safe base64.",
    );
  }
}
