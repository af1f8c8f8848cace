// All data comes through the client of the API. Queries are kept fresh by the live feed; while it is cut, by asking.

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, useContext, useEffect } from "react";
import { type Client, createClient, MillraceError } from "../../src/client/index.ts";
import { notedFetch } from "./answers.ts";
import { live, type Moves, useLiveState } from "./live.ts";
import { say } from "./messages.ts";
import { API_BASE } from "./mount.ts";

/** A client for one tenant. The pages come from the API's own server, so a path is enough. A cookie says who we are. */
export function clientFor(tenant?: string): Client {
  const options = { baseUrl: API_BASE, retries: 1, timeoutMs: 20_000, fetch: notedFetch };
  return createClient({ ...options, ...(tenant !== undefined && { tenant }) });
}

/** Who looks at the page. */
export interface Session {
  /** The name of the person or key. */
  readonly name: string;
  /** Their tenant. */
  readonly tenant: string;
  /** True: the administrator over all tenants. */
  readonly root: boolean;
  /** True: they can read across tenants. */
  readonly allTenants: boolean;
  /** Their permissions. */
  readonly scopes: readonly string[];
}

export interface SessionContext {
  readonly session: Session;
  /** Reads across tenants where the session may. */
  readonly client: Client;
}

export const SurroundingsContext = createContext<SessionContext | undefined>(undefined);

export function useSurroundings(): SessionContext {
  const found = useContext(SurroundingsContext);
  if (!found) throw new Error("There is no session here.");
  return found;
}

/** The client of the session. It reads across tenants where the session may. */
export function useClient(): Client {
  return useSurroundings().client;
}

/** Who looks at the page. */
export function useSession(): Session {
  return useSurroundings().session;
}

/** `root`: the administrator, over all tenants. Those of workloads have a colon: `greetings:write`. */
export type SessionScope = "submit" | "read" | "draw" | "admin" | "root" | `${string}:${string}`;

/** What the session may do; buttons that would be refused are not shown. */
export function useMay(): (scope: SessionScope) => boolean {
  const { scopes, root } = useSurroundings().session;
  return (scope) => root || (scope !== "root" && (scopes.includes("admin") || scopes.includes(scope)));
}

/** Options of `useLiveQuery()`. */
export interface LiveQueryOptions<T> {
  /** Names the data; queries with the same key share it. */
  readonly key: readonly unknown[];
  /** Loads the data. */
  readonly load: (client: Client, signal: AbortSignal) => Promise<T>;
  /**
   * Load again this often, in milliseconds, also while the feed is open: for data that changes without a job moving.
   * Default: 15,000.
   */
  readonly everyMs?: number | false | ((data: T | undefined) => number);
  /** False: do not load yet. Default: true. */
  readonly enabled?: boolean;
  /** Which moves of jobs make it stale. Default: all of them, or none where `events` are named. */
  readonly concerns?: (moves: Moves) => boolean;
  /** Events of workloads that make the data stale: `["greetings.greeted"]`. Default: none. */
  readonly events?: readonly string[];
}

/** The loaded data, and whether loading failed. */
export interface LiveResult<T> {
  /** The last that was loaded; it stays while it is loaded again, and if that fails. */
  readonly data: T | undefined;
  /** Why it could not be loaded last. */
  readonly error: Error | null;
  /** Nothing is known yet. */
  readonly isPending: boolean;
  /** True: it is being loaded, for the first time or again. */
  readonly isFetching: boolean;
  /** Loads it again now. */
  refetch(): Promise<unknown>;
}

const POLL_WHILE_CUT_MS = 2_000;

/** Data of the API that stays fresh: loaded again when the live feed tells of a change, and every 15 s. */
export function useLiveQuery<T>(options: LiveQueryOptions<T>): LiveResult<T> {
  const { key, load, everyMs, enabled = true, concerns, events } = options;
  const client = useClient();
  const queries = useQueryClient();
  const state = useLiveState();
  const hash = JSON.stringify(key);
  const eventNames = events?.join(" ");
  useEffect(() => {
    if (!enabled) return;
    const names = eventNames === undefined ? undefined : eventNames.split(" ");
    return live.onMoves((moves, heard) => {
      if (document.hidden) return;
      const isStale = names?.some((name) => heard.has(name)) || (concerns?.(moves) ?? (!names || moves === undefined));
      if (isStale) void queries.invalidateQueries({ queryKey: JSON.parse(hash) });
    });
  }, [queries, hash, enabled, concerns, eventNames]);
  const interval = (data: T | undefined) => {
    const wanted = typeof everyMs === "function" ? everyMs(data) : (everyMs ?? 15_000);
    return state === "cut" ? Math.min(wanted || POLL_WHILE_CUT_MS, POLL_WHILE_CUT_MS) : wanted;
  };
  return useQuery({
    queryKey: key,
    queryFn: ({ signal }) => load(client, signal),
    refetchInterval: (query) => interval(query.state.data),
    enabled,
    placeholderData: (previous) => previous,
  });
}

/** Options of `useAct()`. */
export interface ActOptions<Input, Output> {
  /** What to do. */
  readonly run: (client: Client, input: Input) => Promise<Output>;
  /** The sentence that is shown when it is done. Default: none. */
  readonly done?: (output: Output, input: Input) => string | undefined;
  /** Called when it is done. Default: none. */
  readonly after?: (output: Output, input: Input) => void;
}

/** Something a person can do. */
export interface Act<Input, Output> {
  /** Does it. */
  mutate(input: Input): void;
  /** Does it, and resolves with its result. */
  mutateAsync(input: Input): Promise<Output>;
  /** True: it is under way. */
  readonly isPending: boolean;
  /** Why it failed last. */
  readonly error: Error | null;
  /** The arguments of the last call. */
  readonly variables: Input | undefined;
}

/** Something a person does: told when done, told why when not, and everything on the page looked at again. */
export function useAct<Input = void, Output = unknown>({
  run,
  done,
  after,
}: ActOptions<Input, Output>): Act<Input, Output> {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation<Output, Error, Input>({
    mutationFn: (input) => run(client, input),
    onSuccess: (output, input) => {
      const message = done?.(output, input);
      if (message) say(message);
      after?.(output, input);
      void queries.invalidateQueries();
    },
    onError: (error) => {
      // An open dialog says it itself.
      if (!document.querySelector("dialog[open]")) say(sentenceOf(error), "wrong");
    },
  });
}

/** One sentence, with the next step where there is one. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof MillraceError)) return error instanceof Error ? error.message : String(error);
  if (error.code === "request-timeout")
    return "No answer within 20 s. The server may still be working on it: look again before you repeat it.";
  if (error.status === 0) return "The server cannot be reached. Check that it is running.";
  const issues = error.issues.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join("; ");
  const text = error.code === "invalid-request" && issues ? `Not accepted: ${issues}.` : error.message;
  return error.hint && !text.includes(error.hint) ? `${text.replace(/[^.!?]$/, "$&.")} ${error.hint}` : text;
}
