import type { StandardJSONSchemaV1 } from "@standard-schema/spec";
import type { Kind } from "./kind.ts";

/** The library option is zod's: a type that JSON Schema lacks, such as a date, becomes a schema that accepts anything. */
const AS_JSON_SCHEMA = { target: "draft-2020-12", libraryOptions: { unrepresentable: "any" } } as const;

/** The payload schema of a kind as JSON Schema. Undefined if its library has none, or fails on this schema. */
export function payloadSchemaOf(kind: Pick<Kind, "schema"> | undefined): object | undefined {
  const standard: Partial<StandardJSONSchemaV1.Props> | undefined = kind?.schema?.["~standard"];
  try {
    return standard?.jsonSchema?.input(AS_JSON_SCHEMA);
  } catch {
    return undefined;
  }
}
