import { registrableDomain } from "../crawl/links.ts";
import { clip } from "../page/clean.ts";
import { isOrganisation } from "./schema-org.ts";

/** Structured data of one page, flattened: every object that has a type. */
export interface Things {
  things: Thing[];
  /** Blocks that are no JSON. */
  broken: number;
}

export interface Thing {
  types: string[];
  /** The field of another thing that it stands in; undefined: it stands on its own. */
  via: string | undefined;
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
      collect(JSON.parse(block), things, 0, undefined);
    } catch {
      broken++;
    }
  }
  return { things, broken };
}

function collect(value: unknown, things: Thing[], depth: number, via: string | undefined): void {
  if (depth > MAX_DEPTH || things.length >= MAX_THINGS || typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    for (const each of value.slice(0, MAX_THINGS)) collect(each, things, depth + 1, via);
    return;
  }
  const fields = value as Record<string, unknown>;
  const types = texts(fields["@type"]).slice(0, MAX_TYPES);
  if (types.length > 0) things.push({ types: types.map((type) => type.replace(SCHEMA, "")), via, fields });
  for (const [name, each] of Object.entries(fields)) {
    if (typeof each === "object") collect(each, things, depth + 1, name === "@graph" ? via : name);
  }
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

/** Fields by which a thing names the organisation behind the site. Other fields name another organisation: a product's brand, an employer. */
const OWN_FIELDS: ReadonlySet<string> = new Set([
  ...["publisher", "mainEntity", "mainEntityOfPage", "isPartOf", "about", "copyrightHolder", "provider", "seller"],
  ...["offeredBy", "sourceOrganization"],
]);

/** The organisation that the site belongs to: one that names the site's own address, or else the most prominent. */
export function organisationOf(things: readonly Thing[], url: string): Thing | undefined {
  const domain = domainOf(url);
  const all = things.filter(
    ({ types, via }) => types.some(isOrganisation) && (via === undefined || OWN_FIELDS.has(via)),
  );
  const rank = (thing: Thing) => {
    const named = [...texts(thing.fields["url"]), ...texts(thing.fields["@id"])];
    const isHere = named.some((each) => domainOf(each) === domain);
    return (isHere ? 2 : 0) + (thing.via === undefined ? 1 : 0);
  };
  return all.filter(({ fields }) => texts(fields["name"]).length > 0).sort((a, b) => rank(b) - rank(a))[0] ?? all[0];
}

function domainOf(url: string): string | undefined {
  return URL.canParse(url) ? registrableDomain(new URL(url).hostname) : undefined;
}
