// Rules about the names of types. Each gives what breaks it, so that a failure names the file.

export interface TypeName {
  readonly name: string;
  readonly path: string;
  readonly isExported: boolean;
}

interface Source {
  readonly path: string;
  readonly text: string;
}

const DECLARED = /^(export )?(?:declare )?(?:abstract )?(?:type|interface|class) (\w+)/gm;
/** What the server sends and the client receives: the same thing as in the engine, in its form on the wire. */
const WIRE = /^packages\/[^/]+\/src\/(?:api|client)(?:\/|\.ts$)/;

/** The types that a file declares at its top level. */
export function typesIn({ path, text }: Source): TypeName[] {
  return [...text.matchAll(DECLARED)].map(([, exported, name = ""]) => ({
    name,
    path,
    isExported: exported !== undefined,
  }));
}

/**
 * Exported names that are declared more than once. Two declarations count as one if they are the same file of both stores, or
 * if one of them is the form on the wire of the other.
 */
export function homonyms(types: readonly TypeName[]): string[] {
  const homes = new Map<string, Set<string>>();
  for (const { name, path, isExported } of types) {
    if (!isExported || WIRE.test(path)) continue;
    const home = path.replace(/\/store\/(?:sqlite|postgres)\//, "/store/*/");
    homes.set(name, (homes.get(name) ?? new Set()).add(home));
  }
  return [...homes].filter(([, paths]) => paths.size > 1).map(([name, paths]) => `${name}: ${[...paths].join(", ")}`);
}

/** Participles that do not end in "ed" or "ing". */
const IRREGULAR = new Set(
  [
    "Begun",
    "Drawn",
    "Found",
    "Given",
    "Held",
    "Kept",
    "Known",
    "LaidOut",
    "Lost",
    "Paid",
    "Seen",
    "Sent",
    "Shown",
  ].concat(["Taken", "Thrown", "Told", "Written"]),
);
/** Words that name no thing: a reader cannot tell what such a type holds. */
const RIDDLES = new Set(
  [
    "About",
    "Around",
    "Became",
    "Behind",
    "Both",
    "Inside",
    "Manner",
    "Means",
    "More",
    "Now",
    "Out",
    "Past",
    "Purse",
  ].concat(["Some", "Surroundings", "Tools", "Voice", "Wish"]),
);
/** Nouns that end as participles do. */
const NOUNS = new Set(
  [
    "Drawing",
    "Ending",
    "Feed",
    "Finding",
    "Heading",
    "Naming",
    "Nothing",
    "Rendering",
    "Seed",
    "Setting",
    "Standing",
    "String",
  ].concat([
    "Thing",
    "Jsonified", // a function over types, as `Awaited` is
    "Suspended", // the reason of an aborted signal, which processors compare by this name
  ]),
);

/** Types of one word that is a participle (`Asked`, `Taken`, `Running`) or a riddle (`More`, `Surroundings`). */
export function riddles(types: readonly TypeName[]): string[] {
  const isParticiple = (name: string) =>
    !NOUNS.has(name) && (IRREGULAR.has(name) || /^[A-Z][a-z]+(?:ed|ing)$/.test(name));
  return types
    .filter(({ name }) => isParticiple(name) || RIDDLES.has(name))
    .map(({ name, path }) => `${name}: ${path}`);
}
