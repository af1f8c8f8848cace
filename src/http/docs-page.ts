import { ERRORS } from "../api/errors.ts";
import type { RouteSpec } from "../api/route.ts";

/** The reference as one page: no script, no request to anywhere. */
export function docsPage(document: Record<string, unknown>, specs: readonly RouteSpec[]): string {
  const paths = document["paths"] as Record<string, Record<string, Operation>>;
  const tags = [...new Set(specs.map((spec) => spec.tag))];
  const sections = tags.map((tag) => {
    const routes = specs.filter((spec) => spec.tag === tag);
    const articles = routes.map((spec) => article(spec, paths[spec.path]?.[spec.method.toLowerCase()] as Operation));
    return `<section id="${slug(tag)}"><h2>${escaped(tag)}</h2>${articles.join("")}</section>`;
  });
  const menu = [...tags, "errors"].map((tag) => `<a href="#${slug(tag)}">${escaped(tag)}</a>`).join("");
  return page(`<nav>${menu}<a href="/openapi.json">openapi.json</a></nav><main>
<h1>Millrace API</h1>
<p>JSON in and out, times as ISO 8601 UTC. With <code>API_KEY</code> set, send a key as <code>X-API-Key</code> or
<code>Authorization: Bearer</code>. Every answer carries <code>X-Trace-Id</code>.</p>
${sections.join("\n")}
<section id="errors"><h2>errors</h2><p>Every error is <code>{error, code, hint?, traceId}</code>.</p>${errorTable()}</section>
</main>`);
}

interface Operation {
  summary: string;
  parameters: { name: string; in: string; required: boolean; description?: string; schema: unknown }[];
  requestBody?: { content: { "application/json": { example?: unknown; schema: unknown } } };
  responses: Record<string, { description: string; content?: Record<string, { example?: unknown }> }>;
}

function article(spec: RouteSpec, operation: Operation): string {
  const body = operation.requestBody?.content["application/json"];
  const answer = operation.responses[String(spec.status)]?.content?.["application/json"]?.example;
  const rows = operation.parameters.map(
    (each) => `<tr><td><code>${escaped(each.name)}</code></td><td>${each.in}${each.required ? "" : ", optional"}</td>
<td>${markdown(each.description ?? "")}</td></tr>`,
  );
  const failures = Object.entries(operation.responses)
    .filter(([status]) => Number(status) >= 400)
    .map(
      ([status, { description }]) =>
        `<tr><td>${status}</td><td>${markdown(description).replaceAll("\n\n", "<br>")}</td></tr>`,
    );
  return `<article><h3><b>${spec.method}</b> <code>${escaped(spec.path)}</code></h3>
<p>${markdown(operation.summary)} <small>${spec.access === "open" ? "No key needed." : `Scope <code>${spec.access}</code>.`}</small></p>
${rows.length > 0 ? `<table>${rows.join("")}</table>` : ""}
${body?.example === undefined ? "" : `<h4>Body</h4>${json(body.example)}`}
${answer === undefined ? "" : `<h4>Answer ${spec.status}</h4>${json(answer)}`}
<details><summary>Errors</summary><table>${failures.join("")}</table></details></article>`;
}

function errorTable(): string {
  const rows = Object.entries(ERRORS).map(
    ([code, { status, when }]) => `<tr><td><code>${code}</code></td><td>${status}</td><td>${markdown(when)}</td></tr>`,
  );
  return `<table>${rows.join("")}</table>`;
}

function json(value: unknown): string {
  return `<pre><code>${escaped(JSON.stringify(value, null, 2))}</code></pre>`;
}

function markdown(text: string): string {
  return escaped(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>");
}

function slug(text: string): string {
  return text.replaceAll(" ", "-");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

function page(content: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Millrace API</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${STYLE}</style></head><body>${content}</body></html>`;
}

const STYLE = `
:root{color-scheme:light dark;--line:light-dark(#d9dee3,#31383f);--soft:light-dark(#f5f7f9,#1b2025);--ink:light-dark(#1c2126,#e4e8ec);
--dim:light-dark(#5b6670,#9aa5b0);--link:light-dark(#0a5ea8,#6db3f2);--page:light-dark(#fff,#14181c)}
*{box-sizing:border-box}body{margin:0;font:16px/1.55 system-ui,sans-serif;color:var(--ink);background:var(--page)}
nav{position:sticky;top:0;display:flex;flex-wrap:wrap;gap:.25rem 1rem;padding:.75rem 1.5rem;background:var(--page);border-bottom:1px solid var(--line)}
a{color:var(--link);text-decoration:none}a:hover{text-decoration:underline}main{max-width:56rem;margin:0 auto;padding:1rem 1.5rem 4rem}
h1{font-size:1.75rem}h2{margin-top:3rem;padding-bottom:.25rem;border-bottom:1px solid var(--line);font-size:1.25rem;text-transform:capitalize}
h3{margin:2rem 0 .25rem;font-size:1rem}h3 b{display:inline-block;min-width:3.5rem;color:var(--dim)}h4{margin:1rem 0 .25rem;font-size:.875rem;color:var(--dim)}
p{margin:.25rem 0}small{color:var(--dim)}code{font:.9em ui-monospace,monospace}pre{overflow:auto;padding:.75rem 1rem;background:var(--soft);border-radius:6px}
table{width:100%;border-collapse:collapse;font-size:.9rem}td{padding:.3rem .75rem .3rem 0;border-bottom:1px solid var(--line);vertical-align:top}
section{scroll-margin-top:4rem}details{margin:.5rem 0}summary{cursor:pointer;color:var(--dim);font-size:.875rem}`;
