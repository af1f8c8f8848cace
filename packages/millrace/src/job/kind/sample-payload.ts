// A payload to try a kind with: the first that its author gives as an example, or one that fits its JSON Schema.

import type { Kind } from "./kind.ts";
import { payloadSchemaOf } from "./payload-schema.ts";

interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly format?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
}

const STRINGS: Readonly<Record<string, string>> = {
  email: "ada@example.org",
  uri: "https://example.com",
  "date-time": "2026-01-31T12:00:00Z",
  date: "2026-01-31",
  uuid: "0b2f6f4e-4a0e-4c59-9d6c-1f0f5f3a7c11",
};
const LONGEST = 100;
const DEEPEST = 6;

/** Undefined if no payload was found that the kind's schema accepts. */
export async function samplePayload(kind: Pick<Kind, "schema" | "examples">): Promise<unknown> {
  const [example] = kind.examples;
  if (example !== undefined) return example;
  const schema = payloadSchemaOf(kind) as Schema | undefined;
  if (schema === undefined) return undefined;
  const sample = sampleOf(schema, schema, 0);
  try {
    const { issues } = await kind.schema["~standard"].validate(sample);
    return issues === undefined ? sample : undefined;
  } catch {
    return undefined;
  }
}

function sampleOf(schema: Schema, root: Schema, depth: number): unknown {
  if (depth > DEEPEST) return null;
  const target = schema.$ref === undefined ? schema : (root.$defs?.[schema.$ref.replace("#/$defs/", "")] ?? {});
  if (target !== schema) return sampleOf(target, root, depth + 1);
  if (schema.examples?.[0] !== undefined) return schema.examples[0];
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const choice = schema.anyOf?.[0] ?? schema.oneOf?.[0];
  return choice === undefined ? sampleOfType(schema, root, depth) : sampleOf(choice, root, depth + 1);
}

function sampleOfType(schema: Schema, root: Schema, depth: number): unknown {
  const type = typeof schema.type === "string" ? schema.type : schema.type?.[0];
  const inner = (of: Schema) => sampleOf(of, root, depth + 1);
  if (type === "string")
    return STRINGS[schema.format ?? ""] ?? "hello".padEnd(Math.min(schema.minLength ?? 0, LONGEST), "o");
  if (type === "number" || type === "integer") return schema.minimum ?? (schema.exclusiveMinimum ?? 0) + 1;
  if (type === "boolean") return true;
  if (type === "array") {
    return Array.from({ length: Math.min(schema.minItems ?? 0, LONGEST) }, () => inner(schema.items ?? {}));
  }
  if (type !== "object") return null;
  const required = (schema.required ?? []).map((name) => [name, schema.properties?.[name] ?? {}] as const);
  return Object.fromEntries(required.map(([name, of]) => [name, inner(of)]));
}
