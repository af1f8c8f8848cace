/** What an operation does to each of its jobs. "undo" takes back what another operation did. */
export type OperationAction = "revive" | "retry" | "cancel" | "delete" | "release" | "reprioritise" | "undo";

/** An act on many jobs, as programs see it. Times are ISO 8601 strings. */
export interface OperationView {
  /** The id, such as `op_4fQ81xZa`. `null` for a dry run, which stores nothing. */
  id: string | null;
  /** What it does to each job. */
  action: OperationAction;
  /** The filter that chose its jobs. `null`: they were named by id. */
  filter: Record<string, unknown> | null;
  /** Who started it. */
  by: string;
  /** The tenant whose jobs it covers. `null`: jobs of all tenants. */
  tenant: string | null;
  /** Its state. */
  state: "running" | "paused" | "stopped" | "completed" | "failed";
  /** The jobs that it covers, fixed when it was accepted. */
  total: number;
  /** Jobs that it has changed. */
  done: number;
  /** Jobs that had left the filter before it came to them. */
  skipped: number;
  /** Jobs on which the act was refused. */
  failed: number;
  /** Jobs per second, lately. */
  rate: number;
  /** The refusals by their code, at most 20. */
  errors: {
    /** The code of the refusal. */
    code: string;
    /** The first refusal in words. */
    message: string;
    /** How many jobs were refused so. */
    count: number;
    /** The first of these jobs. */
    sample?: string;
  }[];
  /** Why it makes no progress now. */
  waitsFor?: string;
  /** The reason that was given. */
  reason?: string;
  /** The most jobs per second that were asked for. */
  perSecond?: number;
  /** The operation that this one takes back. */
  undoOf?: string;
  /** Whether its work can be taken back now. */
  undoable: boolean;
  /** When it was accepted. */
  startedAt: string;
  /** When it last made progress. */
  updatedAt: string;
  /** When it ended. `null`: it has not ended. */
  endedAt: string | null;
}
