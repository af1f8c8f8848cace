// Several font files with the letters of one font as one file again: packages of large fonts bring them in a hundred parts.
// Only shapes, widths and letters are taken. The parts are TrueType, of one weight, without rules for joining signs.

const HEAD_LOCA_FORMAT = 50;
const HHEA_METRICS = 34;
const MAXP_GLYPHS = 4;
// Flags of a part of a composite glyph.
const WORDS = 0x1;
const SCALE = 0x8;
const MORE = 0x20;
const TWO_SCALES = 0x40;
const MATRIX = 0x80;

/** `parts`: each with its bytes and what it is to be asked for, by code point. The first part that has a letter gives it. */
export function mergeFonts(parts) {
  const glyphs = [];
  const metrics = [];
  const letters = new Map();
  for (const bytes of parts) {
    const tables = readTables(bytes);
    const first = glyphs.length;
    const own = glyphsOf(tables);
    glyphs.push(...own.map((glyph) => movedParts(glyph, first)));
    metrics.push(...metricsOf(tables, own.length));
    for (const [codePoint, glyph] of lettersOf(tables.cmap)) {
      if (glyph !== 0 && !letters.has(codePoint)) letters.set(codePoint, glyph + first);
    }
  }
  if (glyphs.length > 0xffff) throw new Error(`A font has at most 65,535 glyphs; these parts have ${glyphs.length}.`);
  return written(readTables(parts[0]), glyphs, metrics, letters);
}

function readTables(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tables = {};
  for (let index = 0; index < view.getUint16(4); index++) {
    const at = 12 + index * 16;
    const name = String.fromCharCode(...bytes.subarray(at, at + 4));
    const from = view.getUint32(at + 8);
    tables[name] = Buffer.from(bytes.buffer, bytes.byteOffset + from, view.getUint32(at + 12));
  }
  return tables;
}

function glyphsOf({ head, loca, glyf, maxp }) {
  const isLong = head.readInt16BE(HEAD_LOCA_FORMAT) === 1;
  const offset = (index) => (isLong ? loca.readUInt32BE(index * 4) : loca.readUInt16BE(index * 2) * 2);
  const count = maxp.readUInt16BE(MAXP_GLYPHS);
  return Array.from({ length: count }, (_, index) => glyf.subarray(offset(index), offset(index + 1)));
}

/** A composite glyph names the glyphs it is made of by number. */
function movedParts(glyph, by) {
  if (by === 0 || glyph.length === 0 || glyph.readInt16BE(0) >= 0) return glyph;
  const moved = Buffer.from(glyph);
  let at = 10;
  for (;;) {
    const flags = moved.readUInt16BE(at);
    moved.writeUInt16BE(moved.readUInt16BE(at + 2) + by, at + 2);
    at += 4 + (flags & WORDS ? 4 : 2) + (flags & SCALE ? 2 : flags & TWO_SCALES ? 4 : flags & MATRIX ? 8 : 0);
    if (!(flags & MORE)) return moved;
  }
}

function metricsOf({ hhea, hmtx }, count) {
  const long = hhea.readUInt16BE(HHEA_METRICS);
  return Array.from({ length: count }, (_, index) => ({
    advance: hmtx.readUInt16BE(Math.min(index, long - 1) * 4),
    bearing: index < long ? hmtx.readInt16BE(index * 4 + 2) : hmtx.readInt16BE(long * 4 + (index - long) * 2),
  }));
}

/** Of its largest table of Unicode letters: format 12 has all of them, format 4 those of the first plane. */
function* lettersOf(cmap) {
  const tables = Array.from({ length: cmap.readUInt16BE(2) }, (_, index) => cmap.readUInt32BE(4 + index * 8 + 4));
  const by = (format) => tables.find((at) => cmap.readUInt16BE(at) === format);
  const [full, basic] = [by(12), by(4)];
  if (full !== undefined) yield* groupsOf(cmap, full);
  else if (basic !== undefined) yield* segmentsOf(cmap, basic);
}

function* groupsOf(cmap, at) {
  for (let group = 0; group < cmap.readUInt32BE(at + 12); group++) {
    const [first, last, glyph] = [0, 4, 8].map((by) => cmap.readUInt32BE(at + 16 + group * 12 + by));
    for (let code = first; code <= last; code++) yield [code, glyph + code - first];
  }
}

function* segmentsOf(cmap, at) {
  const count = cmap.readUInt16BE(at + 6) / 2;
  const [ends, starts] = [at + 14, at + 16 + count * 2];
  const [deltas, ranges] = [starts + count * 2, starts + count * 4];
  for (let segment = 0; segment < count; segment++) {
    const by = segment * 2;
    const [start, end] = [cmap.readUInt16BE(starts + by), cmap.readUInt16BE(ends + by)];
    const [delta, range] = [cmap.readInt16BE(deltas + by), cmap.readUInt16BE(ranges + by)];
    for (let code = start; code <= end && code !== 0xffff; code++) {
      const glyph = range === 0 ? code : cmap.readUInt16BE(ranges + by + range + (code - start) * 2);
      yield [code, glyph === 0 && range !== 0 ? 0 : (glyph + delta) & 0xffff];
    }
  }
}

function written(tables, glyphs, metrics, letters) {
  const padded = glyphs.map((glyph) => Buffer.concat([glyph, Buffer.alloc((4 - (glyph.length % 4)) % 4)]));
  const loca = Buffer.alloc((glyphs.length + 1) * 4);
  let at = 0;
  for (const [index, glyph] of padded.entries()) {
    at += glyph.length;
    loca.writeUInt32BE(at, (index + 1) * 4);
  }
  const hmtx = Buffer.alloc(glyphs.length * 4);
  for (const [index, { advance, bearing }] of metrics.entries()) {
    hmtx.writeUInt16BE(advance, index * 4);
    hmtx.writeInt16BE(bearing, index * 4 + 2);
  }
  const [head, hhea, maxp] = [tables.head, tables.hhea, tables.maxp].map((table) => Buffer.from(table));
  head.writeInt16BE(1, HEAD_LOCA_FORMAT);
  hhea.writeUInt16BE(glyphs.length, HHEA_METRICS);
  maxp.writeUInt16BE(glyphs.length, MAXP_GLYPHS);
  const post = Buffer.from(tables.post.subarray(0, 32));
  post.writeUInt32BE(0x00030000, 0);
  return fileOf({
    "OS/2": tables["OS/2"],
    cmap: cmapOf(letters),
    glyf: Buffer.concat(padded),
    head,
    hhea,
    hmtx,
    loca,
    maxp,
    name: tables.name,
    post,
  });
}

function cmapOf(letters) {
  const groups = [];
  for (const [codePoint, glyph] of [...letters].sort(([a], [b]) => a - b)) {
    const last = groups.at(-1);
    if (last !== undefined && codePoint === last.end + 1 && glyph === last.glyph + codePoint - last.start)
      last.end = codePoint;
    else groups.push({ start: codePoint, end: codePoint, glyph });
  }
  const table = Buffer.alloc(12 + 16 + groups.length * 12);
  // One table for Windows with all of Unicode.
  for (const [by, value] of [
    [2, 1],
    [4, 3],
    [6, 10],
  ])
    table.writeUInt16BE(value, by);
  table.writeUInt32BE(12, 8);
  table.writeUInt16BE(12, 12);
  table.writeUInt32BE(table.length - 12, 16);
  table.writeUInt32BE(groups.length, 24);
  for (const [index, { start, end, glyph }] of groups.entries()) {
    for (const [by, value] of [
      [0, start],
      [4, end],
      [8, glyph],
    ])
      table.writeUInt32BE(value, 28 + index * 12 + by);
  }
  return table;
}

function fileOf(tables) {
  const names = Object.keys(tables).sort();
  const header = Buffer.alloc(12 + names.length * 16);
  const power = 2 ** Math.floor(Math.log2(names.length));
  header.writeUInt32BE(0x00010000, 0);
  for (const [by, value] of [
    [4, names.length],
    [6, power * 16],
    [8, Math.log2(power)],
    [10, (names.length - power) * 16],
  ])
    header.writeUInt16BE(value, by);
  const bodies = [];
  let at = header.length;
  for (const [index, name] of names.entries()) {
    const table = tables[name];
    const body = Buffer.concat([table, Buffer.alloc((4 - (table.length % 4)) % 4)]);
    const entry = 12 + index * 16;
    header.write(name, entry, "latin1");
    header.writeUInt32BE(checksumOf(body), entry + 4);
    header.writeUInt32BE(at, entry + 8);
    header.writeUInt32BE(table.length, entry + 12);
    bodies.push(body);
    at += body.length;
  }
  return Buffer.concat([header, ...bodies]);
}

function checksumOf(body) {
  let sum = 0;
  for (let at = 0; at < body.length; at += 4) sum = (sum + body.readUInt32BE(at)) >>> 0;
  return sum;
}
