import { clip } from "../page/clean.ts";

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
const MAX_TYPES = 20;
const MAX_TEXTS = 100;

/** Five parts of the profile ask for the same blocks, and each is parsed once. */
const known = new WeakMap<readonly string[], Things>();

export function readJsonLd(blocks: readonly string[]): Things {
  const read = known.get(blocks) ?? parseBlocks(blocks);
  known.set(blocks, read);
  return read;
}

function parseBlocks(blocks: readonly string[]): Things {
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
  const types = texts(fields["@type"]).slice(0, MAX_TYPES);
  if (types.length > 0) things.push({ types: types.map((type) => type.replace(SCHEMA, "")), fields });
  for (const each of Object.values(fields)) if (typeof each === "object") collect(each, things, depth + 1);
}

const SCHEMA = /^https?:\/\/schema\.org\//;

/** A field as the texts in it: most may be one or many. */
export function texts(value: unknown): string[] {
  const all = Array.isArray(value) ? value.slice(0, MAX_TEXTS) : [value];
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

/** The beginning of an object as JSON. Its depth is cut first: writing a deep one would overflow the stack. */
export function quoteOf(fields: Record<string, unknown>): string {
  return clip(JSON.stringify(shallow(fields, 3)), 300);
}

function shallow(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null) return typeof value === "string" ? value.slice(0, 300) : value;
  if (depth === 0) return "…";
  if (Array.isArray(value)) return value.slice(0, 10).map((each) => shallow(each, depth - 1));
  const entries = Object.entries(value).slice(0, 20);
  return Object.fromEntries(entries.map(([name, each]) => [name, shallow(each, depth - 1)]));
}

export const ORGANISATION =
  /^(?:Organization|Corporation|LocalBusiness|Store|Restaurant|Hotel|OnlineStore|OnlineBusiness|NGO|.*Business|.*Store|Brand)$/;
