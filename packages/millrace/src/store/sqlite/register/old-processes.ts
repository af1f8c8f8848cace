import type { DatabaseSync } from "node:sqlite";
import { isGone, isListed } from "../../../lib/runtime/process-identity.ts";
import { oldProcessLives } from "../../plans/deployment.ts";

const LIVING = "SELECT name, place, expires_at FROM instance WHERE expires_at > 0 ORDER BY id";

/** Version 0.1.0 rewrites the links between stages and cannot keep plans: it must not run beside this schema. */
export function refuseOldProcesses(db: DatabaseSync): void {
  const rows = db.prepare(LIVING).all() as { name: string; place: string | null; expires_at: number }[];
  // A suspended process may wake up. If the operating system still lists it, it lives, whatever its lease says.
  const living = rows.find(({ place, expires_at }) =>
    expires_at > Date.now() ? place === null || !isGone(place) : place !== null && isListed(place),
  );
  if (living) throw oldProcessLives(living.name);
}
