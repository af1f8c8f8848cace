// The request to the Kroki. It is asked for SVG alone: our sanitiser reads that, and pictures are made of what it leaves.

import { JobFailure } from "millrace/processor";
import type { Fault } from "../../engine.ts";
import type { UpstreamPayload } from "./payload.ts";

export const UPSTREAM_VARIABLE = "KROKI_UPSTREAM";

const MOST_BYTES = 20_000_000;
const MOST_MESSAGE_CHARS = 2_000;

export async function fetchDrawing(
  address: string,
  { upstream, source, options = {} }: UpstreamPayload,
  signal: AbortSignal,
): Promise<string | { fault: Fault }> {
  const headers = new Headers({ "content-type": "text/plain; charset=utf-8", accept: "image/svg+xml" });
  for (const [name, value] of Object.entries(options))
    headers.set(`kroki-diagram-options-${name}`, encodeURI(value).replaceAll("%20", " "));
  const url = `${address.replace(/\/+$/, "")}/${upstream}/svg`;
  let response: Response;
  try {
    response = await fetch(url, { method: "POST", headers, body: source, redirect: "error", signal });
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    throw failed("KROKI_UPSTREAM does not answer.", cause);
  }
  const text = await boundedText(response);
  if (response.ok) return text;
  if (response.status === 400) return { fault: { message: messageIn(text) } };
  throw failed(`KROKI_UPSTREAM answered ${response.status} for the type "${upstream}".`);
}

function failed(message: string, cause?: unknown): JobFailure {
  return new JobFailure(message, { code: "upstream-failed", permanent: true, ...(cause !== undefined && { cause }) });
}

async function boundedText(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.byteLength;
    if (bytes > MOST_BYTES) throw failed(`KROKI_UPSTREAM sent more than ${MOST_BYTES / 1e6} MB.`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

/** `Error 400: SyntaxError: …`, or the same in JSON. */
function messageIn(text: string): string {
  let said = text;
  try {
    const parsed = JSON.parse(text) as { error?: { message?: unknown } };
    if (typeof parsed.error?.message === "string") said = parsed.error.message;
  } catch {
    // It is text.
  }
  const plain = said
    .replace(/^Error 400:\s*/, "")
    .trim()
    .slice(0, MOST_MESSAGE_CHARS)
    .toWellFormed();
  return plain === "" ? "The diagram has an error." : plain;
}
