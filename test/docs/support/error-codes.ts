// The error codes that the sources can produce, by pattern: our formatter writes them in few ways.

import { readSources, withoutComments } from "../../support/tidy/source.ts";

const SOURCES = ["packages/millrace/src", "packages/diagrams/src", "packages/sites/src"];
const TESTS = /\.test\.ts$|\/store\/contract|\/(temporary|inspect)\.ts$/;
// Reasons of `explain` are listed in its guide, which has a test of its own; the API's examples repeat codes.
const REASONS = /\/engine\/look\/explain[\w-]*\.ts$|\/api\/(job|dead-letters)\.ts$/;

const THROWN = /(?:new (?:AppError|MillraceError|RenderError|AnalyseError)|schemaError)\(\s*"([a-z-]+)"/g;
/** `{ code: "crashed", message, permanent }`, and what a store or a command says without throwing. */
const SAID = /\bcode: "([a-z-]+)"(?:,|;| })/g;
const BY_DEFAULT = /\bcode = [\w.]+ \?\? "([a-z-]+)"/g;
const UNIONS = /\btype (?:RefusalCode|ClientCode|RenderErrorCode) =([^;]+);|\bcode: ((?:"[a-z-]+" \| )+"[a-z-]+");/g;
/** `"render-failed": { status: 422, when: ... }` */
const ANSWERED = /^\s+"?([a-z-]+)"?: \{\s*status: \d+,\s*when:/gm;
/** `export const OFF_LOOP_TIMEOUT = "off-loop-timeout"`, thrown by that name. */
const BY_NAME = /new AppError\(\s*([A-Z_]+),/g;
/** `const CODE = "deadline"`, stored as `{ code: CODE, … }`. */
const STORED_CODE = /^const CODE = "([a-z-]+)";/gm;

/** `new AnalyseError(isBlocked ? "blocked-address" : "invalid-request", …)` */
const CHOSEN = /new (?:AppError|RenderError|AnalyseError)\(\s*\w+ \? "([a-z-]+)" : "[a-z-]+"/g;

export function errorCodes(): Set<string> {
  const files = SOURCES.flatMap((folder) => readSources(folder)).filter(({ path }) => !TESTS.test(path));
  return new Set(files.flatMap(({ path, text }) => codesIn(withoutComments(text), REASONS.test(path))));
}

function codesIn(code: string, isReasons: boolean): string[] {
  const first = (pattern: RegExp) => [...code.matchAll(pattern)].map(([, found = ""]) => found);
  const unions = [...code.matchAll(UNIONS)].flatMap(([, named, inline]) => words(named ?? inline ?? ""));
  const named = first(BY_NAME).map((name) => new RegExp(`const ${name} = "([a-z-]+)"`).exec(code)?.[1] ?? name);
  return [
    ...first(THROWN),
    ...first(CHOSEN),
    ...first(STORED_CODE),
    ...first(BY_DEFAULT),
    ...first(ANSWERED),
    ...unions,
    ...named,
    ...(isReasons ? [] : first(SAID).filter((word) => word !== ZOD_ISSUE)),
  ];
}

/** The code of an issue that zod is given, and no error of ours. */
const ZOD_ISSUE = "custom";

function words(union: string): string[] {
  return [...union.matchAll(/"([a-z-]+)"/g)].map(([, word = ""]) => word);
}
