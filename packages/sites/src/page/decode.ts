import { guessCharset } from "./guess-charset.ts";

/** Bytes of a page as text: by its mark, its header, what it says of itself, UTF-8 where that fits, or its letters. */
export function decodePage(body: Uint8Array, contentType: string | undefined): { text: string; charset: string } {
  const label = markOf(body) ?? labelIn(contentType) ?? declared(body);
  const decoder = label === undefined ? undefined : decoderFor(label);
  if (decoder) return { text: decoder.decode(body), charset: decoder.encoding };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(body), charset: "utf-8" };
  } catch {
    const charset = guessCharset(body);
    return { text: new TextDecoder(charset).decode(body), charset };
  }
}

function markOf(body: Uint8Array): string | undefined {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return "utf-8";
  if (body[0] === 0xfe && body[1] === 0xff) return "utf-16be";
  return body[0] === 0xff && body[1] === 0xfe ? "utf-16le" : undefined;
}

function labelIn(contentType: string | undefined): string | undefined {
  return /charset\s*=\s*["']?([\w-]+)/i.exec(contentType ?? "")?.[1];
}

/** `<meta charset>`, or an XML declaration; a page is held to name it in its first kilobytes. */
function declared(body: Uint8Array): string | undefined {
  const head = new TextDecoder("latin1").decode(body.subarray(0, 4_096));
  const label = /<meta[^>]{0,200}?charset\s*=\s*["']?([\w-]+)/i.exec(head)?.[1];
  const found = label ?? /^<\?xml[^>]{0,100}?encoding\s*=\s*["']([\w-]+)/i.exec(head)?.[1];
  // A page whose first bytes could be read as ASCII is not UTF-16, whatever it says.
  return found && /^utf-?16/i.test(found) ? "utf-8" : found;
}

function decoderFor(label: string) {
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}
