// Finds what JSON would drop or change without an error. The first look only says whether all is well, since nearly
// always it is; the second, slower one finds the place and the words.

/** The first value of which JSON keeps less than it holds. */
export interface JsonLoss {
  /** `items.3.when`; empty for the value itself. */
  path: string;
  /** What is there: `NaN`, `a Map`. */
  found: string;
  hint?: string;
}

/** Cyclic values end the first look here; the second one tells a cycle from a deep value. */
const DEEPEST_FAST = 100;

export function jsonLoss(value: unknown): JsonLoss | undefined {
  if (keepsAll(value, 0)) return undefined;
  try {
    return lossIn(value, [], new Set());
  } catch (error) {
    if (error instanceof RangeError) return { path: "", found: "nested too deeply" };
    throw error;
  }
}

function keepsAll(value: unknown, depth: number): boolean {
  switch (typeof value) {
    case "string":
    case "boolean":
      return true;
    case "number":
      return Number.isFinite(value);
    case "object":
      return value === null || objectKeepsAll(value, depth);
    default:
      return false;
  }
}

function objectKeepsAll(value: object, depth: number): boolean {
  if (depth > DEEPEST_FAST) return false;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (!keepsAll(value[i], depth + 1)) return false;
    return true;
  }
  const prototype = Object.getPrototypeOf(value);
  if (prototype === Date.prototype) return !Number.isNaN((value as Date).getTime());
  if (prototype !== Object.prototype && prototype !== null) return false;
  for (const key in value) {
    const each = value[key as keyof typeof value] as unknown;
    if (each !== undefined && !keepsAll(each, depth + 1)) return false;
  }
  return true;
}

function lossIn(value: unknown, path: (string | number)[], above: Set<object>): JsonLoss | undefined {
  const loss = (found: string, hint?: string): JsonLoss => ({
    path: path.join("."),
    found,
    ...(hint !== undefined && { hint }),
  });
  switch (typeof value) {
    case "undefined":
      return path.length === 0 ? undefined : loss("undefined", "Use null, or leave the element out.");
    case "number":
      return Number.isFinite(value)
        ? undefined
        : loss(String(value), "JSON cannot store this number. Use null or a string.");
    case "bigint":
      // Programs that give BigInt a toJSON method have decided how it is written.
      return "toJSON" in BigInt.prototype ? undefined : loss("a BigInt", "Convert it with String(value).");
    case "function":
      return loss("a function");
    case "symbol":
      return loss("a symbol");
    case "object":
      return value === null ? undefined : lossInObject(value, path, above, loss);
    default:
      return undefined;
  }
}

function lossInObject(
  value: object,
  path: (string | number)[],
  above: Set<object>,
  loss: (found: string, hint?: string) => JsonLoss,
): JsonLoss | undefined {
  if (above.has(value)) return loss("a reference to an object that contains it", "JSON cannot store a cycle.");
  const refused = refusedObject(value);
  if (refused) return loss(...refused);
  above.add(value);
  const found = lossInParts(value, path, above) ?? lossOfEmpty(value, loss);
  above.delete(value);
  return found;
}

function lossInParts(value: object, path: (string | number)[], above: Set<object>): JsonLoss | undefined {
  if ("toJSON" in value && typeof value.toJSON === "function") {
    const written = value.toJSON(path.at(-1) ?? "") as unknown;
    return written === value ? undefined : lossIn(written, path, above);
  }
  const entries: Iterable<[string | number, unknown]> = Array.isArray(value) ? value.entries() : Object.entries(value);
  for (const [key, each] of entries) {
    if (each === undefined && !Array.isArray(value)) continue;
    const loss = lossIn(each, [...path, key], above);
    if (loss) return loss;
  }
  return undefined;
}

/** A class whose fields are private, or a built-in such as Headers: JSON makes `{}` of it. */
function lossOfEmpty(value: object, loss: (found: string) => JsonLoss): JsonLoss | undefined {
  if (Array.isArray(value) || isPlain(value) || "toJSON" in value || Object.keys(value).length > 0) return undefined;
  return loss(`an instance of ${nameOf(value)}, which JSON cannot store`);
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  // The prototype of plain objects of another realm (a vm context, a test runner's) has no prototype either.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function nameOf(value: object): string {
  return value.constructor?.name || "a class";
}

function refusedObject(value: object): [found: string, hint?: string] | undefined {
  if (ArrayBuffer.isView(value)) {
    const name = nameOf(value);
    return [`a ${name}`, "Encode bytes as base64, or store them with ctx.artifact()."];
  }
  // The type is found by its tag and not by instanceof, which does not know objects of another realm.
  switch (Object.prototype.toString.call(value).slice("[object ".length, -1)) {
    case "Date":
      return Number.isNaN(Number(value)) ? ["an invalid Date"] : undefined;
    case "Map":
      return ["a Map", "Use Object.fromEntries(map) or [...map]."];
    case "Set":
      return ["a Set", "Use [...set]."];
    case "Promise":
      return ["a Promise", "Check whether an await is missing."];
    case "Error":
      return ["an Error", "Store its message, or throw it."];
    case "RegExp":
      return ["a RegExp", "Store its source."];
    case "ArrayBuffer":
    case "SharedArrayBuffer":
      return ["an ArrayBuffer", "Encode bytes as base64, or store them with ctx.artifact()."];
    case "Number":
    case "String":
    case "Boolean":
    case "BigInt":
    case "Symbol":
      return [`a ${nameOf(value)} object`, "Use the primitive value."];
    default:
      return undefined;
  }
}
