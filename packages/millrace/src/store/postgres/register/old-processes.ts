import { isGone, isListed } from "../../../lib/runtime/process-identity.ts";
import { oldProcessLives } from "../../plans/deployment.ts";
import { NOW } from "../connection/clock.ts";
import type { StatementRunner } from "../connection/connection.ts";

const LIVING = `SELECT name, place, expires_at > ${NOW} AS renewed FROM millrace.instance WHERE expires_at > 0 ORDER BY id`;

/** Version 0.1.0 rewrites the links between stages and cannot keep plans: it must not run beside this schema. */
export async function refuseOldProcesses(tx: StatementRunner): Promise<void> {
  const rows = await tx.run<{ name: string; place: string | null; renewed: boolean }>(LIVING, [null]);
  // A suspended process may wake up. If the operating system still lists it, it lives, whatever its lease says.
  const living = rows.find(({ place, renewed }) =>
    renewed ? place === null || !isGone(place) : place !== null && isListed(place),
  );
  if (living) throw oldProcessLives(living.name);
}
