// One option, described once: the values that it takes, the words for them, and how it is set elsewhere than in code. The
// TypeScript type, the check, the HTTP shape, the flag and the form field are made from the description.

// The types are exported from the package so that declarations of other packages can name them.

/** @internal Which values an option takes, as data. */
export type OptionRule =
  /** A whole number. With `unit: "ms"` it is a time span: `10m` on the command line. */
  | { readonly is: "whole"; readonly least: number; readonly most: number; readonly unit?: "ms" }
  | { readonly is: "text"; readonly most: number }
  | { readonly is: "texts"; readonly most: number; readonly chars: number }
  | { readonly is: "word"; readonly words: readonly string[] }
  | { readonly is: "switch" }
  /** A `Date` in code; over HTTP an ISO 8601 string. */
  | { readonly is: "date" }
  /** An object with options of its own; `whole`: none of them may be missing. */
  | { readonly is: "group"; readonly options: OptionTable; readonly whole: boolean }
  /** What only code can pass: a function, a schema, a signal. */
  | { readonly is: "other" };

/** @internal */
export interface Option<Value = unknown, Outside extends OutsideCode | undefined = OutsideCode | undefined> {
  readonly rule: OptionRule;
  /** Ends the sentence "priority must be …" about a wrong value. */
  readonly must: (value: unknown) => string;
  readonly accepts: (value: unknown) => boolean;
  readonly outside: Outside;
  /** For the compiler only. */
  readonly value?: Value;
}

/** @internal How an option is set where no code runs. */
export interface OutsideCode {
  /** Its name in a request body. Missing: the name of the option. */
  readonly wire?: string;
  /** What the description of the API says. */
  readonly about: string;
  readonly flag: { readonly name: string; readonly doc: string };
  /** The field of a form in the dashboard. Missing: the form has none. */
  readonly field?: { readonly label: string; readonly hint: string; readonly placeholder: string };
}

/** @internal */
// biome-ignore lint/suspicious/noExplicitAny: options of any value
export type OptionTable = Readonly<Record<string, Option<any>>>;

/** @internal The type of a bag of options, each of which may be missing. */
export type OptionValues<Table extends OptionTable> = {
  -readonly [Name in keyof Table]?: ValueOf<Table[Name]>;
};

/** @internal The same where none may be missing. */
export type WholeValues<Table extends OptionTable> = {
  -readonly [Name in keyof Table]: ValueOf<Table[Name]>;
};

type ValueOf<O> = O extends Option<infer Value> ? Value : never;

/** Stands for no upper bound. */
export const FOREVER = Number.POSITIVE_INFINITY;

/** A whole number. `FOREVER` as `most`: any that is large enough. */
export function whole<const Outside extends OutsideCode | undefined = undefined>(
  least: number,
  most: number,
  outside?: Outside,
): Option<number, Outside> {
  const above = least === 1 ? "above 0" : `of ${least} or more`;
  const range = most === FOREVER ? above : `from ${least} to ${most}`;
  return option({ is: "whole", least, most }, `a whole number ${range}`, isWhole(least, most), outside);
}

/** A time span in milliseconds. */
export function ms<const Outside extends OutsideCode | undefined = undefined>(
  least: number,
  most: number,
  outside?: Outside,
): Option<number, Outside> {
  return { ...whole(least, most, outside), rule: { is: "whole", least, most, unit: "ms" } };
}

/** A string that every store keeps as it is: PostgreSQL takes neither U+0000 nor half of a surrogate pair. */
export function text(most: number, { empty = false } = {}): Option<string, undefined> {
  const accepts = (value: unknown) => isText(value, most) || (empty && value === "");
  return option({ is: "text", most }, `a string of 1 to ${most} characters`, accepts);
}

/** A string option that can also be set where no code runs. */
export function textOutside<const Outside extends OutsideCode>(
  most: number,
  outside: Outside,
): Option<string, Outside> {
  return { ...text(most), outside };
}

/** An array of at most `most` strings. */
export function texts<const Outside extends OutsideCode | undefined = undefined>(
  most: number,
  chars: number,
  outside?: Outside,
): Option<string[], Outside> {
  const strings = `strings of 1 to ${chars} characters each`;
  const must = (value: unknown) => {
    if (most === FOREVER) return `an array of ${strings}`;
    return Array.isArray(value) ? `at most ${most} ${strings}` : "an array of strings";
  };
  const accepts = (value: unknown) =>
    Array.isArray(value) && value.length <= most && value.every((each) => isText(each, chars));
  return option({ is: "texts", most, chars }, must, accepts, outside);
}

/** One of several words. */
export function word<const Words extends readonly string[]>(...words: Words): Option<Words[number], undefined> {
  const quoted = words.map((each) => `"${each}"`);
  const must = [quoted.slice(0, -1).join(", "), ...quoted.slice(-1)].filter(Boolean).join(" or ");
  return option({ is: "word", words }, must, (value) => words.includes(value as string));
}

/** True or false. */
export function onOff(): Option<boolean, undefined> {
  return option({ is: "switch" }, "true or false", (value) => typeof value === "boolean");
}

export function date<const Outside extends OutsideCode | undefined = undefined>(
  outside?: Outside,
): Option<Date, Outside> {
  const accepts = (value: unknown) => value instanceof Date && Number.isFinite(value.getTime());
  return option({ is: "date" }, "a valid Date", accepts, outside);
}

/** An object with options of its own, each of which may be missing. */
export function group<Table extends OptionTable>(options: Table): Option<OptionValues<Table>, undefined> {
  return option({ is: "group", options, whole: false }, "an object", isObject);
}

/** An object with options of its own, none of which may be missing. */
export function wholeGroup<Table extends OptionTable>(options: Table): Option<WholeValues<Table>, undefined> {
  return option({ is: "group", options, whole: true }, "an object", isObject);
}

/** What only code can pass. `be` ends the sentence "… must be". */
export function other<Value>(be: string, accepts: (value: unknown) => boolean): Option<Value, undefined> {
  return option({ is: "other" }, be, accepts);
}

/** Any value: what it must be is checked where it is used, with a sentence of its own. */
export function anything<Value = unknown>(): Option<Value, undefined> {
  return other("anything", () => true);
}

/** A function. */
export function callable<Value>(): Option<Value, undefined> {
  return other("a function", (value) => typeof value === "function");
}

/** A signal that ends what is under way. */
export function abortSignal(): Option<AbortSignal, undefined> {
  return other("an AbortSignal", (value) => value instanceof AbortSignal);
}

/** A string of any length. */
export function anyText(): Option<string, undefined> {
  return other("a string", (value) => typeof value === "string");
}

export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function option<Value, Outside extends OutsideCode | undefined>(
  rule: OptionRule,
  be: string | ((value: unknown) => string),
  accepts: (value: unknown) => boolean,
  outside?: Outside,
): Option<Value, Outside> {
  return { rule, must: typeof be === "string" ? () => be : be, accepts, outside: outside as Outside };
}

function isWhole(least: number, most: number): (value: unknown) => boolean {
  return (value) => Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most;
}

function isText(value: unknown, most: number): boolean {
  return (
    typeof value === "string" &&
    value.length > 0 &&
    value.length <= most &&
    value.isWellFormed() &&
    !value.includes("\0")
  );
}
