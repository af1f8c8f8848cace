import {
  httpUrl,
  integer,
  path,
  type SettingContext,
  type SettingValues,
  setting,
  timerMs,
  yesNo,
} from "millrace/settings";
/** How diagrams are drawn. */
export const DIAGRAM_SETTINGS = {
  renderConcurrency: {
    ...setting(
      "RENDER_CONCURRENCY",
      integer({ min: 1, max: 1000 }),
      1,
      "Diagrams rendered at the same time. The same number again can run if they take over 300 ms. 1 = one at a time.",
    ),
    fallback: ({ cores }: SettingContext) => cores,
    fallbackText: "the number of cores",
  },
  renderSpares: setting(
    "RENDER_SPARES",
    integer({ min: 0, max: 100 }),
    2,
    "Idle renderers to keep ready, about 100 MB each. 0: the first diagram waits until one has started.",
  ),
  renderTimeoutMs: setting("RENDER_TIMEOUT_MS", timerMs({ min: 1 }), 10_000, "Time limit for one diagram."),
  renderMaxChars: setting(
    "RENDER_MAX_CHARS",
    integer({ min: 1, max: 1_048_576 }),
    50_000,
    "Maximum length of a source, in characters.",
  ),
  renderMaxWaitMs: setting(
    "RENDER_MAX_WAIT_MS",
    timerMs({ min: 1 }),
    60_000,
    "How long a diagram may wait in the queue.",
  ),
  renderChromium: setting(
    "RENDER_CHROMIUM",
    yesNo,
    false,
    "Allow the option engine: chromium, if a Chromium is found. It is not confined like the other renderers.",
  ),
  syncWaitMs: setting(
    "SYNC_WAIT_MS",
    timerMs({ min: 1 }),
    25_000,
    "How long a synchronous request waits for its drawing.",
  ),
  drawRate: setting(
    "DRAW_RATE",
    integer({ min: 1, max: 1_000_000 }),
    600,
    "Answers per minute for each key that may only draw (scope draw).",
  ),
  renderFonts: setting(
    "RENDER_FONTS",
    path,
    "millrace-fonts",
    "Folder of the fonts that `millrace fonts add` copies, for letters that ours lack.",
  ),
  krokiUpstream: {
    ...setting<string | undefined>(
      "KROKI_UPSTREAM",
      httpUrl,
      undefined,
      "Address of a Kroki that draws languages without an engine here, such as ditaa and excalidraw.",
    ),
    show: (address: string | undefined) => address ?? "",
  },
  plantumlStdlib: {
    ...setting<string | undefined>(
      "PLANTUML_STDLIB",
      path,
      undefined,
      "Folder of PlantUML's standard library, such as C4/C4_Container.puml. Without it, includes are refused.",
    ),
    show: (folder: string | undefined) => folder ?? "",
  },
  privateLinks: setting("PRIVATE_LINKS", yesNo, false, "Require a key for short links too."),
};

export type DiagramSettingValues = SettingValues<typeof DIAGRAM_SETTINGS>;
