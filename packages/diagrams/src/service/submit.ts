import { AppError, type JobView } from "millrace";
import { type Engine, traceParentOf } from "millrace/workload";
import type { RenderedDiagram } from "../api/render.ts";
import { recallDrawing } from "./drawing.ts";
import { type DrawnPayload, keysOf } from "./keys.ts";
import { kindOf } from "./kind.ts";
import { drawn, waitForDrawing } from "./wait.ts";

export interface DiagramSettings {
  readonly maxChars: number;
  readonly maxWaitMs: number;
  readonly syncWaitMs: number;
  readonly privateLinks: boolean;
  /** Answers in a minute for each key that may only draw. */
  readonly drawRate: number;
  /** Another Kroki draws what we have no engine for. */
  readonly hasUpstream: boolean;
  /** There is a pool that draws with a Chromium. */
  readonly hasChromium: boolean;
}

/** What drawing needs of its surroundings. `closing` is aborted when the server stops, so that waiting requests are answered. */
export interface DrawingService {
  readonly engine: Engine;
  readonly settings: DiagramSettings;
  readonly closing: AbortSignal;
}

export interface DrawingRequest {
  readonly payload: DrawnPayload;
  readonly tenant: string;
  readonly request: Request;
  readonly traceId: string;
  readonly expiresInMs?: number | undefined;
  readonly idempotency?: { readonly key: string; readonly fingerprint: string };
  /** `recalled` has just found nothing. */
  readonly nothingKept?: boolean;
  /** The client waits for the drawing and needs no job of its own: a job that draws the same will do. */
  readonly waits?: boolean;
  /** For an editor: the job is deleted when it has ended. A request that has joined it submits its diagram again. */
  readonly isDraft?: boolean;
}

export interface SubmittedDrawing {
  readonly job: JobView;
  readonly replayed: boolean;
  /** The job belongs to another submission. */
  readonly isJoined: boolean;
  /** No other request has asked for this job, and its client is not expected back. */
  readonly isAlone: boolean;
}

// Each time another client cancelled the job that this one had joined.
const MOST_SUBMISSIONS = 10;

export async function submitDrawing(
  { engine, settings }: DrawingService,
  asked: DrawingRequest,
): Promise<SubmittedDrawing> {
  const { payload, tenant, request, traceId, expiresInMs = settings.maxWaitMs, idempotency } = asked;
  const traceParent = traceParentOf(request);
  const trace = { traceId, ...(traceParent !== undefined && { traceParent }) };
  const { jobs, replayed, joined } = await engine.submitRequests({
    tenant,
    requests: [{ kind: kindOf(payload), payload, options: { ...trace, expiresInMs } }],
    ...(idempotency && { idempotency }),
    ...(asked.nothingKept && { nothingKept: true }),
    ...(asked.waits && { ifUnique: "join" }),
  });
  const [job] = jobs;
  if (!job) throw new Error("a submission of one job has one");
  const isJoined = joined.length > 0;
  return { job, replayed, isJoined, isAlone: !replayed && !isJoined && !idempotency };
}

/** The finished drawing of a job that was submitted; throws what its caller is to be told. */
export async function waited(
  surroundings: DrawingService,
  asked: DrawingRequest,
  submitted: SubmittedDrawing,
): Promise<RenderedDiagram> {
  const { engine, settings, closing } = surroundings;
  const { idempotency: _ofTheFirst, nothingKept: _then, ...again } = asked;
  const until = performance.now() + settings.syncWaitMs;
  let { job, isAlone, isJoined } = submitted;
  for (let nth = 1; ; nth++) {
    const timeoutMs = Math.max(until - performance.now(), 1);
    const waiting = { timeoutMs, gone: asked.request.signal, closing, isAlone };
    const isOurs = !isJoined || nth === MOST_SUBMISSIONS;
    try {
      const ended = job.state === "completed" ? job : await waitForDrawing(engine, job.jobId, waiting);
      // The job was cancelled for another request, not for this one.
      if (ended.state !== "cancelled" || isOurs) return drawn(ended, asked.payload);
    } catch (error) {
      // An editor had submitted the job, and has deleted it.
      if (isOurs || !(error instanceof AppError && error.code === "job-not-found")) throw error;
    } finally {
      // A job that still runs cannot be deleted. It is kept as long as any other.
      if (asked.isDraft && isAlone) await engine.forget(job.jobId).catch(() => {});
    }
    ({ job, isAlone, isJoined } = await submitDrawing(surroundings, again));
  }
}

/** What is kept needs no job. */
export function recalled(
  { engine }: DrawingService,
  { payload, tenant }: DrawingRequest,
): Promise<RenderedDiagram | undefined> {
  return recallDrawing(keysOf(payload, tenant).asked, engine.shared.memoryOf(tenant));
}

/** What the shapes do not say: how long a diagram may be here, and by whom it can be drawn. */
export function checkPayload(payload: DrawnPayload, { maxChars, hasChromium }: DiagramSettings): void {
  const { source } = payload;
  if ("format" in payload && payload.options?.engine === "chromium" && !hasChromium) {
    const issues = [{ path: "options.engine", message: "needs a Chromium, which this server does not have" }];
    throw new AppError("invalid-request", "This server has no Chromium.", {
      hint: "Remove the option, or install a Chromium on the server and start it with RENDER_CHROMIUM=true.",
      details: { issues },
    });
  }
  if (source.length <= maxChars) return;
  const message = `The diagram has ${source.length} characters; the limit is ${maxChars}.`;
  throw new AppError("too-large", message, { hint: "Split the diagram, or raise RENDER_MAX_CHARS." });
}
