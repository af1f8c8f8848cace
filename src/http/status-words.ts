import { AppError } from "../lib/app-error.ts";
import type { Engine } from "./engine.ts";

const ALWAYS = new Set([
  "pending",
  "not-started",
  "running",
  "completed",
  "done",
  "failed",
  "cancelled",
  "scheduled",
  "retrying",
  "held",
]);

/** A status that is none would match nothing, and whoever mistyped it would believe that there is nothing. */
export async function checkStatus(engine: Engine, status: string | undefined): Promise<void> {
  if (status === undefined || ALWAYS.has(status)) return;
  const stages = (await engine.kinds()).flatMap((kind) => kind.stages.map(({ stage }) => stage));
  if (stages.includes(status)) return;
  const allowed = [...new Set([...ALWAYS, ...stages])].join(", ");
  throw new AppError("invalid-request", `"${status}" is not a status.`, {
    hint: `Allowed: ${allowed}.`,
    details: { issues: [{ path: "status", message: `one of ${allowed}` }] },
  });
}
