// Loads the module of a workload's pages, once, with its stylesheet.

import type { WorkloadInfo } from "../../src/client/index.ts";
import { whenServerAnswers } from "../lib/lazy-page.ts";
import type { Pages } from "./define.ts";

export interface WorkloadWithPages extends WorkloadInfo {
  readonly pages: NonNullable<WorkloadInfo["pages"]>;
}

const loaded = new Map<string, Promise<Pages>>();

export function loadPages(workload: WorkloadWithPages): Promise<Pages> {
  const { module } = workload.pages;
  const known = loaded.get(module) ?? load(workload);
  loaded.set(module, known);
  return known;
}

async function load({ workload, pages: { module, styles } }: WorkloadWithPages): Promise<Pages> {
  const [found] = await Promise.all([
    import(/* @vite-ignore */ module) as Promise<{ default?: unknown }>,
    styles && loadStyles(styles),
  ]).catch(async (error) => {
    // Browsers do not ask a second time for a script that failed.
    if (await whenServerAnswers()) window.location.reload();
    throw new Error(`The page module ${nameOf(module)} of the workload "${workload}" did not load: ${error.message}`);
  });
  if (typeof found.default === "object" && found.default !== null) return found.default;
  throw new Error(
    `The page module ${nameOf(module)} of the workload "${workload}" has no default export. Export definePages({ … }).`,
  );
}

export function nameOf(module: string): string {
  return decodeURIComponent(module.slice(module.lastIndexOf("/") + 1));
}

/** Before the page is drawn, so that nothing jumps; a page without its stylesheet is better than none. */
function loadStyles(href: string): Promise<void> {
  return new Promise((resolve) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = href;
    link.onload = () => resolve();
    link.onerror = () => resolve();
    document.head.append(link);
  });
}
