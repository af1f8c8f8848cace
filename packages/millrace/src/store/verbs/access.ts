// Who may use the API: keys, sessions of the dashboard, and the audit log.

export interface AccessVerbs {
  /** Adds a key. A key is later revoked, never changed: an existing id is refused. */
  putKey(key: ApiKey): Promise<void>;
  /** Keys, newest first. With an id, only the key with that id. */
  keys(id?: string): Promise<ApiKey[]>;
  /** Returns false if the key is unknown or was revoked before. */
  revokeKey(id: string): Promise<boolean>;
  /** Also deletes expired sessions, and the oldest session of a key that has too many. */
  addSession(session: StoredSession): Promise<void>;
  findSession(idHash: string): Promise<StoredSession | undefined>;
  /** Returns false if the session was ended before. */
  endSession(idHash: string): Promise<boolean>;
  addAudit(entry: NewAuditEntry): Promise<void>;
  /** Entries, newest first. `beforeId` is the last entry of the previous page. */
  audit(page: AuditPage): Promise<AuditEntry[]>;
}

/** Gives a program of one tenant some scopes. Only a hash of its secret is stored. */
export interface ApiKey {
  id: string;
  name: string;
  tenant: string;
  scopes: KeyScope[];
  secretHash: string;
  createdAt: number;
  expiresAt?: number;
  revokedAt?: number;
}

/** The last form is for the scopes of workloads, such as `greetings:write`. */
export type KeyScope = "submit" | "read" | "draw" | "admin" | `${string}:${string}`;

/** A sign-in of the dashboard. The cookie holds the id; the store has its hash. */
export interface StoredSession {
  idHash: string;
  /** The key that signed in. Missing: the administrator's key. */
  keyId?: string;
  /** A hash of the session id and of the key that signed in, so that a new administrator's key ends the session. */
  proof: string;
  createdAt: number;
  expiresAt: number;
}

/** One act of an operator. */
export interface NewAuditEntry {
  who: string;
  what: string;
  target?: string;
  tenant?: string;
  traceId?: string;
}

export interface AuditPage {
  limit: number;
  beforeId?: number;
  /** Default: all tenants. */
  tenant?: string;
}

export interface AuditEntry extends NewAuditEntry {
  id: number;
  at: number;
}
