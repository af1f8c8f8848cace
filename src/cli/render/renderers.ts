// Drawn here, but not by this process: by the renderers that a server has, confined and with a deadline as they are there.

import type { RenderPayload } from "../../api/render.ts";
import { chromiumPlace, preferChromium } from "../../chromium/find.ts";
import type { Config } from "../../config.ts";
import { JobFailure, type Kind, Millrace, sqlite } from "../../index.ts";
import { AppError } from "../../lib/app-error.ts";
import { type Log, silentLog } from "../../telemetry/log.ts";
import type { Fault } from "../../workloads/diagrams/engine.ts";
import { chromiumKind, renderKind } from "../../workloads/diagrams/service/kind.ts";
import { UsageError } from "../command.ts";
import type { Draw, Drawn } from "./draw.ts";
import type { Task } from "./task.ts";

export interface Renderers {
  readonly draw: Draw;
  /** So many have something to do at the same time. */
  readonly atOnce: number;
}

/** An engine that keeps nothing, for as long as `use` takes. */
export async function withRenderers<T>(
  tasks: readonly Task[],
  config: Config,
  use: (renderers: Renderers) => Promise<T>,
): Promise<T> {
  const atOnce = Math.min(config.renderConcurrency, tasks.length);
  const kind = kindFor(tasks, config, atOnce);
  const broken = new AbortController();
  const log: Log = {
    ...silentLog,
    // Nothing else would end the wait for a renderer that never starts.
    error: (event, fields) => void (event === "processor module does not start" && broken.abort(startFault(fields))),
    warn: (event, fields) => void (event === "processor starts slowly" && broken.abort(startFault(fields))),
  };
  const engine = await Millrace.open({ store: sqlite(":memory:"), kinds: [kind], log });
  try {
    return await use({ atOnce, draw: (task, source) => draw(engine, kind, task, source, broken.signal) });
  } finally {
    await engine.stop({ graceMs: 0 });
  }
}

/** The limit that a server sets is for strangers' diagrams; one's own are bound by time, memory and what a job may carry. */
const MOST_CHARS = 1_000_000;
const OWN = { maxChars: MOST_CHARS };

function kindFor(tasks: readonly Task[], config: Config, processors: number): Kind {
  const { chromiumPath: path, renderTimeoutMs: timeoutMs } = config;
  if (tasks.every(({ options }) => options.engine !== "chromium")) {
    const warm = [...new Set(tasks.map(({ format }) => format))];
    return renderKind({ processors, timeoutMs, ...OWN, spares: 0, warm });
  }
  preferChromium(path);
  if (chromiumPlace() === undefined)
    throw new UsageError("No Chromium is found. Install one, or say in CHROMIUM_PATH where it is.");
  return chromiumKind({ path, timeoutMs, ...OWN });
}

async function draw(
  engine: Millrace,
  kind: Kind,
  { format, options, outputType }: Task,
  source: string,
  signal: AbortSignal,
): Promise<Drawn> {
  const unfit = unfitness(source);
  if (unfit !== undefined) return { fault: { message: unfit } };
  try {
    const payload = { format, source, options, outputType } as RenderPayload;
    const job = await engine.submit(kind, payload);
    const { shortlink, warnings = [] } = (await job.wait({ signal })) as { shortlink: string; warnings?: string[] };
    const drawing = await engine.shared.open(shortlink);
    if (!drawing) throw new Error("the drawing is gone");
    return { bytes: drawing.bytes, warnings };
  } catch (error) {
    const fault = faultOf(error);
    if (!fault) throw error;
    return { fault };
  }
}

/** What no renderer need look at. */
function unfitness(source: string): string | undefined {
  if (source.trim() === "") return "The diagram is empty.";
  if (source.includes("\0")) return "This is no text: it has bytes that are zero.";
  if (source.length > MOST_CHARS) return `The diagram has ${source.length} characters; ${MOST_CHARS} are the most.`;
  return undefined;
}

/** What is wrong with one diagram; undefined where it is more than that. */
function faultOf(error: unknown): Fault | undefined {
  if (error instanceof JobFailure) {
    const { line, column } = error.options;
    return { message: error.message, ...(line !== undefined && { line }), ...(column !== undefined && { column }) };
  }
  return error instanceof AppError && REFUSED.has(error.code) ? { message: error.message } : undefined;
}

const REFUSED = new Set(["invalid-request", "too-large"]);

function startFault(fields: { readonly error?: unknown } = {}): AppError {
  return new AppError("renderer-broken", `No renderer starts here: ${fields.error}`, {
    hint: "`millrace doctor` tells more.",
  });
}
