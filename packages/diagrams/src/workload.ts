// Diagrams as text in, drawings behind short links out.

import { defineWorkload } from "millrace/settings";
import type { Setup } from "millrace/workload";
import { diagramCalls } from "./client.ts";
import { DIAGRAM_SETTINGS, type DiagramSettingValues } from "./settings.ts";

const HOUR_MS = 3_600_000;

/** The diagram workload: Mermaid, D2, Graphviz, PlantUML and more in, SVG, PDF and pictures behind short links out. */
export const diagrams = defineWorkload({
  name: "diagrams",
  settings: DIAGRAM_SETTINGS,
  kinds: async (setup) => {
    const { chromiumKind, renderKind } = await import("./service/kind.ts");
    const { useAddedFonts } = await import("./text/fonts.ts");
    const { useLibrary } = await import("./plantuml/library.ts");
    const { renderConcurrency: processors, renderSpares: spares, renderFonts: fonts, ...settings } = setup.settings;
    const { plantumlStdlib, krokiUpstream: upstream } = settings;
    const { upstreamKind } = await import("./service/upstream/kind.ts");
    useAddedFonts(fonts);
    useLibrary(plantumlStdlib);
    const { renderTimeoutMs: timeoutMs, renderMaxChars: maxChars } = settings;
    const drawing = { timeoutMs, maxChars, fonts, plantumlStdlib, retentionMs: await retentionMs(setup) };
    const path = setup.engineSettings.chromiumPath;
    return [
      renderKind({ processors, spares, ...drawing }),
      ...(upstream === undefined ? [] : [upstreamKind({ upstream, processors, ...drawing })]),
      ...((await hasChromium(setup)) ? [chromiumKind({ path, ...drawing })] : []),
    ];
  },
  routes: async ({ engine, closing, ...setup }) => {
    const { diagramRoutes } = await import("./service/routes.ts");
    const { renderMaxChars: maxChars, renderMaxWaitMs: maxWaitMs, syncWaitMs, privateLinks, drawRate } = setup.settings;
    const hasUpstream = setup.settings.krokiUpstream !== undefined;
    const pools = { hasUpstream, hasChromium: await hasChromium(setup) };
    const settings = { maxChars, maxWaitMs, syncWaitMs, privateLinks, drawRate, ...pools };
    return diagramRoutes({ engine, closing, settings });
  },
  errors: {
    "render-failed": {
      status: 422,
      when: "The diagram has an error, at `line` and `column` if they are known, or it cannot be drawn.",
    },
    "include-missing": { status: 422, when: "The diagram includes a file that is not there; the message names it." },
    "upstream-failed": { status: 502, when: "The server that `KROKI_UPSTREAM` names does not answer as a Kroki does." },
    "render-timeout": { status: 504, when: "The diagram took longer to draw than `RENDER_TIMEOUT_MS`." },
    "still-running": {
      status: 504,
      when: "The drawing was not finished within `SYNC_WAIT_MS`. The job keeps running: see `statusUrl`.",
    },
  },
  commands: [
    {
      name: "render",
      summary: "render diagram files, locally or on a server",
      load: () => import("./cli/command.ts"),
    },
    {
      name: "fonts add",
      summary: "add a font for letters that ours lack",
      load: () => import("./cli/fonts-add.ts"),
    },
  ],
  client: diagramCalls,
  pages: {
    module: new URL("./pages/dist/pages.js", import.meta.url),
    styles: new URL("./pages/dist/pages.css", import.meta.url),
    nav: [
      {
        path: "/diagrams",
        title: "Diagrams",
        icon: "M2.5 2.5h4v3.5h-4zM9.5 10h4v3.5h-4zM4.5 6v5.75h5M6.5 4.25H11.5V10",
        scope: "submit",
      },
    ],
    kinds: { render: {} },
  },
  doctor: async (setup) => (await import("./doctor.ts")).diagramFindings(setup),
});

/** An hour while JOB_RETENTION_MS has its default, else the same. */
export async function retentionMs({ engineSettings }: Pick<Setup, "engineSettings">): Promise<number> {
  const { DEFAULTS } = await import("millrace");
  const { jobRetentionMs } = engineSettings;
  return jobRetentionMs === DEFAULTS.finishedRetentionMs ? HOUR_MS : jobRetentionMs;
}

/** Whether diagrams can be drawn with a browser here. No diagram starts one on a server that was not told to. */
async function hasChromium({ settings, engineSettings }: Setup<DiagramSettingValues>): Promise<boolean> {
  const { locateChromium, preferChromium } = await import("millrace/chromium");
  preferChromium(engineSettings.chromiumPath);
  return settings.renderChromium && locateChromium() !== undefined;
}
