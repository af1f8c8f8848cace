// From a JSON Schema to the fields of a form: parts within parts, references, and the choice between shapes that one word
// tells apart. What a form cannot show well is edited as JSON. Pure.

export interface JsonSchema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly description?: string;
  readonly title?: string;
  readonly default?: unknown;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly examples?: readonly unknown[];
}

export type FormField =
  | { readonly type: "text"; readonly long: boolean; readonly url: boolean }
  | { readonly type: "number"; readonly whole: boolean }
  | { readonly type: "switch" }
  /** `numbers`: its words are numbers, or any number may stand for one of them, as for numbered themes. */
  | { readonly type: "choice"; readonly options: readonly string[]; readonly numbers?: "listed" | "any" }
  | { readonly type: "lines" }
  | { readonly type: "json" };

export interface NamedField {
  /** Where in the payload it is; the last is its name. */
  readonly path: readonly string[];
  /** The path as one word, as the server names it in a complaint. */
  readonly key: string;
  readonly required: boolean;
  /** It is left out with all that is beside it. */
  readonly inOptional: boolean;
  readonly schema: JsonSchema;
  readonly field: FormField;
}

/** What a form holds, by the key of its field. */
export type Draft = Readonly<Record<string, string | boolean>>;

/** Longer texts get room for several lines; addresses, of 2,048 at most, stay in one. */
const LONGEST_LINE = 2_048;

/** Deeper than this, a part is edited as JSON; so is one that holds itself. */
const DEEPEST = 3;

/** The fields as far as the words that are chosen lead; undefined: this payload is no object of named parts. */
export function fieldsOf(schema: unknown, draft: Draft = {}): NamedField[] | undefined {
  const root = (schema ?? {}) as JsonSchema;
  const fields = partsOf(root, { root, at: [], inOptional: false, wordAt: (key) => draft[key] });
  return fields && fields.length > 0 ? fields : undefined;
}

interface SchemaPosition {
  readonly root: JsonSchema;
  readonly at: readonly string[];
  readonly inOptional: boolean;
  /** Which word is chosen there. */
  wordAt(key: string): unknown;
}

function partsOf(schema: JsonSchema, place: SchemaPosition): NamedField[] | undefined {
  const { root, at, inOptional, wordAt } = place;
  const shapes = shapesOf(resolved(schema, root), root);
  const teller = shapes && tellerOf(shapes);
  if (!shapes || (shapes.length > 1 && teller === undefined) || at.length > DEEPEST) return undefined;
  const words = shapes.map((shape) => (teller === undefined ? undefined : shape.properties?.[teller]?.const));
  const chosen = teller === undefined ? undefined : wordAt([...at, teller].join("."));
  const shape = shapes[Math.max(0, words.indexOf(chosen))] as JsonSchema;
  return Object.entries(shape.properties ?? {}).flatMap(([name, given]) => {
    const path = [...at, name];
    const part = resolved(given, root);
    const isRequired = shape.required?.includes(name) ?? false;
    const inner = partsOf(part, { ...place, at: path, inOptional: inOptional || !isRequired });
    if (inner) return inner;
    const isTeller = name === teller;
    return {
      path,
      key: path.join("."),
      // One with a default is filled in by the server when it is left out.
      required: isRequired && !inOptional && part.default === undefined,
      inOptional,
      schema: isTeller ? { default: words[0] } : part,
      field: isTeller ? { type: "choice", options: words as string[] } : fieldOf(part, root),
    };
  });
}

/** The object's shape, or all that it may have; undefined: it is no object of named parts. */
function shapesOf(schema: JsonSchema, root: JsonSchema): JsonSchema[] | undefined {
  const shapes = (schema.oneOf ?? schema.anyOf ?? [schema]).map((shape) => resolved(shape, root));
  return shapes.every(({ properties = {} }) => Object.keys(properties).length > 0) ? shapes : undefined;
}

/** The part whose word tells the shapes apart. */
function tellerOf([first, ...others]: readonly JsonSchema[]): string | undefined {
  if (others.length === 0) return undefined;
  const isWord = (shape: JsonSchema | undefined, name: string) => typeof shape?.properties?.[name]?.const === "string";
  return Object.keys(first?.properties ?? {}).find((name) => [first, ...others].every((shape) => isWord(shape, name)));
}

/** The schema that a reference stands for, with the keywords beside the reference. `null` is left out of its types. */
function resolved(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const { $ref, ...own } = schema;
  const [, name = ""] = /^#\/\$defs\/([^/]+)$/.exec($ref ?? "") ?? [];
  const meant = root.$defs?.[name.replaceAll("~1", "/").replaceAll("~0", "~")];
  return withoutNull(meant ? { ...meant, ...own } : schema, root);
}

function withoutNull(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const { type, anyOf, ...rest } = schema;
  const [only, second] = [type ?? []].flat().filter((name) => name !== "null");
  if (Array.isArray(type) && only !== undefined && second === undefined) return { ...schema, type: only };
  const others = anyOf?.filter((each) => each.type !== "null") ?? [];
  return others.length === 1 && anyOf?.length === 2 ? { ...resolved(others[0] as JsonSchema, root), ...rest } : schema;
}

function fieldOf(schema: JsonSchema, root: JsonSchema): FormField {
  const options = wordsOf(schema, "string");
  if (options) return { type: "choice", options, ...(schema.anyOf?.some(isNumber) && { numbers: "any" }) };
  const listed = wordsOf(schema, "number");
  if (listed) return { type: "choice", options: listed, numbers: "listed" };
  switch (schema.type) {
    case "string":
      return { type: "text", long: (schema.maxLength ?? 0) > LONGEST_LINE, url: schema.format === "uri" };
    case "integer":
    case "number":
      return { type: "number", whole: schema.type === "integer" };
    case "boolean":
      return { type: "switch" };
    case "array":
      return schema.items && resolved(schema.items, root).type === "string" ? { type: "lines" } : { type: "json" };
    default:
      return { type: "json" };
  }
}

/** What there is to choose from, as texts. Beside words, any number may be allowed: the words are enough. */
function wordsOf(schema: JsonSchema, type: "string" | "number"): string[] | undefined {
  const { enum: listed, const: only, anyOf } = schema;
  const words = listed ?? (only === undefined ? undefined : [only]);
  if (words) return words.every((word) => typeof word === type) ? words.map(String) : undefined;
  if (!anyOf) return undefined;
  const known = anyOf.map((each) => wordsOf(each, type));
  const areAllKnown = anyOf.every((each, i) => known[i] || (type === "string" && isNumber(each)));
  return areAllKnown && known.some(Boolean) ? known.flatMap((each) => each ?? []) : undefined;
}

function isNumber({ type, enum: listed, const: only }: JsonSchema): boolean {
  return (type === "number" || type === "integer") && listed === undefined && only === undefined;
}

/** Whether a choice knows this; what is left over from another shape it does not. */
export function isAmong({ options, numbers }: Extract<FormField, { type: "choice" }>, given: string): boolean {
  return options.includes(given) || (numbers === "any" && given !== "" && Number.isFinite(Number(given)));
}

/** What is in the form, as the payload; a part that is empty is left out. */
export function payloadOf(fields: readonly NamedField[], draft: Draft): { payload: unknown } | { problem: string } {
  const payload: Record<string, unknown> = {};
  for (const { key, path, field } of fields) {
    const given = draft[key];
    if (given === undefined || given === "") continue;
    // Left over from a field of the same name in another shape.
    if ((field.type === "switch") !== (typeof given === "boolean")) continue;
    if (field.type === "choice" && !isAmong(field, String(given))) continue;
    const value = typed(field, given);
    if (value === undefined)
      return { problem: `${key} is not ${field.type === "number" ? "a number" : "valid JSON"}.` };
    let holder = payload;
    for (const name of path.slice(0, -1)) {
      holder[name] ??= {};
      holder = holder[name] as Record<string, unknown>;
    }
    holder[path.at(-1) as string] = value;
  }
  return { payload };
}

function typed(field: FormField, given: string | boolean): unknown {
  if (typeof given === "boolean") return given;
  switch (field.type) {
    case "number":
      return Number.isFinite(Number(given)) ? Number(given) : undefined;
    case "lines":
      return given.split("\n").filter((line) => line.trim() !== "");
    case "json":
      return parsed(given);
    case "choice":
      return field.numbers === "listed" || !field.options.includes(given) ? Number(given) : given;
    default:
      return given;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An example and the defaults, as the form shows them. */
export function draftOf(schema: unknown, payload: unknown): Draft {
  const root = (schema ?? {}) as JsonSchema;
  const wordAt = (key: string) => valueAt(payload, key.split("."));
  const fields = partsOf(root, { root, at: [], inOptional: false, wordAt }) ?? [];
  const draft: Record<string, string | boolean> = {};
  for (const { key, path, field, schema: part, inOptional, required } of fields) {
    // A default in a part that is left out would bring that part into being.
    const isThere = !inOptional || valueAt(payload, path.slice(0, -1)) !== undefined;
    const value =
      valueAt(payload, path) ?? (isThere ? (part.default ?? (required ? part.const : undefined)) : undefined);
    // A box that is not ticked says no where an answer is needed.
    if (field.type === "switch" && (required || value !== undefined)) draft[key] = value === true;
    else if (value === undefined) continue;
    else if (field.type === "lines" && Array.isArray(value)) draft[key] = value.join("\n");
    else draft[key] = typeof value === "string" && field.type !== "json" ? value : JSON.stringify(value);
  }
  return draft;
}

function valueAt(payload: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, name) =>
      typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined,
    payload,
  );
}

/** Whether the form gives back all that is in this payload: not null, an empty text, nor what the schema does not name. */
export function fitsForm(schema: unknown, payload: unknown): boolean {
  const draft = draftOf(schema, payload);
  const made = payloadOf(fieldsOf(schema, draft) ?? [], draft);
  return "payload" in made && holds(made.payload, payload);
}

function holds(made: unknown, given: unknown): boolean {
  if (typeof given !== "object" || given === null) return made === given;
  if (typeof made !== "object" || made === null || Array.isArray(made) !== Array.isArray(given)) return false;
  if (Array.isArray(given) && given.length !== (made as unknown[]).length) return false;
  return Object.entries(given).every(([name, value]) => holds((made as Record<string, unknown>)[name], value));
}

/** A complaint of the server beside the field it is about: what is wrong deep in a part is shown at that part. */
export function errorsByField(
  fields: readonly NamedField[],
  issues: readonly { readonly path: string; readonly message: string }[],
): Map<string, string> {
  const errors = new Map<string, string>();
  for (const { path, message } of issues) {
    const at = path.replace(/^payload\./, "");
    const field = fields.find(({ key }) => at === key || at.startsWith(`${key}.`));
    if (field && !errors.has(field.key)) errors.set(field.key, message);
  }
  return errors;
}
