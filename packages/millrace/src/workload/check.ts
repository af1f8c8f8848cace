// Names that a workload claims: pages, scopes, kinds with parts. What two workloads claim, or the engine has, is refused at the
// start, before the first request.

import { ENGINE_SCOPES, type PageEntry } from "../http/workloads.ts";
import { AppError } from "../lib/app-error.ts";
import type { Workload } from "./workload.ts";

/** Pages of the engine's own dashboard, by the first part of their address. */
const OWN_PAGES = ["", "jobs", "dead-letters", "pools", "deployments", "submit", "schedules", "settings"];
const PATH = /^(?:\/[a-z0-9][a-z0-9-]*){1,4}$/;
const SCOPE = /^[a-z][a-z0-9-]*(?::[a-z0-9-]+)+$/;
const MOST_SCOPE_CHARS = 64;
const OWN_SCOPES: readonly string[] = [...ENGINE_SCOPES, "open", "root"];

export function checkWorkloads(workloads: readonly Workload[]): void {
  checkUnique(workloads, "name", ({ name }) => [name]);
  for (const workload of workloads) {
    checkScopes(workload);
    checkPages(workload);
  }
  checkUnique(workloads, "page", ({ pages }) => pages?.nav?.map(({ path }) => path) ?? []);
  checkUnique(workloads, "part for the kind", ({ pages }) => Object.keys(pages?.kinds ?? {}));
}

function checkUnique(workloads: readonly Workload[], what: string, claims: (workload: Workload) => string[]): void {
  const owners = new Map<string, Workload>();
  for (const workload of workloads) {
    for (const claim of claims(workload)) {
      const owner = owners.get(claim);
      if (owner) throw invalid(workload, `has the same ${what} "${claim}" as the workload "${owner.name}".`);
      owners.set(claim, workload);
    }
  }
}

/** Each carries the name of its workload, so that two workloads never mean the same word. */
function checkScopes(workload: Workload): void {
  for (const scope of Object.keys(workload.scopes ?? {})) {
    if (SCOPE.test(scope) && scope.startsWith(`${workload.name}:`) && scope.length <= MOST_SCOPE_CHARS) continue;
    throw invalid(workload, `has the invalid scope "${scope}". Write it as "${workload.name}:write".`);
  }
}

function checkPages(workload: Workload): void {
  const { pages } = workload;
  if (!pages) return;
  const urls = { module: pages.module, styles: pages.styles, files: pages.files };
  for (const [name, url] of Object.entries(urls)) {
    if (url === undefined && name !== "module") continue;
    if (!(url instanceof URL) || url.protocol !== "file:") {
      throw invalid(workload, `needs a file URL for pages.${name}: new URL("./page.js", import.meta.url).`);
    }
  }
  for (const entry of pages.nav ?? []) checkEntry(workload, entry);
}

function checkEntry(workload: Workload, { path, title, scope = "read" }: PageEntry): void {
  if (typeof path !== "string" || !PATH.test(path)) {
    throw invalid(workload, `has a page with the invalid path ${JSON.stringify(path)}. Write it as "/greetings".`);
  }
  if (OWN_PAGES.includes(path.split("/")[1] ?? "")) {
    throw invalid(workload, `has the page "${path}", which belongs to the dashboard.`);
  }
  if (typeof title !== "string" || title === "") throw invalid(workload, `has the page "${path}" without a title.`);
  checkKnownScope(workload, scope, `the page "${path}"`);
}

/** A scope that no key can have would lock everyone out but the administrator. */
export function checkKnownScope(workload: Workload, scope: string, what: string): void {
  if (OWN_SCOPES.includes(scope) || Object.hasOwn(workload.scopes ?? {}, scope)) return;
  throw invalid(workload, `uses the unknown scope "${scope}" for ${what}. Declare it in its scopes.`);
}

function invalid({ name }: Workload, problem: string): AppError {
  return new AppError("workload-invalid", `The workload "${name}" ${problem}`);
}
