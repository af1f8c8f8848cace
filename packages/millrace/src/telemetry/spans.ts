// Spans for programs with an OpenTelemetry SDK. Without one nothing is made, and the API is not even loaded.

import type { Span, SpanOptions } from "@opentelemetry/api";
import { flagsIn, spanIdIn, traceIdIn } from "../lib/trace-parent.ts";
import { type OtelApi, registeredApi } from "./otel-api.ts";

/** The span of a submission: a child of the caller's span, or else of the current one. */
export function submitSpan(about: {
  kind: string;
  tenant: string;
  jobs: number;
  traceParent: string | undefined;
}): WorkSpan | undefined {
  const api = registeredApi();
  if (!api) return undefined;
  const attributes = { "millrace.kind": about.kind, "millrace.tenant": about.tenant, "millrace.jobs": about.jobs };
  return new WorkSpan(api, `submit ${about.kind}`, { kind: api.SpanKind.PRODUCER, attributes }, about.traceParent);
}

/** The span of one attempt, a child of the submission. */
export function processSpan(about: {
  kind: string;
  stage: string;
  tenant: string;
  jobId: string;
  attempt: number;
  traceParent: string | undefined;
}): WorkSpan | undefined {
  const api = registeredApi();
  if (!api) return undefined;
  const attributes = {
    "millrace.kind": about.kind,
    "millrace.stage": about.stage,
    "millrace.tenant": about.tenant,
    "millrace.job": about.jobId,
    "millrace.attempt": about.attempt,
  };
  const options = { kind: api.SpanKind.CONSUMER, attributes, root: about.traceParent === undefined };
  return new WorkSpan(api, `process ${about.kind}/${about.stage}`, options, about.traceParent);
}

export class WorkSpan {
  /** The trace parent for everything that follows. */
  readonly traceParent: string;
  readonly #api: OtelApi;
  readonly #span: Span;
  #ended = false;

  constructor(api: OtelApi, name: string, options: SpanOptions, parent: string | undefined) {
    this.#api = api;
    const { context, trace, ROOT_CONTEXT } = api;
    const from = parent === undefined ? context.active() : trace.setSpanContext(ROOT_CONTEXT, contextOf(parent));
    this.#span = trace.getTracer("millrace").startSpan(name, options, from);
    const { traceId, spanId, traceFlags } = this.#span.spanContext();
    this.traceParent = `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
  }

  /** Spans made in `work` become its children. */
  run<T>(work: () => T): T {
    const { context, trace } = this.#api;
    return context.with(trace.setSpan(context.active(), this.#span), work);
  }

  /** The first end counts. */
  end(outcome: string, fault?: string): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#span.setAttribute("millrace.outcome", outcome);
    if (fault !== undefined) this.#span.setStatus({ code: this.#api.SpanStatusCode.ERROR, message: fault });
    this.#span.end();
  }
}

function contextOf(traceParent: string) {
  return {
    traceId: traceIdIn(traceParent),
    spanId: spanIdIn(traceParent),
    traceFlags: flagsIn(traceParent),
    isRemote: true,
  };
}
