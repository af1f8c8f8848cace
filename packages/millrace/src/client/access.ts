import type { accessRoutes } from "../api/access.ts";
import type { CallOptions } from "./jobs.ts";
import { ask, type Connection } from "./request.ts";
import { type AnswerOf, access, type BodyOf, type QueryOf } from "./routes.ts";
import type { AuditEntry, Key, OutboxView, Tenant } from "./wire.ts";

/** Calls about keys, tenants, the audit list and settings. Most need the scope `admin`. */
export interface AccessCalls {
  /** API keys: list, create and revoke them. */
  readonly keys: {
    /** All keys, without their secrets. */
    list(options?: CallOptions): Promise<Key[]>;
    /** Creates a key. Its secret is in this answer and nowhere else. */
    create(
      key: BodyOf<typeof accessRoutes.createKey>,
      options?: CallOptions,
    ): Promise<AnswerOf<typeof accessRoutes.createKey>>;
    /** Revokes a key. It stops working at once. */
    revoke(keyId: string, options?: CallOptions): Promise<void>;
  };
  /** Every tenant with its running and pending jobs. */
  tenants(options?: CallOptions): Promise<Tenant[]>;
  /** Every outbox with the rows that wait in it. Only for the administrator of all tenants. */
  outboxes(options?: CallOptions): Promise<OutboxView[]>;
  /** Administrative actions with their caller, newest first. */
  audit(query?: QueryOf<typeof accessRoutes.audit>, options?: CallOptions): Promise<AuditEntry[]>;
  /** The server's effective settings. Secrets are masked. */
  config(options?: CallOptions): Promise<AnswerOf<typeof accessRoutes.config>["settings"]>;
  /** The dashboard's sign-in, by cookie. */
  readonly session: {
    /** Signs in with a key and sets the cookie. */
    signIn(key: string, options?: CallOptions): Promise<AnswerOf<typeof accessRoutes.signIn>>;
    /** Who is signed in. */
    get(options?: CallOptions): Promise<AnswerOf<typeof accessRoutes.session>>;
    /** Ends the session. */
    signOut(options?: CallOptions): Promise<void>;
  };
}

export function accessCalls(connection: Connection): AccessCalls {
  return {
    keys: {
      list: async (options) => (await ask(connection, access.keys, { ...options })).keys,
      create: (body, options) => ask(connection, access.createKey, { body, ...options }),
      revoke: (keyId, options) => ask(connection, access.revokeKey, { params: { keyId }, ...options }),
    },
    tenants: async (options) => (await ask(connection, access.tenants, { ...options })).tenants,
    outboxes: async (options) => (await ask(connection, access.outboxes, { ...options })).outboxes,
    audit: async (query = {}, options) => (await ask(connection, access.audit, { query, ...options })).entries,
    config: async (options) => (await ask(connection, access.config, { ...options })).settings,
    session: {
      signIn: (key, options) => ask(connection, access.signIn, { body: { key }, ...options }),
      get: (options) => ask(connection, access.session, { ...options }),
      signOut: (options) => ask(connection, access.signOut, { ...options }),
    },
  };
}
