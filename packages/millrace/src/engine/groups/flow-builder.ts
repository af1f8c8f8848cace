import type { Kind } from "../../job/kind/kind.ts";
import type { SubmitOptions } from "../../job/options/submit-options.ts";
import type { FlowPlace } from "../../store/verbs/batches.ts";
import type { FlowRequest } from "../../submit/flow-request.ts";
import type { JobRequest } from "../../submit/intake.ts";

/** A job of a flow that is being built. Pass it in `after` of jobs that follow. */
export interface FlowJob<Name extends string = string, Result = unknown> {
  /** The name of the job in the flow. */
  readonly name: Name;
  /** For the compiler only: the type of its result. */
  readonly result?: Result;
}

/** Options of a job in a flow. */
export interface FlowJobOptions extends Omit<SubmitOptions, "tenant" | "idempotencyKey"> {
  /** The jobs that must end first. Default: none. */
  after?: readonly FlowJob[];
  /**
   * "completed": it waits until all of them completed, also through a revival, and is cancelled if one is cancelled or
   * deleted. "ended": it runs when all have ended, however they ended. Default: "completed".
   */
  when?: "completed" | "ended";
}

/** Options of a flow. */
export interface FlowOptions {
  /** The tenant that the jobs belong to. Default: "default". */
  tenant?: string;
  /** Makes a repeated submission safe: within 24 hours, the same key and content give the first jobs again. Default: none. */
  idempotencyKey?: string;
}

/** Describes the jobs of a flow, in `millrace.flow((f) => …)`. */
export class FlowBuilder {
  readonly #places: FlowPlace[] = [];
  readonly #requests: JobRequest[] = [];

  /** Adds a job. Its name is that of its handle and of its entry in `ctx.dependencies()`. */
  job<Name extends string, Input, Result>(
    name: Name,
    kind: Kind<Input, Result>,
    payload: NoInfer<Input>,
    options: FlowJobOptions = {},
  ): FlowJob<Name, Result> {
    const { after = [], when = "completed", ...submission } = options;
    const names = this.#places.map((place) => place.name);
    this.#places.push({ name, after: after.map((job) => names.indexOf(job.name)), when });
    this.#requests.push({ kind: kind.name, payload, options: submission });
    return { name };
  }

  /** @internal */
  get places(): FlowPlace[] {
    return this.#places;
  }

  /** @internal */
  requestWith({ tenant = "default", idempotencyKey }: FlowOptions): FlowRequest {
    const idempotency = idempotencyKey === undefined ? undefined : { key: idempotencyKey };
    return { tenant, requests: this.#requests, places: this.#places, ...(idempotency && { idempotency }) };
  }
}
