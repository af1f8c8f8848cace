/** Structured data of one page, flattened: every object that has a type. */
export interface Things {
  things: Thing[];
  /** Blocks that are no JSON. */
  broken: number;
}

export interface Thing {
  types: string[];
  fields: Record<string, unknown>;
}

const MAX_THINGS = 200;
const MAX_DEPTH = 8;

export function readJsonLd(blocks: readonly string[]): Things {
  const things: Thing[] = [];
  let broken = 0;
  for (const block of blocks) {
    try {
      collect(JSON.parse(block), things, 0);
    } catch {
      broken++;
    }
  }
  return { things, broken };
}

function collect(value: unknown, things: Thing[], depth: number): void {
  if (depth > MAX_DEPTH || things.length >= MAX_THINGS || typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    for (const each of value.slice(0, MAX_THINGS)) collect(each, things, depth + 1);
    return;
  }
  const fields = value as Record<string, unknown>;
  const types = texts(fields["@type"]).map((type) => type.replace(/^https?:\/\/schema\.org\//, ""));
  if (types.length > 0) things.push({ types, fields });
  for (const each of Object.values(fields)) if (typeof each === "object") collect(each, things, depth + 1);
}

/** A field as the texts in it: most may be one or many. */
export function texts(value: unknown): string[] {
  const all = Array.isArray(value) ? value : [value];
  return all.flatMap((each) => {
    if (typeof each === "string") return each.trim() === "" ? [] : [each.trim().slice(0, 300)];
    if (typeof each === "number") return [String(each)];
    const name = typeof each === "object" && each !== null ? (each as { name?: unknown }).name : undefined;
    return typeof name === "string" ? [name.trim().slice(0, 300)] : [];
  });
}

export function ofType(things: readonly Thing[], pattern: RegExp): Thing[] {
  return things.filter(({ types }) => types.some((type) => pattern.test(type)));
}

export const ORGANISATION =
  /^(?:Organization|Corporation|LocalBusiness|Store|Restaurant|Hotel|OnlineStore|OnlineBusiness|NGO|.*Business|.*Store|Brand)$/;
