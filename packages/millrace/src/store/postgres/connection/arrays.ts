// Many rows travel as one array per column, written as PostgreSQL reads them. The driver would have to ask the server
// for its array types at every connect; text it passes on as it is.

/** What is missing is written as null, which PostgreSQL reads as NULL. */
export function numbers(values: Iterable<number | null | undefined>): string {
  return `{${JSON.stringify(Array.isArray(values) ? values : [...values]).slice(1, -1)}}`;
}

export function texts(values: Iterable<string | null | undefined>): string {
  const parts: string[] = [];
  for (const value of values) parts.push(value === null || value === undefined ? "NULL" : quoted(value));
  return `{${parts.join(",")}}`;
}

function quoted(value: string): string {
  return `"${NEEDS_ESCAPE.test(value) ? value.replace(/["\\]/g, "\\$&") : value}"`;
}

const NEEDS_ESCAPE = /["\\]/;
