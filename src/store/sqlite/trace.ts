// A job's trace id and its W3C traceparent share a column, one to a line: few jobs have both, and every bound value of an
// insert costs.

interface Traced {
  traceId?: string;
  traceParent?: string;
}

export function traceText({ traceId, traceParent }: Traced): string | null {
  if (traceParent === undefined) return traceId ?? null;
  return `${traceId ?? ""}\n${traceParent}`;
}

export function readTrace(text: string | null, into: Traced): void {
  if (text === null) return;
  const end = text.indexOf("\n");
  if (end !== 0) into.traceId = end < 0 ? text : text.slice(0, end);
  if (end >= 0) into.traceParent = text.slice(end + 1);
}

export function traceOf(text: string | null): Traced {
  const traced: Traced = {};
  readTrace(text, traced);
  return traced;
}
