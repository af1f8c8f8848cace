// A line of CSV by RFC 4180.

/** One line. Every cell is quoted, and what is not a string is written as JSON. */
export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(cellOf).join(",")}\r\n`;
}

function cellOf(value: unknown): string {
  const text = value === undefined || value === null ? "" : typeof value === "string" ? value : JSON.stringify(value);
  return `"${harmless(text, typeof value).replaceAll('"', '""')}"`;
}

/**
 * Spreadsheets run a cell that begins like a formula, and a payload is written by others. An apostrophe makes it text. Numbers of
 * our own may be negative.
 */
function harmless(text: string, type: string): string {
  return type !== "number" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}
