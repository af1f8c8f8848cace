import type { CallOptions } from "../jobs.ts";
import { ask, type Connection } from "../request.ts";
import { views } from "../routes.ts";
import type { SavedView } from "../wire.ts";

/** Calls about saved views: pages of the dashboard with their filters. */
export interface ViewCalls {
  /** The tenant's saved views by name. */
  list(options?: CallOptions): Promise<SavedView[]>;
  /** Saves a view, or replaces the one of that name. `path` is an address below `/ui`: `/jobs?status=failed`. */
  put(name: string, path: string, options?: CallOptions): Promise<SavedView>;
  /** Deletes a saved view. */
  remove(name: string, options?: CallOptions): Promise<void>;
}

export function viewCalls(connection: Connection): ViewCalls {
  return {
    list: async (options) => (await ask(connection, views.list, { ...options })).views,
    put: (name, path, options) => ask(connection, views.put, { params: { name }, body: { path }, ...options }),
    remove: (name, options) => ask(connection, views.remove, { params: { name }, ...options }),
  };
}
