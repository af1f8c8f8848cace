import { AppError, type JobView } from "millrace";
import type { Engine } from "millrace/workload";
import type { RenderedDiagram } from "../api/render.ts";
import { teach } from "../fault/teach.ts";
import type { DrawnPayload } from "./keys.ts";

export interface DrawingWait {
  readonly timeoutMs: number;
  /** The client went away. */
  readonly gone: AbortSignal;
  /** The server stops. */
  readonly closing: AbortSignal;
  /** No other request has asked for this job. */
  readonly isAlone: boolean;
}

/** The finished job. A client that goes away takes its job along, unless others wait for it. */
export async function waitForDrawing(engine: Engine, jobId: string, waiting: DrawingWait): Promise<JobView> {
  const { timeoutMs, gone, closing, isAlone } = waiting;
  const over = new AbortController();
  const end = () => over.abort(new DOMException("The client disconnected.", "AbortError"));
  for (const signal of [gone, closing]) signal.addEventListener("abort", end, { once: true });
  if (gone.aborted || closing.aborted) end();
  try {
    return await engine.wait(jobId, { timeoutMs, signal: over.signal });
  } catch (error) {
    if (gone.aborted) {
      if (isAlone) await engine.abandon(jobId, "The client disconnected before the drawing was finished.");
      throw error;
    }
    const isLate = error instanceof AppError && (error.code === "wait-timeout" || error.code === "stopping");
    if (closing.aborted || isLate) throw stillRunning(jobId);
    throw error;
  } finally {
    for (const signal of [gone, closing]) signal.removeEventListener("abort", end);
  }
}

function stillRunning(jobId: string): AppError {
  return new AppError("still-running", "The drawing is not finished yet. Its job keeps running.", {
    hint: "Read the job at statusUrl.",
    details: { jobId, statusUrl: `/jobs/${jobId}` },
  });
}

/** What a finished job came to: its result, or an error that says whose turn it is. */
export function drawn({ jobId, state, result, failure, lastError }: JobView, payload: DrawnPayload): RenderedDiagram {
  if (state === "completed") return result as RenderedDiagram;
  const details = { jobId, statusUrl: `/jobs/${jobId}` };
  if (state === "cancelled")
    throw new AppError("conflict", `The job was cancelled: ${lastError ?? "no reason given"}`, { details });
  const { code, message = "The diagram could not be drawn.", line, column } = failure ?? {};
  if (code === "timed-out") throw new AppError("render-timeout", message, { details });
  if (code === "backpressure") throw new AppError("backpressure", message, { details: { ...details, limit: "queue" } });
  const place = { ...(line !== undefined && { line }), ...(column !== undefined && { column }) };
  const isMissing = code === "include-missing";
  const isTold = code === "render-failed" || isMissing;
  const taught = isTold && "format" in payload ? teach(payload.format, payload.source, { message, ...place }) : {};
  if (code === "upstream-failed") throw new AppError(code, message, { details });
  throw new AppError(isMissing ? code : "render-failed", message, { details: { ...details, ...place, ...taught } });
}
