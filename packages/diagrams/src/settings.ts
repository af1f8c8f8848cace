import { integer, type SettingValues, type Surroundings, setting, timerMs, yesNo } from "millrace/settings";
/** How diagrams are drawn. */
export const DIAGRAM_SETTINGS = {
  renderConcurrency: {
    ...setting(
      "RENDER_CONCURRENCY",
      integer({ min: 1, max: 1000 }),
      1,
      "Diagrams rendered at the same time, and as many again that take over 300 ms; 1 = one at a time.",
    ),
    fallback: ({ cores }: Surroundings) => cores,
    fallbackText: "the number of cores",
  },
  renderSpares: setting(
    "RENDER_SPARES",
    integer({ min: 0, max: 100 }),
    2,
    "Renderers kept warm beside those at work, about 100 MB each; 0: the first diagram waits for one to start.",
  ),
  renderTimeoutMs: setting("RENDER_TIMEOUT_MS", timerMs({ min: 1 }), 10_000, "Time one diagram may take."),
  renderMaxChars: setting(
    "RENDER_MAX_CHARS",
    integer({ min: 1, max: 1_048_576 }),
    50_000,
    "Longest source of a diagram.",
  ),
  renderMaxWaitMs: setting(
    "RENDER_MAX_WAIT_MS",
    timerMs({ min: 1 }),
    60_000,
    "How long a diagram may wait for its turn.",
  ),
  renderChromium: setting(
    "RENDER_CHROMIUM",
    yesNo,
    false,
    "Let diagrams ask for a Chromium (engine: chromium), where one is found. It is not confined as our own renderers are.",
  ),
  syncWaitMs: setting("SYNC_WAIT_MS", timerMs({ min: 1 }), 25_000, "How long a synchronous render request is held."),
  privateLinks: setting("PRIVATE_LINKS", yesNo, false, "Ask for a key on short links too."),
};

export type DiagramSettingValues = SettingValues<typeof DIAGRAM_SETTINGS>;
