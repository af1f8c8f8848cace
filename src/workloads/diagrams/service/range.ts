export interface ByteRange {
  readonly start: number;
  /** The first byte that is not in it. */
  readonly end: number;
}

/**
 * The one range a request asks for. Several at once, other units and what makes no sense get the whole: a server may answer so,
 * and nobody needs parts of a drawing.
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
