// Structured data as it is kept: without the wrappers that old templates put around it, and small enough for a step.

/** Longer blocks are written again with their long strings and lists cut. */
const MOST_CHARS = 30_000;
const CUTS = [
  { depth: 10, items: 60, chars: 300 },
  { depth: 7, items: 25, chars: 120 },
  { depth: 5, items: 10, chars: 80 },
];

/** `undefined`: there is nothing in it. A block that is not JSON comes back as it is, up to the bound. */
export function keptJsonLd(block: string): string | undefined {
  const text = unwrapped(block);
  if (text === "" || text.length <= MOST_CHARS) return text || undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text.slice(0, MOST_CHARS);
  }
  for (const cut of CUTS) {
    const written = JSON.stringify(trimmed(value, cut));
    if (written.length <= MOST_CHARS) return written;
  }
  return "{}";
}

/** `<!--`, `//<![CDATA[` and their ends: they kept old browsers from reading a script. */
function unwrapped(block: string): string {
  return block
    .trim()
    .replace(/^(?:\/\/|\/\*)?\s{0,20}<!\[CDATA\[\s{0,20}(?:\*\/)?|^<!--/, "")
    .replace(/(?:\/\/|\/\*)?\s{0,20}\]\]>\s{0,20}(?:\*\/)?$|(?:\/\/)?\s{0,20}-->$/, "")
    .trim();
}

function trimmed(value: unknown, { depth, items, chars }: (typeof CUTS)[number]): unknown {
  if (typeof value === "string") return value.slice(0, chars);
  if (typeof value !== "object" || value === null) return value;
  if (depth === 0) return null;
  const inner = { depth: depth - 1, items, chars };
  if (Array.isArray(value)) return value.slice(0, items).map((each) => trimmed(each, inner));
  const fields = Object.entries(value).slice(0, items);
  return Object.fromEntries(fields.map(([name, each]) => [name.slice(0, 100), trimmed(each, inner)]));
}
