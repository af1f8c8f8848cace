import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import { z } from "zod";
import { ErrorBody, type ErrorTable } from "../api/errors.ts";
import type { RouteSpec } from "../api/route.ts";
import { isZod } from "./request/parse-part.ts";

type JsonObject = Record<string, unknown>;

/** Errors that any request can get, whatever the route. */
const ALWAYS: readonly string[] = ["internal", "store-unavailable", "store-failed", "store-replaced", "stopping"];

const TRACE_ID =
  "The id of this request in the log: its own `X-Trace-Id`, or a new id if the header is missing or is not 1 to 128 letters, digits or `. : / - _`.";

/** Where the API is served, and whether it authenticates its callers itself. */
export interface ApiLocation {
  /** `""` or `/millrace`. */
  readonly basePath: string;
  /** False: the application that mounts the API knows its callers. */
  readonly hasKeys: boolean;
}

/** OpenAPI 3.1 from the same schemas that parse the requests. */
export function openApi(
  specs: readonly RouteSpec[],
  version: string,
  errors: ErrorTable,
  { basePath, hasKeys }: ApiLocation,
): JsonObject {
  const components: JsonObject = {};
  const paths: Record<string, JsonObject> = {};
  for (const spec of specs) {
    const path = paths[spec.path] ?? {};
    paths[spec.path] = path;
    path[spec.method.toLowerCase()] = operation(spec, components, { errors, hasKeys });
  }
  schemaOf(ErrorBody, components, "output");
  return {
    openapi: "3.1.0",
    info: {
      title: "Millrace",
      version,
      description:
        "Durable background work. JSON in and out, times as ISO 8601 UTC. A `GET` ignores unknown and empty query parameters. A slash at the end of a path is ignored.",
      license: { name: "MIT", identifier: "MIT" },
    },
    ...(basePath !== "" && { servers: [{ url: basePath }] }),
    paths,
    components: {
      schemas: components,
      ...(hasKeys && {
        securitySchemes: {
          apiKey: { type: "apiKey", in: "header", name: "X-API-Key" },
          bearer: { type: "http", scheme: "bearer" },
        },
      }),
    },
    tags: [...new Set(specs.map((spec) => spec.tag))].map((name) => ({ name })),
  };
}

function operation(
  spec: RouteSpec,
  components: JsonObject,
  { errors, hasKeys }: { readonly errors: ErrorTable; readonly hasKeys: boolean },
): JsonObject {
  return {
    operationId: operationId(spec),
    tags: [spec.tag],
    summary: spec.summary,
    ...(hasKeys && { security: spec.access === "open" ? [] : [{ apiKey: [] }, { bearer: [] }] }),
    ...(spec.access !== "open" && { description: needs(spec.access) }),
    parameters: [
      ...fields(spec.params, components, "path"),
      ...fields(spec.query, components, "query"),
      ...headers(spec),
    ],
    ...(spec.body && {
      requestBody: {
        required: !spec.bodyOptional,
        content: {
          "application/json": {
            schema: schemaOf(spec.body, components, "input"),
            ...(spec.example?.body !== undefined && { example: spec.example.body }),
          },
        },
      },
    }),
    ...(spec.ownBody && {
      requestBody: {
        required: true,
        content: Object.fromEntries(
          spec.ownBody.map((type) => [type, { schema: { type: type === "application/json" ? "object" : "string" } }]),
        ),
      },
    }),
    responses: { ...failures(spec, errors), ...success(spec, components) },
  };
}

function success(spec: RouteSpec, components: JsonObject): JsonObject {
  const answer = {
    description: spec.summary,
    headers: { "X-Trace-Id": { schema: { type: "string" }, description: TRACE_ID } },
    ...((spec.answer || spec.answerType) && {
      content: {
        ...(spec.answer && {
          "application/json": {
            schema: schemaOf(spec.answer, components, "output"),
            ...(spec.example?.answer !== undefined && { example: spec.example.answer }),
          },
        }),
        ...(spec.answerType && {
          [spec.answerType]: { schema: spec.events ? eventsOf(spec.events, components) : { type: "string" } },
        }),
      },
    }),
  };
  const replay = {
    ...answer,
    description: "The first response again, because the same key and body were sent before.",
  };
  const deferred = { ...answer, description: "The same shape: an operation goes on with the work." };
  const unwell = { ...answer, description: "The same shape, with the reason." };
  return {
    [spec.status]: answer,
    ...(spec.idempotent && { 200: replay }),
    ...(spec.deferred && { 202: deferred }),
    ...(spec.unwell && { [spec.unwell]: unwell }),
  };
}

/** One event of a stream, by its name. */
function eventsOf(events: NonNullable<RouteSpec["events"]>, components: JsonObject): JsonObject {
  return {
    description: "One event. The stream has any number of them, and comments that keep the connection open.",
    oneOf: Object.entries(events).map(([event, data]) => ({
      type: "object",
      required: ["id", "event", "data"],
      properties: {
        id: { type: "string", description: "Send it as `Last-Event-ID` to resume after this event." },
        event: {
          const: event,
          ...descriptionOf(data),
        },
        data: schemaOf(data, components, "output"),
      },
    })),
  };
}

function failures(spec: RouteSpec, errors: ErrorTable): JsonObject {
  const codes = new Set<string>([...(spec.errors ?? []), ...ALWAYS]);
  if (spec.access !== "open") codes.add("unauthorized").add("forbidden");
  if (spec.params || spec.query || spec.body || spec.method === "POST") codes.add("invalid-request");
  if (spec.body) codes.add("invalid-json").add("too-large").add("unsupported-media-type");
  if (spec.idempotent) codes.add("idempotency-conflict");
  if (spec.params) codes.add("not-found");
  if (spec.method !== "GET") codes.add("disk-full");
  const byStatus = Map.groupBy(codes, (code) => errors[code]?.status ?? 500);
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, group]) => [
        status,
        {
          description: group.map((code) => `\`${code}\`: ${errors[code]?.when}`).join("\n\n"),
          content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
        },
      ]),
  );
}

function headers(spec: RouteSpec): JsonObject[] {
  const header = (name: string, description: string) => ({
    name,
    in: "header",
    required: false,
    description,
    schema: { type: "string" },
  });
  if (spec.access === "open") return [];
  return [
    header("X-Tenant-Id", "The tenant to act for, if the key does not name it. `*` reads all tenants."),
    ...(spec.idempotent
      ? [header("Idempotency-Key", "For 24 hours, the same key and body return the first response again.")]
      : []),
  ];
}

function fields(schema: StandardSchemaV1 | undefined, components: JsonObject, where: "path" | "query"): JsonObject[] {
  if (!schema) return [];
  const json = schemaOf(schema, components, "input") as {
    properties?: Record<string, JsonObject>;
    required?: string[];
  };
  return Object.entries(json.properties ?? {}).map(([name, { description, wire, ...rest }]) => ({
    name,
    in: where,
    required: json.required?.includes(name) ?? false,
    ...(description !== undefined && { description }),
    schema: wire ?? rest,
    ...((wire as JsonObject | undefined)?.["type"] === "array" && { explode: false }),
  }));
}

function descriptionOf(schema: StandardSchemaV1): { description?: string } {
  const description = isZod(schema) ? schema.meta?.()?.description : undefined;
  return description === undefined ? {} : { description };
}

/** Schemas with an id become components, once. */
function schemaOf(schema: StandardSchemaV1, components: JsonObject, io: "input" | "output"): JsonObject {
  const { $defs, $schema: _$schema, ...json } = jsonSchemaOf(schema, io);
  const text = JSON.stringify(json).replaceAll("#/$defs/", "#/components/schemas/");
  for (const [name, definition] of Object.entries($defs ?? {})) {
    const { id: _id, $id: _$id, ...rest } = definition;
    components[name] ??= JSON.parse(JSON.stringify(rest).replaceAll("#/$defs/", "#/components/schemas/"));
  }
  const resolved = JSON.parse(text) as JsonObject;
  const { id, $id: _$id, ...rest } = resolved;
  if (typeof id !== "string") return rest;
  components[id] ??= rest;
  return { $ref: `#/components/schemas/${id}` };
}

type JsonSchema = JsonObject & { $defs?: Record<string, JsonObject> };

/** A library that cannot give a JSON Schema is documented as "anything". */
function jsonSchemaOf(schema: StandardSchemaV1, io: "input" | "output"): JsonSchema {
  if (isZod(schema)) return z.toJSONSchema(schema, { io, unrepresentable: "any", reused: "inline" }) as JsonSchema;
  const { jsonSchema } = schema["~standard"] as Partial<StandardJSONSchemaV1.Props>;
  try {
    return (jsonSchema?.[io]({ target: "draft-2020-12" }) ?? {}) as JsonSchema;
  } catch {
    return {};
  }
}

function operationId(spec: RouteSpec): string {
  const words = spec.path.replaceAll(/[{}.]/g, "").split(/[/-]/).filter(Boolean);
  return spec.method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

function needs(access: RouteSpec["access"]): string {
  return access === "root" ? "Only for the administrator (`API_KEY`)." : `Needs the scope \`${access}\`.`;
}
