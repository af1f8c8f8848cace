// A time as the browser's field for dates has it: without a zone, to the minute.

/** Empty if it is not a time. */
export function toField(iso: string, isUtc: boolean): string {
  const at = Date.parse(iso);
  if (Number.isNaN(at)) return "";
  const offsetMs = isUtc ? 0 : new Date(at).getTimezoneOffset() * 60_000;
  return new Date(at - offsetMs).toISOString().slice(0, "2026-11-18T10:00".length);
}

/** Undefined if it is not a time. */
export function fromField(text: string, isUtc: boolean): string | undefined {
  const at = Date.parse(isUtc ? `${text}Z` : text);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}
