import type { Access } from "../../api/route.ts";
import { workloadRoutes } from "../../api/workloads.ts";
import { AppError } from "../../lib/app-error.ts";
import { type Caller, may, requireScope } from "../auth/caller.ts";
import { type BoundRoute, bind } from "../request/bind.ts";
import { fileName, WorkloadFiles } from "../workload-files.ts";
import type { PageEntry, ServedPages, ServedWorkloads } from "../workloads.ts";

export function workloadHandlers({ names = [], scopes = [], pages = [] }: ServedWorkloads): BoundRoute[] {
  const files = new WorkloadFiles();
  return [
    bind(workloadRoutes.list, async ({ caller, basePath }) => ({
      body: {
        workloads: names.map((workload) => {
          const found = pages.find((each) => each.workload === workload);
          return {
            workload,
            scopes: scopes.filter((each) => each.workload === workload).map(({ scope, allows }) => ({ scope, allows })),
            ...(found && mayLoad(caller, found) && { pages: pagesFor(caller, found, basePath) }),
          };
        }),
      },
    })),

    bind(workloadRoutes.file, async ({ params, caller, request, basePath }) => {
      const found = pages.find(({ workload }) => workload === params.workload);
      if (found && !mayLoad(caller, found)) requireScope(caller, scopeOf(found.nav?.[0]));
      const answer = found && files.answer(request, found, params.file);
      if (answer) return answer;
      throw new AppError("not-found", `The workload "${params.workload}" has no file "${params.file}" for pages.`, {
        hint: `${basePath}/workloads lists the workloads of this server.`,
      });
    }),
  ];
}

/** A module with parts for kinds is for every caller who may read jobs. */
function mayLoad(caller: Caller, { nav = [], kinds = {} }: ServedPages): boolean {
  return Object.keys(kinds).length > 0 || nav.some((entry) => may(caller, scopeOf(entry)));
}

function scopeOf(entry: PageEntry | undefined): Access {
  return entry?.scope ?? "read";
}

function pagesFor(caller: Caller, { workload, module, styles, nav = [], kinds = {} }: ServedPages, basePath: string) {
  const address = (url: URL) => `${basePath}/workloads/${workload}/${encodeURIComponent(fileName(url))}`;
  return {
    module: address(module),
    ...(styles && { styles: address(styles) }),
    nav: nav
      .filter((entry) => may(caller, scopeOf(entry)))
      .map(({ path, title, icon }) => ({ path, title, ...(icon !== undefined && { icon }) })),
    kinds: Object.fromEntries(Object.entries(kinds).map(([kind, { held }]) => [kind, { ...(held && { held }) }])),
  };
}
