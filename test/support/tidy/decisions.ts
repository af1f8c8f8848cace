// Decisions of both stores stand in store/decide and job/. A store that words a refusal, gives an error its code or says where a job
// goes next by itself has a copy of its own, and copies drift.

import { withoutComments } from "./source.ts";

export interface StoreFile {
  /** From the folder of its store: "settle/apply.ts". */
  readonly path: string;
  readonly text: string;
}

/** A string of at least three words that ends like a sentence. What is filled in counts as a dot. */
const STRINGS = /`((?:[^`\\]|\\.)*)`|"((?:[^"\\\n]|\\.)*)"/g;
const FIRST = /^["A-Z·]/;
const LAST = /[.!?·"]$/;
const STATEMENT = /^(?:SELECT|INSERT|UPDATE|DELETE|WITH|CREATE|DROP|ALTER|PRAGMA|BEGIN|LOCK|SET|VACUUM|ANALYZE)\b/;
const ERROR = /\bnew AppError\(\s*"([\w-]+)",\s*(?:`((?:[^`\\]|\\.)*)`|"((?:[^"\\\n]|\\.)*)")/g;
/** An object that says where a job stands next. Types and comparisons are not among them. */
const TRANSITION = /\boutcome:\s*"[\w-]+"[^}]*\bstanding:\s*"[\w-]+"|\bstanding:\s*"[\w-]+"[^}]*\boutcome:\s*"[\w-]+"/g;

/** Sentences that stand in both stores. */
export function sharedSentences(sqlite: readonly StoreFile[], postgres: readonly StoreFile[]): string[] {
  return inBoth(sqlite, postgres, sentencesOf);
}

/** Errors with the same code and the same words that both stores make. */
export function sharedErrors(sqlite: readonly StoreFile[], postgres: readonly StoreFile[]): string[] {
  return inBoth(sqlite, postgres, (text) =>
    [...text.matchAll(ERROR)].map(([, code, template, plain]) => `${code}: ${filledIn(template ?? plain ?? "")}`),
  );
}

/** Transitions that a store writes by itself. */
export function ownTransitions(files: readonly StoreFile[]): string[] {
  return files.flatMap(({ path, text }) =>
    [...withoutComments(text).matchAll(TRANSITION)].map(([found]) => `${path}: ${found.replace(/\s+/g, " ")}`),
  );
}

/** A standing in a statement. Its name is a constant of store/codes.ts. */
const NUMBERED = /\bstanding (?:=|<>|<=?|>=?|IN \() ?\d/g;

/** Statements that name a standing by its number. */
export function numberedStandings(files: readonly StoreFile[]): string[] {
  return files.flatMap(({ path, text }) =>
    [...withoutComments(text).matchAll(NUMBERED)].map(([found]) => `${path}: ${found}`),
  );
}

/** A flag in a statement. Its name is a constant of one of the files codes.ts. */
const NUMBERED_FLAG = /\bflags (?:&|\|) ?~?\d+/g;

/** Statements that name a flag by its number. */
export function numberedFlags(files: readonly StoreFile[]): string[] {
  return files.flatMap(({ path, text }) =>
    [...withoutComments(text).matchAll(NUMBERED_FLAG)].map(([found]) => `${path}: ${found}`),
  );
}

/** A function at the top level, as the formatter leaves it: its name, and its body. */
const FUNCTION = /^(?:export )?(?:async )?function (\w+)[\s\S]*?\{\n([\s\S]*?)^\}$/gm;
/** Shorter ones are idioms. */
const SHORTEST_BODY = 80;

/** Functions of both stores with the same body, apart from `await`: nothing in them is about the dialect. */
export function sharedFunctions(sqlite: readonly StoreFile[], postgres: readonly StoreFile[]): string[] {
  return inBoth(sqlite, postgres, (text) =>
    [...text.matchAll(FUNCTION)].flatMap(([, name, body = ""]) => {
      const plain = body
        .replace(/\bawait /g, "")
        .replace(/\s+/g, " ")
        .trim();
      return plain.length < SHORTEST_BODY ? [] : [`${name} { ${plain} }`];
    }),
  );
}

function inBoth(
  sqlite: readonly StoreFile[],
  postgres: readonly StoreFile[],
  read: (text: string) => string[],
): string[] {
  const places = (files: readonly StoreFile[]) =>
    new Map(files.flatMap(({ path, text }) => read(withoutComments(text)).map((found) => [found, path] as const)));
  const other = places(postgres);
  return [...places(sqlite)].flatMap(([found, path]) =>
    other.has(found) ? [`${found} (sqlite/${path}, postgres/${other.get(found)})`] : [],
  );
}

function sentencesOf(text: string): string[] {
  return [...text.matchAll(STRINGS)]
    .map(([, template, plain]) => filledIn(template ?? plain ?? ""))
    .filter((string) => isSentence(string) && !STATEMENT.test(string));
}

function isSentence(string: string): boolean {
  return FIRST.test(string) && LAST.test(string) && string.split(/\s+/).length >= 3;
}

function filledIn(template: string): string {
  return template.replace(/\$\{[^}]*\}/g, "·");
}

/** Constants of the same name and number in both stores. */
export function sharedNumbers(sqlite: readonly StoreFile[], postgres: readonly StoreFile[]): string[] {
  const numbersIn = (files: readonly StoreFile[]) =>
    new Map(
      files
        .filter(({ path }) => !path.startsWith("migrations/"))
        .flatMap(({ path, text }) =>
          [...text.matchAll(/^(?:export )?const ([A-Z_\d]+) = (\d[^;]*);/gm)].map(
            ([, name, value]) => [`${name} = ${value}`, path] as const,
          ),
        ),
    );
  const known = numbersIn(postgres);
  return [...numbersIn(sqlite)].flatMap(([constant, path]) =>
    known.has(constant) ? [`${constant} (sqlite/${path}, postgres/${known.get(constant)})`] : [],
  );
}
