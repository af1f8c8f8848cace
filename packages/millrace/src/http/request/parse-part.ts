import type { StandardSchemaV1 } from "@standard-schema/spec";
import { z } from "zod";
import { AppError } from "../../lib/app-error.ts";
import { inWords, issuesOf } from "./issues.ts";

const MOST_ISSUES = 20;

/**
 * A part of a request by its schema. The schemas of a workload may come from another copy of zod, or from another library:
 * any zod 4 schema is parsed with our own words for what is wrong, others use theirs.
 */
export function parsePart(schema: StandardSchemaV1, value: unknown, where: string): unknown {
  if (isZod(schema)) {
    const result = z.safeParse(schema, value, { error: inWords });
    if (result.success) return result.data;
    throw invalidRequest(where, issuesOf(result.error as z.ZodError));
  }
  const result = schema["~standard"].validate(value);
  return result instanceof Promise ? result.then((each) => valid(each, where)) : valid(result, where);
}

/** The fields that an object schema knows. Undefined: the schema does not say. */
export function fieldsOf(schema: StandardSchemaV1): Readonly<Record<string, unknown>> | undefined {
  if (!isZod(schema)) return undefined;
  const { def } = schema._zod as { def: { type: string; shape?: Record<string, unknown> } };
  return def.type === "object" ? def.shape : undefined;
}

export function isZod(schema: StandardSchemaV1): schema is z.ZodType {
  return "_zod" in schema;
}

function valid(result: StandardSchemaV1.Result<unknown>, where: string): unknown {
  if (!result.issues) return result.value;
  throw invalidRequest(
    where,
    result.issues.map(({ path = [], message }) => ({
      path: path.map((key) => String(typeof key === "object" ? key.key : key)).join("."),
      message,
    })),
  );
}

/** An error with every invalid place and its path: unknown fields, wrong types. */
function invalidRequest(where: string, found: readonly { path: string; message: string }[]): AppError {
  const issues = found.slice(0, MOST_ISSUES);
  const [first] = issues;
  const at = first?.path ? ` at "${first.path}"` : "";
  return new AppError("invalid-request", `The ${where} is not valid${at}: ${first?.message ?? "see issues"}`, {
    details: { issues },
  });
}
