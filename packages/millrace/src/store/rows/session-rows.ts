// Sign-ins as both stores keep them.

import type { StoredSession } from "../verbs/access.ts";

/** A key signs in from a few browsers; the oldest sessions go, so that a script in a loop cannot fill the disk. */
export const MOST_SESSIONS_PER_KEY = 100;

export interface SessionRow {
  id_hash: string;
  key_id: string | null;
  proof: string;
  created_at: number;
  expires_at: number;
}

/** In the order of the table's columns. */
export function sessionValues({
  idHash,
  keyId,
  proof,
  createdAt,
  expiresAt,
}: StoredSession): (string | number | null)[] {
  return [idHash, keyId ?? null, proof, createdAt, expiresAt];
}

export function sessionOf(row: SessionRow): StoredSession {
  return {
    idHash: row.id_hash,
    ...(row.key_id !== null && { keyId: row.key_id }),
    proof: row.proof,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}
