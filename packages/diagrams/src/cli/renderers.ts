// Drawn here, by the processes of the library: confined and with a deadline, as on a server.

import { locateChromium, preferChromium } from "millrace/chromium";
import { UsageError } from "millrace/cli";
import type { Format } from "../api/formats.ts";
import type { OutputType } from "../api/render.ts";
import type { ToldFault } from "../engine.ts";
import { RenderError } from "../library/error.ts";
import { createRenderers } from "../library/render.ts";
import type { Renderers as LibraryRenderers, RenderOptions } from "../library/types.ts";
import type { DiagramSettingValues } from "../settings.ts";
import type { Draw, DrawResult } from "./draw.ts";
import type { Task } from "./task.ts";

export interface CommandRenderers {
  readonly draw: Draw;
  /** How many diagrams are drawn at the same time. */
  readonly atOnce: number;
}

export interface RendererSettings
  extends Pick<DiagramSettingValues, "renderConcurrency" | "renderTimeoutMs" | "renderFonts" | "plantumlStdlib"> {
  readonly chromiumPath: string | undefined;
}

/** A renderer that stays is there when the next file is saved. */
const STAY_MS = 3_600_000;

/** Renderer processes for as long as `use` takes. `stay`: more drawings come later. */
export async function withRenderers<T>(
  { tasks, stay }: { readonly tasks: readonly Task[]; readonly stay: boolean },
  settings: RendererSettings,
  use: (renderers: CommandRenderers) => Promise<T>,
): Promise<T> {
  const { chromiumPath, renderTimeoutMs: timeoutMs, renderFonts: fonts, plantumlStdlib } = settings;
  if (tasks.some(({ options }) => options.engine === "chromium")) findBrowser(chromiumPath);
  const atOnce = Math.min(settings.renderConcurrency, Math.max(1, tasks.length));
  const life = stay ? { idleMs: STAY_MS } : {};
  const renderers = createRenderers({ processes: atOnce, timeoutMs, chromiumPath, fonts, plantumlStdlib, ...life });
  try {
    return await use({ atOnce, draw: (task, source) => draw(renderers, task, source) });
  } finally {
    await renderers.close();
  }
}

function findBrowser(path: string | undefined): void {
  preferChromium(path);
  if (locateChromium() === undefined) throw new UsageError("No Chromium was found. Install one, or set CHROMIUM_PATH.");
}

async function draw(
  renderers: LibraryRenderers,
  { format, options, outputType }: Task,
  source: string,
): Promise<DrawResult> {
  try {
    const request = { format, options, output: outputType } as RenderOptions<Format, OutputType>;
    const { data, warnings } = await renderers.render(source, request);
    return { bytes: typeof data === "string" ? new TextEncoder().encode(data) : data, warnings };
  } catch (error) {
    if (!(error instanceof RenderError) || error.code === "renderer-broken") throw error;
    return { fault: faultOf(error) };
  }
}

function faultOf({ message, line, column, excerpt, advice }: RenderError): ToldFault {
  return {
    message,
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
    ...(excerpt !== undefined && { excerpt }),
    ...(advice !== undefined && { advice }),
  };
}
