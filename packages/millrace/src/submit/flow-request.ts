import type { FlowPlace } from "../store/verbs/batches.ts";
import type { SubmitRequests } from "./intake.ts";

/** A flow by the names of kinds, as it arrives over HTTP. */
export interface FlowRequest extends SubmitRequests {
  /** For each job: its name in the flow, the indexes of the jobs it waits for, and until when. */
  places: FlowPlace[];
}
