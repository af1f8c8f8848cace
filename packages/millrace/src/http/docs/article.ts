import type { RouteSpec } from "../../api/route.ts";
import { escaped, json, markdown } from "./html.ts";
import { type Components, type DocSchema, fieldRows, fieldsOf, typeOf } from "./schema.ts";

/** What this page reads of an OpenAPI operation. */
export interface Operation {
  readonly summary: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly description?: string;
    readonly schema: DocSchema;
  }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>;
}

type Content = Readonly<Record<string, { readonly example?: unknown; readonly schema: DocSchema }>>;

/** One route: what goes in and comes out on the left, an example of both on the right. */
export function article(
  spec: RouteSpec,
  operation: Operation,
  { components, basePath }: { readonly components: Components; readonly basePath: string },
): string {
  const body = operation.requestBody?.content["application/json"];
  const answer = operation.responses[String(spec.status)]?.content ?? {};
  const inputs = [
    ...operation.parameters
      // This header is explained once at the top of the page, for all routes.
      .filter(({ name }) => name !== "X-Tenant-Id")
      .map(({ in: where, ...each }) => ({ ...each, where })),
    ...fieldsOf(body?.schema, components),
  ];
  const example = answer["application/json"]?.example;
  return `<article id="${routeId(spec)}"><h3><a href="#${routeId(spec)}"><b>${spec.method}</b> <code>${escaped(spec.path)}</code></a></h3>
<div class="what"><p>${markdown(operation.summary)} <small>${needs(spec.access)}</small></p>
${fieldRows(inputs)}
<p class="answer"><b>${spec.status}</b> ${answerTypes(answer)}</p>
${eventTable(answer["text/event-stream"]?.schema)}
<p class="failures">${failures(operation)}</p></div>
<div class="example">${request(spec, basePath, body?.example)}${example === undefined ? "" : json(example)}</div></article>`;
}

export function routeId({ method, path }: RouteSpec): string {
  return `${method}${path}`.toLowerCase().replaceAll(/[{}.]/g, "").replaceAll("/", "-");
}

function answerTypes(content: Content): string {
  const types = Object.entries(content).map(([type, { schema }]) =>
    type === "application/json" && schema.type !== "string" ? typeOf(schema) : `<code>${escaped(type)}</code>`,
  );
  return types.length > 0 ? types.join(", or ") : "without a body";
}

function eventTable(schema: DocSchema | undefined): string {
  const events = schema?.oneOf?.map(({ properties }) => properties) ?? [];
  const rows = events.map((event) => ({
    name: String(event?.["event"]?.const),
    schema: event?.["data"] ?? {},
    required: false,
    description: event?.["event"]?.description ?? "",
  }));
  return fieldRows(rows);
}

/** The failures of the route itself. Those of every request stand once, in the table of errors. */
function failures({ responses }: Operation): string {
  return Object.entries(responses)
    .filter(([status]) => Number(status) >= 400 && !["401", "403", "500", "503"].includes(status))
    .flatMap(([status, { description }]) =>
      [...description.matchAll(/^`([a-z-]+)`/gm)].map(
        ([, code]) => `<a href="#error-${code}">${status} <code>${code}</code></a>`,
      ),
    )
    .join(" ");
}

function request({ method, path }: RouteSpec, basePath: string, body: unknown): string {
  const filled = path.replace("{jobId}", "job_4fQ81xZa").replaceAll(/\{(\w+)\}/g, "<$1>");
  const verb = method === "GET" || body !== undefined ? "" : ` -X ${method}`;
  const put = method === "PUT" && body !== undefined ? " -X PUT" : "";
  const data =
    body === undefined ? "" : ` \\\n  -H 'content-type: application/json' \\\n  -d '${JSON.stringify(body)}'`;
  return `<pre class="request"><code>${escaped(`curl${verb}${put} localhost:3000${basePath}${filled}${data}`)}</code></pre>`;
}

function needs(access: string): string {
  if (access === "open") return "No key needed.";
  return access === "root" ? "Only for the administrator." : `Scope <code>${access}</code>.`;
}
