// Many rows travel as one array per column, written as PostgreSQL reads them. For array types the driver would have to
// query the server at every connect. It passes strings on as they are.

/** A missing value is written as null, which PostgreSQL reads as NULL. */
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
