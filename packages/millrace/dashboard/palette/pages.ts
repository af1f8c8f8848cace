import type { SessionScope } from "../lib/data.ts";

export interface NamedPage {
  readonly title: string;
  readonly path: string;
  /** The second key after `g`. */
  readonly key?: string;
  /** Who may open it. Default: everyone. */
  readonly scope?: SessionScope;
}

/** The pages that keys and the palette lead to. */
export const NAMED_PAGES: readonly NamedPage[] = [
  { title: "Overview", path: "/", key: "o" },
  { title: "Jobs", path: "/jobs", key: "j" },
  { title: "Dead letters", path: "/dead-letters", key: "d" },
  { title: "Operations", path: "/operations", key: "b" },
  { title: "Batches", path: "/batches" },
  { title: "Approvals", path: "/approvals", key: "a" },
  { title: "Stages", path: "/stages", key: "s", scope: "root" },
  { title: "Pools", path: "/pools", key: "p", scope: "root" },
  { title: "Processes", path: "/processes", key: "w", scope: "root" },
  { title: "Tenants", path: "/tenants", key: "t", scope: "admin" },
  { title: "Deployments", path: "/deployments", scope: "root" },
  { title: "Limits", path: "/limits", key: "l", scope: "root" },
  { title: "Submit", path: "/submit", key: "n", scope: "submit" },
  { title: "Schedules", path: "/schedules", key: "c", scope: "admin" },
  { title: "Settings", path: "/settings", key: ",", scope: "admin" },
  { title: "Keys", path: "/settings?part=keys", scope: "admin" },
  { title: "Audit", path: "/settings?part=audit", scope: "admin" },
];
