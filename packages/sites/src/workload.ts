// A website through three stages to a report.

import { defineWorkload } from "millrace/settings";
import type { Engine } from "millrace/workload";
import { sites as siteCalls } from "./client.ts";
import { SITES_ICON } from "./icon.ts";
import { FinishedRuns } from "./runs.ts";
import { modelProblems, SITE_SETTINGS } from "./setting-table.ts";

/** The engine comes after the kinds. The site kind reads finished runs from it, and tracks submit theirs to it. */
class EngineLink {
  readonly finishedRuns = new FinishedRuns();
  opened: Engine | undefined;

  readonly engine = (): Engine => {
    if (this.opened === undefined) throw new Error("The engine is not open yet.");
    return this.opened;
  };
}

/** By the settings that an engine is opened with, which no two engines of a process share. */
const links = new WeakMap<object, EngineLink>();

function linkOf({ settings }: { readonly settings: object }): EngineLink {
  const link = links.get(settings) ?? new EngineLink();
  links.set(settings, link);
  return link;
}

/** The site workload: reads a website, forms prompts, asks models or the site's own text, and reports. */
export const sites = defineWorkload({
  name: "sites",
  settings: SITE_SETTINGS,
  settingProblems: modelProblems,
  kinds: async (setup) => {
    const [{ siteKind }, { siteSettings, siteRenderer }, { changeKind, trackKind }] = await Promise.all([
      import("./kind.ts"),
      import("./from-settings.ts"),
      import("./tracks/track-kind.ts"),
    ]);
    const { StoredTurns } = await import("./crawl/host-turns.ts");
    const link = linkOf(setup);
    const turns = new StoredTurns(() => link.opened?.records("site-hosts"));
    const renderer = siteRenderer(setup);
    const settings = siteSettings(setup);
    const tracks = { settings, engine: link.engine };
    return [
      siteKind({ settings, turns, earlier: link.finishedRuns.find, ...(renderer && { renderer }) }),
      trackKind(tracks),
      changeKind(tracks),
    ];
  },
  limiters: async (setup) => {
    const [{ limitersOf }, { siteSettings }] = await Promise.all([
      import("./models/provider.ts"),
      import("./from-settings.ts"),
    ]);
    return limitersOf(siteSettings(setup).providers);
  },
  routes: async ({ engine, ...setup }) => {
    const [{ siteHandlers }, { siteRouteOptions }] = await Promise.all([
      import("./http/routes.ts"),
      import("./from-settings.ts"),
    ]);
    return siteHandlers(engine, siteRouteOptions(setup));
  },
  errors: {
    "no-browser": {
      status: 503,
      when: "A PDF needs a Chromium on the server. None was found, or it does not run. `hint` has the install command.",
    },
    "share-expired": { status: 410, when: "The link of a shared report has expired." },
    "print-timeout": { status: 503, when: "The PDF was not printed within `PDF_TIMEOUT_MS`." },
  },
  commands: [
    { name: "sites submit", summary: "analyse a website", load: () => import("./cli/submit.ts") },
    { name: "sites list", summary: "list site analyses, newest first", load: () => import("./cli/list.ts") },
    { name: "sites show", summary: "show an analysis and its results so far", load: () => import("./cli/show.ts") },
    {
      name: "sites prompts",
      summary: "show, edit or approve the prompts of an analysis",
      load: () => import("./cli/prompts.ts"),
    },
    {
      name: "sites budget",
      summary: "raise the budget of an analysis that waits for it",
      load: () => import("./cli/budget.ts"),
    },
    {
      name: "sites retry",
      summary: "repeat the missing model calls of a finished analysis",
      load: () => import("./cli/retry.ts"),
    },
    {
      name: "sites again",
      summary: "run a site again with the same prompts",
      load: () => import("./cli/again.ts"),
    },
    {
      name: "sites share",
      summary: "make a link to a report that works without a key until it expires",
      load: () => import("./cli/share.ts"),
    },
    {
      name: "sites track",
      summary: "run a site again and again, or show, list and delete tracks",
      load: () => import("./cli/track.ts"),
    },
    {
      name: "sites logs",
      summary: "read a web server's log: which AI bots read the site, and for what",
      load: () => import("./cli/logs.ts"),
    },
    {
      name: "sites compare",
      summary: "compare an analysis with an earlier one",
      load: () => import("./cli/compare.ts"),
    },
    {
      name: "sites report",
      summary: "write the report of an analysis to a file",
      load: () => import("./cli/report.ts"),
    },
  ],
  client: siteCalls,
  pages: {
    module: new URL("./pages/dist/pages.js", import.meta.url),
    styles: new URL("./pages/dist/pages.css", import.meta.url),
    nav: [{ path: "/sites", title: "Sites", icon: SITES_ICON }],
    kinds: {
      site: {
        held: {
          one: "site analysis needs a review or more budget",
          many: "site analyses need a review or more budget",
          path: "/sites",
        },
      },
    },
  },
  start: ({ engine, ...setup }) => {
    const link = linkOf(setup);
    link.opened = engine;
    link.finishedRuns.readFrom(engine);
  },
});
