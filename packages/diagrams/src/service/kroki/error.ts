// Errors in the form a client of Kroki asks for by its `Accept`: JSON, text, a page, or a picture that says what is wrong.

import { AppError } from "millrace";
import { ERRORS, isErrorCode } from "millrace/workload";
import { findFonts } from "../../text/fonts.ts";
import { HARDENED } from "../drawing-route.ts";
import { KrokiError } from "./source.ts";

/** Undefined: not one of ours to tell, and the server answers it as any other fault. */
export async function krokiErrorResponse(
  error: unknown,
  wishes: { readonly accept: string | null; readonly format: string | undefined },
): Promise<Response | undefined> {
  const known = knownError(error);
  if (known === undefined) return undefined;
  const { status, message, retryAfterMs } = known;
  const { type, body } = await bodyOf(status, message, wishes.accept ?? "", wishes.format);
  return new Response(body, {
    status,
    headers: {
      ...HARDENED,
      "content-type": type,
      "cache-control": "no-store",
      ...(retryAfterMs !== undefined && { "retry-after": String(Math.max(1, Math.ceil(retryAfterMs / 1_000))) }),
    },
  });
}

interface KnownFailure {
  readonly status: number;
  readonly message: string;
  readonly retryAfterMs?: number | undefined;
}

interface Details {
  readonly line?: number;
  readonly column?: number;
  readonly excerpt?: string;
  readonly advice?: string;
  readonly retryAfterMs?: number;
}

function knownError(error: unknown): KnownFailure | undefined {
  if (error instanceof KrokiError) return error;
  if (!(error instanceof AppError)) return undefined;
  const { line, column, excerpt, advice, retryAfterMs } = error.details as Details;
  switch (error.code) {
    case "render-failed":
    case "include-missing": {
      const place = [line === undefined ? "" : `line ${line}`, column === undefined ? "" : `column ${column}`];
      const where = place.filter(Boolean).join(", ");
      const sentence = where === "" ? error.message : `${error.message} (${where})`;
      return { status: 400, message: [sentence, excerpt, advice].filter((part) => part !== undefined).join("\n") };
    }
    case "render-timeout":
    case "still-running":
      return { status: 408, message: error.message };
    default: {
      if (!isErrorCode(error.code)) return undefined;
      const { status } = ERRORS[error.code];
      return status >= 500 ? undefined : { status, message: error.message, retryAfterMs };
    }
  }
}

/** In the client's own order; text where it has no wish that we know. */
async function bodyOf(
  status: number,
  message: string,
  accept: string,
  format: string | undefined,
): Promise<{ type: string; body: string | Uint8Array<ArrayBuffer> }> {
  for (const range of accept.split(",")) {
    const type = range.split(";")[0]?.trim().toLowerCase() ?? "";
    if (type === "application/json")
      return { type: "application/json", body: JSON.stringify({ error: { code: status, message } }) };
    if (type === "text/html") return { type: "text/html; charset=utf-8", body: page(status, message) };
    if (type === "text/plain") break;
    if (type === "image/png" || (type.startsWith("image/") && format === "png"))
      return { type: "image/png", body: await picturePng(picture(status, message)) };
    if (type.startsWith("image/")) return { type: "image/svg+xml", body: picture(status, message) };
  }
  return { type: "text/plain; charset=utf-8", body: `Error ${status}: ${message}` };
}

function page(status: number, message: string): string {
  return `<!doctype html><meta charset="utf-8"><title>Error ${status}</title><h1>Error ${status}</h1><pre>${escaped(message)}</pre>\n`;
}

const LINE_CHARS = 80;
const LINE_PX = 20;

function picture(status: number, message: string): string {
  const lines = [`Error ${status}`, ...wrapped(message)];
  const height = (lines.length + 1) * LINE_PX;
  const texts = lines.map(
    (line, i) => `<text x="16" y="${(i + 1) * LINE_PX + 4}" xml:space="preserve">${escaped(line)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="720" height="${height}" viewBox="0 0 720 ${height}" font-family="monospace" font-size="14" fill="#8a1f11"><rect width="720" height="${height}" fill="#fdf1ef"/>${texts.join("")}</svg>`;
}

/** Some dozen lines of our own making, in one font and beside the event loop: no work for a renderer. */
async function picturePng(svg: string): Promise<Uint8Array<ArrayBuffer>> {
  const { files, mono } = findFonts();
  const fontFiles = files.filter((file) => file.family === mono && file.weight === 400).map(({ path }) => path);
  const { renderAsync } = await import("@resvg/resvg-js");
  const font = { loadSystemFonts: false, fontFiles, defaultFontFamily: mono, monospaceFamily: mono };
  return new Uint8Array((await renderAsync(svg, { font, logLevel: "off" })).asPng());
}

function wrapped(message: string): string[] {
  return message
    .split("\n")
    .slice(0, 20)
    .flatMap((line) => line.match(new RegExp(`.{1,${LINE_CHARS}}`, "gu")) ?? [""])
    .slice(0, 20);
}

function escaped(text: string): string {
  const names: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  // Control characters are no XML at all.
  return text.replace(/\p{Cc}/gu, " ").replace(/[&<>"]/g, (character) => names[character] ?? "");
}
