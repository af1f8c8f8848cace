import type { z } from "zod";

/** One thing that is wrong with a request. */
export interface Issue {
  /** Where it is, such as `payload.url`. */
  readonly path: string;
  /** The problem, for people. */
  readonly message: string;
}

type RawIssue = z.core.$ZodRawIssue;

/** The issues of a zod error, each with its path. Parse with `{ error: inWords }` for our wording. */
export function issuesOf(error: z.ZodError): Issue[] {
  const issues = error.issues.flatMap(flatten);
  // A number beyond what a double holds exactly is also beyond the field's own bound, which says more.
  return issues
    .filter((issue, i) => !(issue.unsafe && issues.some((other, j) => j !== i && other.path === issue.path)))
    .map(({ path, message }) => ({ path, message }));
}

/** The problem, in words that follow the path: `must be at most 1000000`. */
export function inWords(issue: RawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return wrongType(issue.expected, issue.input);
    case "too_small":
      return bound(issue, issue.inclusive === false ? "more than" : "at least", Number(issue.minimum));
    case "too_big":
      return bound(issue, issue.inclusive === false ? "less than" : "at most", Number(issue.maximum));
    case "invalid_value":
      return `must be ${issue.values.length > 1 ? "one of " : ""}${issue.values.map(String).join(", ")}`;
    case "invalid_format":
      return FORMATS[issue.format];
    case "unrecognized_keys":
      return "is not a known field";
    case "invalid_union":
      return issue.errors.length === 0 ? choice(issue) : noBranch(issue);
    default:
      return undefined;
  }
}

function wrongType(expected: string, input: unknown): string {
  if (input === undefined) return "is missing";
  if (expected === "int" && typeof input === "number") return "must be a whole number";
  return `must be ${named(expected)}, not ${named(typeName(input))}`;
}

/** A union told apart by one field, whose value is none of them. */
function choice({ options }: RawIssue & { options?: readonly unknown[] }): string | undefined {
  return options && `must be one of ${options.map(String).join(", ")}`;
}

/** A value of a type that no branch takes. */
function noBranch({ errors, input }: RawIssue & { errors: z.core.$ZodIssue[][] }): string | undefined {
  const expected = errors.map(([first]) => (first && isOfWrongType(first) ? first.expected : undefined));
  if (expected.includes(undefined)) return undefined;
  return `must be ${[...new Set(expected.map((type) => named(type as string)))].join(" or ")}, not ${named(typeName(input))}`;
}

type WrongType = Extract<z.core.$ZodIssue, { code: "invalid_type" }>;

function isOfWrongType(issue: z.core.$ZodIssue): issue is WrongType {
  return issue.code === "invalid_type" && issue.path.length === 0;
}

const FORMATS: Readonly<Record<string, string>> = {
  datetime: "must be a time like 2026-11-15T10:00:00Z",
  url: "must be an address like https://example.org/",
};

function bound({ origin }: RawIssue & { origin?: string }, how: string, limit: number): string {
  if (origin === "string")
    return limit === 1 && how === "at least" ? "must not be empty" : `must have ${how} ${limit} characters`;
  if (origin === "array" || origin === "set") return `must have ${how} ${limit} ${limit === 1 ? "entry" : "entries"}`;
  return `must be ${how} ${limit}`;
}

const NAMED: Readonly<Record<string, string>> = {
  int: "a whole number",
  number: "a number",
  string: "a string",
  boolean: "true or false",
  object: "an object",
  record: "an object",
  array: "an array",
};

function named(type: string): string {
  return NAMED[type] ?? type;
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

type FoundIssue = Issue & { unsafe?: boolean };

function flatten(issue: z.core.$ZodIssue): FoundIssue[] {
  const path = issue.path.map(String).join(".");
  if (issue.code === "invalid_union") {
    const inBranch = closest(issue.errors);
    if (inBranch.length === 0) return [{ path, message: issue.message }];
    return inBranch.map((each) => ({ ...each, path: [path, each.path].filter(Boolean).join(".") }));
  }
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({ path: [path, key].filter(Boolean).join("."), message: issue.message }));
  }
  const unsafe = (issue.code === "too_big" || issue.code === "too_small") && issue.origin === "int";
  return [{ path, message: issue.message, unsafe }];
}

/** Of a union's branches the one that came closest says most: of those for such a value, the one with the fewest faults. */
function closest(branches: z.core.$ZodIssue[][]): FoundIssue[] {
  const found = branches.filter((issues) => !issues.some(isOfWrongType)).map((issues) => issues.flatMap(flatten));
  return found.reduce((a, b) => (b.length < a.length ? b : a), found[0] ?? []);
}
