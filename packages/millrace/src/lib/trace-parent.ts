// W3C trace context: `00-<trace id>-<span id>-<flags>`.

const TRACE_PARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
const LENGTH = 55;

/** The id is stored with the job and appears in log lines and headers, so it holds only harmless characters. */
const TRACE_ID = /^[\w.:/-]{1,128}$/;

export interface Trace {
  /** The id for people and logs: the caller's own, or that of the trace parent. */
  traceId?: string;
  /** The parent of spans of a distributed trace. */
  traceParent?: string;
}

export function isTraceId(text: string): boolean {
  return TRACE_ID.test(text);
}

export function isTraceParent(text: string): boolean {
  return text.length === LENGTH && TRACE_PARENT.test(text);
}

export function traceIdIn(traceParent: string): string {
  return traceParent.slice(3, 35);
}

export function spanIdIn(traceParent: string): string {
  return traceParent.slice(36, 52);
}

export function flagsIn(traceParent: string): number {
  return Number.parseInt(traceParent.slice(53), 16);
}

/** Packs both into one field, because most jobs have neither or only the first. */
export function packTrace({ traceId, traceParent }: Trace): string | null {
  if (traceParent === undefined) return traceId ?? null;
  return `${traceId ?? traceIdIn(traceParent)} ${traceParent}`;
}

export function unpackTrace(packed: string): Trace {
  const space = packed.length - LENGTH - 1;
  if (space < 0 || packed[space] !== " " || !isTraceParent(packed.slice(space + 1))) return { traceId: packed };
  return { traceId: packed.slice(0, space), traceParent: packed.slice(space + 1) };
}
