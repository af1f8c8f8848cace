import { MOST_SESSIONS_PER_KEY, type SessionRow, sessionOf, sessionValues } from "../../rows/session-rows.ts";
import type { StoredSession } from "../../verbs/access.ts";
import type { Core } from "../core.ts";

const ADD = "INSERT INTO millrace.session (id_hash, key_id, proof, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)";
const DROP_EXPIRED = "DELETE FROM millrace.session WHERE expires_at <= $1";
const DROP_OLDEST = `DELETE FROM millrace.session WHERE id_hash IN (SELECT id_hash FROM millrace.session
  WHERE key_id IS NOT DISTINCT FROM $1 ORDER BY created_at DESC, id_hash OFFSET $2)`;
const FIND = "SELECT id_hash, key_id, proof, created_at, expires_at FROM millrace.session WHERE id_hash = $1";
const END = "DELETE FROM millrace.session WHERE id_hash = $1 RETURNING id_hash";

export async function addSession(core: Core, session: StoredSession): Promise<void> {
  await core.connections.write.transact(async (tx) => {
    await tx.run(ADD, sessionValues(session));
    await tx.run(DROP_EXPIRED, [session.createdAt]);
    await tx.run(DROP_OLDEST, [session.keyId ?? null, MOST_SESSIONS_PER_KEY]);
  });
}

export async function findSession(core: Core, idHash: string): Promise<StoredSession | undefined> {
  const [row] = await core.connections.write.run<SessionRow>(FIND, [idHash]);
  return row && sessionOf(row);
}

export async function endSession(core: Core, idHash: string): Promise<boolean> {
  return (await core.connections.write.run(END, [idHash])).length > 0;
}
