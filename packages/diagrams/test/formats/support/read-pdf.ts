// As much of a PDF reader as the tests need: objects by the cross-reference table, streams unpacked, and the text of the
// invisible layer by the maps of its fonts.

import assert from "node:assert/strict";
import { inflateSync } from "node:zlib";

export interface ReadPdf {
  /** Bodies of objects by number, streams left out. */
  readonly objects: readonly string[];
  /** Unpacked, by number of their object. */
  readonly streams: ReadonlyMap<number, string>;
  /** Of the page. */
  readonly content: string;
  /** In points. */
  readonly size: readonly number[];
  /** Each piece of text, its letters from left to right. */
  readonly texts: readonly string[];
}

export function readPdf(bytes: Uint8Array): ReadPdf {
  const file = Buffer.from(bytes).toString("latin1");
  assert.match(file, /^%PDF-1\.7\n/);
  const [, start = ""] = /startxref\n(\d+)\n%%EOF\n$/.exec(file) ?? [];
  const table = file.slice(Number(start));
  const [, count = ""] = /^xref\n0 (\d+)\n0000000000 65535 f \n/.exec(table) ?? [];
  const places = [...table.matchAll(/^(\d{10}) 00000 n $/gm)].map(([, place]) => Number(place));
  assert.equal(places.length, Number(count) - 1);
  const streams = new Map<number, string>();
  const objects = places.map((place, at) => {
    const head = `${at + 1} 0 obj\n`;
    assert.equal(file.slice(place, place + head.length), head, `object ${at + 1} is where the table says`);
    const body = file.slice(place + head.length);
    const [whole, entries = "", length = ""] = /^(<< [\s\S]*? \/Length (\d+) >>)\nstream\n/.exec(body) ?? [];
    if (whole === undefined || body.indexOf("\nendobj\n") < whole.length)
      return body.slice(0, body.indexOf("\nendobj\n"));
    const packed = bytes.subarray(
      place + head.length + whole.length,
      place + head.length + whole.length + Number(length),
    );
    streams.set(at + 1, inflateSync(packed).toString("latin1"));
    return entries;
  });
  const page = objects.find((body) => body.includes("/Type /Page "));
  const content = streams.get(Number(/\/Contents (\d+) 0 R/.exec(page ?? "")?.[1])) ?? "";
  const size = (/\/MediaBox \[0\.00 0\.00 ([\d. ]+)\]/.exec(page ?? "")?.[1] ?? "").split(" ").map(Number);
  return { objects, streams, content, size, texts: textsOf(content, objects, streams) };
}

function textsOf(content: string, objects: readonly string[], streams: ReadonlyMap<number, string>): string[] {
  const resources = objects.find((body) => /^<< .*\/Font <</.test(body)) ?? "";
  const maps = new Map(
    [...resources.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name = "", id]) => {
      const [, map] = /\/ToUnicode (\d+) 0 R/.exec(objects[Number(id) - 1] ?? "") ?? [];
      return [name, lettersOf(streams.get(Number(map)) ?? "")] as const;
    }),
  );
  const texts: string[] = [];
  let font = new Map<string, string>();
  for (const [, moved, named, codes = ""] of content.matchAll(/( Tm$)|\/(F\d+) [\d.]+ Tf|<([\da-f]+)> Tj/gm)) {
    if (moved !== undefined) texts.push("");
    else if (named !== undefined) font = maps.get(named) ?? new Map();
    else texts[texts.length - 1] += (codes.match(/../g) ?? []).map((code) => font.get(code) ?? "?").join("");
  }
  return texts;
}

function lettersOf(map: string): Map<string, string> {
  return new Map(
    [...map.matchAll(/^<([\da-f]{2})> <([\da-f]+)>$/gm)].map(([, code = "", units = ""]) => [
      code,
      String.fromCharCode(...(units.match(/.{4}/g) ?? []).map((unit) => Number.parseInt(unit, 16))),
    ]),
  );
}
