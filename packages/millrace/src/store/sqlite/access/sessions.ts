import { MOST_SESSIONS_PER_KEY, type SessionRow, sessionOf, sessionValues } from "../../rows/session-rows.ts";
import type { StoredSession } from "../../verbs/access.ts";
import type { Core, ReadView } from "../core.ts";

const ADD = "INSERT INTO session (id_hash, key_id, proof, created_at, expires_at) VALUES (?, ?, ?, ?, ?)";
const DROP_EXPIRED = "DELETE FROM session WHERE expires_at <= ?";
const DROP_OLDEST = `DELETE FROM session WHERE id_hash IN
  (SELECT id_hash FROM session WHERE key_id IS ? ORDER BY created_at DESC, id_hash LIMIT -1 OFFSET ?)`;
const FIND = "SELECT id_hash, key_id, proof, created_at, expires_at FROM session WHERE id_hash = ?";
const END = "DELETE FROM session WHERE id_hash = ?";

export function addSession(core: Core, session: StoredSession): void {
  core.statement(ADD).run(...sessionValues(session));
  core.statement(DROP_EXPIRED).run(session.createdAt);
  core.statement(DROP_OLDEST).run(session.keyId ?? null, MOST_SESSIONS_PER_KEY);
}

export function findSession(core: ReadView, idHash: string): StoredSession | undefined {
  const row = core.statement(FIND).get(idHash) as SessionRow | undefined;
  return row && sessionOf(row);
}

export function endSession(core: Core, idHash: string): boolean {
  return Number(core.statement(END).run(idHash).changes) > 0;
}
