// The parts of an OpenAPI document that these tests look at.

import type { Server } from "./server.ts";

export type Schema = Readonly<Record<string, unknown>>;

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly schema: Schema;
}

export interface Operation {
  readonly operationId: string;
  readonly tags: string[];
  readonly summary: string;
  readonly security: Record<string, unknown>[];
  readonly parameters: Parameter[];
  readonly requestBody?: { required: boolean; content: Record<string, { schema: Schema; example?: unknown }> };
  readonly responses: Record<
    string,
    { description: string; content?: Record<string, { schema: Schema; example?: unknown }> }
  >;
}

export interface Document {
  readonly openapi: string;
  readonly info: { title: string; version: string };
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { schemas: Record<string, Schema>; securitySchemes: Record<string, unknown> };
  readonly tags: { name: string }[];
}

export interface Route {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

export async function documentOf(server: Server): Promise<Document> {
  return (await fetch(`${server.url}/openapi.json`)).json() as Promise<Document>;
}

export function routesOf(document: Document): Route[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

/** All places where a key of this name stands, wherever it is. */
export function everywhere(value: unknown, key: string): unknown[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => [...(name === key ? [each] : []), ...everywhere(each, key)]);
}
