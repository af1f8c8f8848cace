import type { ErrorTable } from "../../api/errors.ts";
import type { RouteSpec } from "../../api/route.ts";
import type { ApiLocation } from "../openapi.ts";
import { article, type Operation, routeId } from "./article.ts";
import { escaped, markdown, slug } from "./html.ts";
import { type Components, fieldTable } from "./schema.ts";
import { STYLE } from "./style.ts";

/** The reference as one page: no script, no request to anywhere. */
export function docsPage(
  document: Record<string, unknown>,
  specs: readonly RouteSpec[],
  errors: ErrorTable,
  location: ApiLocation,
): string {
  const { basePath } = location;
  const paths = document["paths"] as Record<string, Record<string, Operation>>;
  const { schemas } = document["components"] as { schemas: Components };
  const { version } = document["info"] as { version: string };
  const groups = [...new Set(specs.map((spec) => spec.tag))].map((tag) => ({
    tag,
    routes: specs.filter((spec) => spec.tag === tag).sort(byPath),
  }));
  const sections = groups.map(({ tag, routes }) => {
    const articles = routes.map((spec) => {
      const operation = paths[spec.path]?.[spec.method.toLowerCase()] as Operation;
      return article(spec, operation, { components: schemas, basePath });
    });
    return `<section id="${slug(tag)}"><h2>${escaped(tag)}</h2>${articles.join("")}</section>`;
  });
  const menu = groups.map(
    ({ tag, routes }) =>
      `<li><a href="#${slug(tag)}">${escaped(tag)}</a><ul>${routes.map(menuEntry).join("")}</ul></li>`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Millrace API</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${STYLE}</style></head><body>
<nav aria-label="Routes"><details class="menu"><summary>Millrace API <small>${escaped(version)}</small></summary></details>
<ul><li><a href="#start">start</a></li>${menu.join("")}<li><a href="#shapes">shapes</a></li><li><a href="#errors">errors</a></li>
<li><a href="${basePath}/openapi.json">openapi.json</a></li></ul></nav><main>
${introduction(location)}
${sections.join("\n")}
${shapes(schemas)}
<section id="errors"><h2>errors</h2><p>Every error response is an <a href="#shape-Error"><code>Error</code></a>: a sentence for people, a stable
<code>code</code> for programs, and often a <code>hint</code> that says what to do next.</p>${errorTable(errors)}</section>
</main></body></html>`;
}

const KEYS = `With <code>API_KEY</code> set, send a key as <code>X-API-Key</code> or <code>Authorization: Bearer</code>. Each route says
which scope it needs.`;
const HOST = "The application that serves this API authenticates its callers. Each route says which scope it needs.";

const introduction = ({ basePath, hasKeys }: ApiLocation) => `<header id="start"><h1>Millrace API</h1>
<p class="lead">Durable background work over HTTP. JSON in and out, times as ISO 8601 UTC.</p>
<pre><code>curl localhost:3000${basePath}/jobs -H 'content-type: application/json' -d '{"payload": {"text": "hello"}}'
curl localhost:3000${basePath}/jobs/job_4fQ81xZa?wait=20</code></pre>
<dl><dt>${hasKeys ? "Keys" : "Callers"}</dt><dd>${hasKeys ? KEYS : HOST}</dd>
<dt>Tenants</dt><dd><code>X-Tenant-Id</code> chooses the tenant if the key does not (default: <code>default</code>). An administrator reads
all tenants with <code>*</code>.</dd>
<dt>Traces</dt><dd>Every response has an <code>X-Trace-Id</code>: yours, or a new one. It is stored with the job and is in its log lines.</dd>
<dt>Repeats</dt><dd>Submissions accept an <code>Idempotency-Key</code>. For 24 hours, the same key and body return the first response again.</dd>
<dt>Limits</dt><dd>429, 503 and 507 say in <code>Retry-After</code> when to try again.</dd></dl></header>`;

function menuEntry(spec: RouteSpec): string {
  return `<li><a href="#${routeId(spec)}"><span class="m ${spec.method.toLowerCase()}">${spec.method}</span>${escaped(spec.path)}</a></li>`;
}

/** Sorts routes from a list to a single thing, and from there to what is done to it. */
function byPath(a: RouteSpec, b: RouteSpec): number {
  const rank = ({ path }: RouteSpec) => [path.split("/").length, path.endsWith("}") ? 0 : 1] as const;
  const [[aParts, aLast], [bParts, bLast]] = [rank(a), rank(b)];
  return aParts - bParts || aLast - bLast;
}

function shapes(schemas: Components): string {
  const articles = Object.entries(schemas)
    .filter(([, schema]) => schema.properties)
    .sort(([a], [b]) => a.localeCompare(b))
    .map(
      ([name, schema]) =>
        `<article id="shape-${name}"><h3>${name}</h3>${schema.description ? `<p>${markdown(schema.description)}</p>` : ""}${fieldTable(schema)}</article>`,
    );
  return `<section id="shapes"><h2>shapes</h2>${articles.join("")}</section>`;
}

function errorTable(errors: ErrorTable): string {
  const rows = Object.entries(errors).map(
    ([code, { status, when }]) =>
      `<tr id="error-${code}"><td><code>${code}</code></td><td>${status}</td><td>${markdown(when)}</td></tr>`,
  );
  return `<table>${rows.join("")}</table>`;
}
