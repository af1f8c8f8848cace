/** A range of bytes in a file. */
export interface ByteRange {
  /** The first byte. */
  readonly start: number;
  /** The byte after the last one. */
  readonly end: number;
}

/**
 * The byte range that a request asks for. Several ranges, other units and invalid ranges return undefined: the answer is then
 * the whole content, which HTTP allows.
 */
export function rangeOf(request: Request, size: number, etag: string): ByteRange | "unsatisfiable" | undefined {
  const given = request.headers.get("range");
  const ifRange = request.headers.get("if-range");
  if (given === null || (ifRange !== null && ifRange !== etag)) return undefined;
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(given.trim()) ?? [];
  if (first === undefined || last === undefined || (first === "" && last === "")) return undefined;
  if (first === "") return suffix(Number(last), size);
  const start = Number(first);
  const end = last === "" ? size : Math.min(size, Number(last) + 1);
  if (last !== "" && Number(last) < start) return undefined;
  return start < size ? { start, end } : "unsatisfiable";
}

function suffix(length: number, size: number): ByteRange | "unsatisfiable" {
  if (length === 0 || size === 0) return "unsatisfiable";
  return { start: Math.max(0, size - length), end: size };
}
