// The objects of a PDF file, in the order they are added, and the file they make. Nothing in it depends on the day.

import { deflateSync } from "node:zlib";

const HEADER = "%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n";

export class PdfFile {
  readonly #objects: (Uint8Array | undefined)[] = [];

  /** A number for an object that is written later. */
  reserve(): number {
    this.#objects.push(undefined);
    return this.#objects.length;
  }

  add(body: string, id: number = this.reserve()): number {
    this.#objects[id - 1] = latin1(body);
    return id;
  }

  stream(content: string | Uint8Array, entries = "", id: number = this.reserve()): number {
    const packed = deflateSync(typeof content === "string" ? latin1(content) : content, { level: 9 });
    return this.raw(packed, `${entries} /Filter /FlateDecode`, id);
  }

  /** Bytes that are packed already. */
  raw(bytes: Uint8Array, entries: string, id: number = this.reserve()): number {
    const head = latin1(`<< ${entries} /Length ${bytes.length} >>\nstream\n`);
    this.#objects[id - 1] = Buffer.concat([head, bytes, latin1("\nendstream")]);
    return id;
  }

  bytes(root: number, info: number): Uint8Array {
    const parts: Uint8Array[] = [latin1(HEADER)];
    let at = HEADER.length;
    const places: number[] = [];
    for (const [index, body] of this.#objects.entries()) {
      places.push(at);
      const part = Buffer.concat([latin1(`${index + 1} 0 obj\n`), body ?? latin1("null"), latin1("\nendobj\n")]);
      parts.push(part);
      at += part.length;
    }
    const rows = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("");
    const size = places.length + 1;
    parts.push(latin1(`xref\n0 ${size}\n0000000000 65535 f \n${rows}`));
    parts.push(latin1(`trailer\n<< /Size ${size} /Root ${root} 0 R /Info ${info} 0 R >>\nstartxref\n${at}\n%%EOF\n`));
    return new Uint8Array(Buffer.concat(parts));
  }
}

function latin1(text: string): Uint8Array {
  return Buffer.from(text, "latin1");
}

/** Any text, as PDF's strings for people hold it. */
export function textString(text: string): string {
  const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at).toString(16).padStart(4, "0"));
  return `<feff${units.join("")}>`;
}
