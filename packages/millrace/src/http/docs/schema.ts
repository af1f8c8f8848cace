// A JSON Schema as people read it: a table of fields, each with its type in a few words.

import { escaped, markdown } from "./html.ts";

export interface DocSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly DocSchema[];
  readonly oneOf?: readonly DocSchema[];
  readonly items?: DocSchema;
  readonly properties?: Readonly<Record<string, DocSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | DocSchema;
  readonly description?: string;
  readonly format?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
}

export type Components = Readonly<Record<string, DocSchema>>;

export interface DocField {
  readonly name: string;
  readonly schema: DocSchema;
  readonly required: boolean;
  readonly where?: string;
  readonly description?: string;
}

/** What an object has, also where it stands behind a reference or is the first of several choices. */
export function fieldsOf(schema: DocSchema | undefined, components: Components): DocField[] {
  const found = resolved(schema, components);
  if (!found) return [];
  const choice = found.properties ? found : resolved((found.anyOf ?? found.oneOf)?.[0], components);
  return Object.entries(choice?.properties ?? {}).map(([name, field]) => ({
    name,
    schema: field,
    required: choice?.required?.includes(name) ?? false,
  }));
}

export function fieldTable(schema: DocSchema): string {
  return fieldRows(fieldsOf(schema, {}));
}

export function fieldRows(fields: readonly DocField[]): string {
  if (fields.length === 0) return "";
  const rows = fields.map(({ name, schema, required, where, description = schema.description }) => {
    const notes = [where, required ? "required" : undefined].filter(Boolean).join(", ");
    return `<tr><td><code>${escaped(name)}</code>${notes ? `<small>${notes}</small>` : ""}</td>
<td>${typeOf(schema)}</td><td>${markdown(description ?? "")}${bounds(schema)}</td></tr>`;
  });
  return `<table class="fields">${rows.join("")}</table>`;
}

export function typeOf(schema: DocSchema): string {
  if (schema.$ref !== undefined) return shapeLink(schema.$ref);
  if (schema.const !== undefined) return `<code>${escaped(JSON.stringify(schema.const))}</code>`;
  if (schema.enum) return schema.enum.map((each) => `<code>${escaped(String(each))}</code>`).join(" · ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map(typeOf).join(" or ");
  if (schema.type === "array") return `array of ${schema.items ? typeOf(schema.items) : "anything"}`;
  if (schema.format === "date-time") return "moment";
  if (schema.properties && Object.keys(schema.properties).length === 0) return "nothing";
  if (schema.properties) return `{${Object.keys(schema.properties).map(escaped).join(", ")}}`;
  if (typeof schema.additionalProperties === "object") return `${typeOf(schema.additionalProperties)} by name`;
  if (schema.type === undefined) return "any JSON";
  return [schema.type]
    .flat()
    .map((type) => escaped(WORDS[type] ?? type))
    .join(" or ");
}

const WORDS: Readonly<Record<string, string>> = { integer: "whole number", string: "text", boolean: "true or false" };

function bounds({ minimum, maximum, maxLength, maxItems, default: initial }: DocSchema): string {
  const known = [
    minimum !== undefined && maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER
      ? `${minimum.toLocaleString("en")} to ${maximum.toLocaleString("en")}`
      : undefined,
    maxLength === undefined ? undefined : `at most ${maxLength.toLocaleString("en")} characters`,
    maxItems === undefined ? undefined : `at most ${maxItems.toLocaleString("en")}`,
    initial === undefined ? undefined : `default ${JSON.stringify(initial)}`,
  ].filter((each) => each !== undefined);
  return known.length > 0 ? ` <small>${escaped(known.join("; "))}</small>` : "";
}

function shapeLink(ref: string): string {
  const name = ref.split("/").at(-1) ?? "";
  return name === "JobId" ? "job id" : `<a href="#shape-${name}">${name}</a>`;
}

function resolved(schema: DocSchema | undefined, components: Components): DocSchema | undefined {
  const name = schema?.$ref?.split("/").at(-1);
  return name === undefined ? schema : components[name];
}
