// From a JSON Schema to the fields of a form. What a form cannot show well is edited as JSON. Pure.

export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
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

export type Field =
  | { readonly type: "text"; readonly long: boolean; readonly url: boolean }
  | { readonly type: "number"; readonly whole: boolean }
  | { readonly type: "switch" }
  | { readonly type: "choice"; readonly options: readonly string[] }
  | { readonly type: "lines" }
  | { readonly type: "json" };

export interface NamedField {
  readonly name: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
  readonly field: Field;
}

/** Undefined: this payload is no object of named parts. */
export function fieldsOf(schema: unknown): NamedField[] | undefined {
  const { properties, required = [] } = (schema ?? {}) as JsonSchema;
  if (!properties || Object.keys(properties).length === 0) return undefined;
  return Object.entries(properties).map(([name, part]) => ({
    name,
    // One with a default is filled in by the server when it is left out.
    required: required.includes(name) && part.default === undefined,
    schema: part,
    field: fieldOf(part),
  }));
}

function fieldOf(schema: JsonSchema): Field {
  const words = schema.enum ?? schema.anyOf?.map((each) => each.const);
  if (words?.every((word) => typeof word === "string")) return { type: "choice", options: words as string[] };
  switch (schema.type) {
    case "string":
      return { type: "text", long: (schema.maxLength ?? 0) > 500, url: schema.format === "uri" };
    case "integer":
    case "number":
      return { type: "number", whole: schema.type === "integer" };
    case "boolean":
      return { type: "switch" };
    case "array":
      return schema.items?.type === "string" ? { type: "lines" } : { type: "json" };
    default:
      return { type: "json" };
  }
}

export type Draft = Readonly<Record<string, string | boolean>>;

/** What is in the form, as the payload; a part that is empty is left out. */
export function payloadOf(fields: readonly NamedField[], draft: Draft): { payload: unknown } | { problem: string } {
  const payload: Record<string, unknown> = {};
  for (const { name, field } of fields) {
    const given = draft[name];
    if (given === undefined || given === "") continue;
    const value = typed(field, given);
    if (value === undefined)
      return { problem: `${name} is not ${field.type === "number" ? "a number" : "valid JSON"}.` };
    payload[name] = value;
  }
  return { payload };
}

function typed(field: Field, given: string | boolean): unknown {
  if (typeof given === "boolean") return given;
  switch (field.type) {
    case "number":
      return Number.isFinite(Number(given)) ? Number(given) : undefined;
    case "lines":
      return given.split("\n").filter((line) => line.trim() !== "");
    case "json":
      return parsed(given);
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

/** An example or a default, as the form shows it. */
export function draftOf(fields: readonly NamedField[], payload: unknown): Draft {
  const given = (typeof payload === "object" && payload !== null ? payload : {}) as Record<string, unknown>;
  const draft: Record<string, string | boolean> = {};
  for (const { name, field, schema } of fields) {
    const value = given[name] ?? schema.default;
    if (value === undefined) continue;
    if (field.type === "switch") draft[name] = value === true;
    else if (field.type === "lines" && Array.isArray(value)) draft[name] = value.join("\n");
    else draft[name] = typeof value === "string" ? value : JSON.stringify(value);
  }
  return draft;
}
