// All data comes through the client of the API. Queries are kept fresh by the live feed; while it is cut, by asking.

import { QueryClient, type UseQueryResult, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, useContext, useEffect } from "react";
import { type Client, createClient, MillraceError } from "../../src/client/index.ts";
import { live, type Moves, useLiveState } from "./live.ts";
import { say } from "./messages.ts";

/** The pages are the server's own, so its address is none at all. The cookie says who we are. */
export function clientFor(tenant?: string): Client {
  return createClient({ baseUrl: "", retries: 1, timeoutMs: 20_000, ...(tenant !== undefined && { tenant }) });
}

export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: 1_000, gcTime: 60_000 }, mutations: { retry: false } },
});

export interface Session {
  readonly name: string;
  readonly tenant: string;
  readonly root: boolean;
  readonly scopes: readonly string[];
}

export interface Surroundings {
  readonly session: Session;
  /** Reads across tenants where the session may. */
  readonly client: Client;
}

export const SurroundingsContext = createContext<Surroundings | undefined>(undefined);

export function useSurroundings(): Surroundings {
  const found = useContext(SurroundingsContext);
  if (!found) throw new Error("Outside of a session.");
  return found;
}

export function useClient(): Client {
  return useSurroundings().client;
}

/** `root`: the administrator, over all tenants. */
export type Scope = "submit" | "read" | "admin" | "root";

/** What the session may do; buttons that would be refused are not shown. */
export function useMay(): (scope: Scope) => boolean {
  const { scopes, root } = useSurroundings().session;
  return (scope) => root || (scope !== "root" && (scopes.includes("admin") || scopes.includes(scope)));
}

interface LiveQuery<T> {
  readonly key: readonly unknown[];
  readonly load: (client: Client, signal: AbortSignal) => Promise<T>;
  /** Asked again this often also while the feed is open: for what changes without a job moving. */
  readonly everyMs?: number | false;
  readonly enabled?: boolean;
  /** Which moves make it stale; all of them unless said. */
  readonly concerns?: (moves: Moves) => boolean;
}

const POLL_WHILE_CUT_MS = 2_000;

export function useLiveQuery<T>({ key, load, everyMs, enabled = true, concerns }: LiveQuery<T>): UseQueryResult<T> {
  const client = useClient();
  const queries = useQueryClient();
  const state = useLiveState();
  const hash = JSON.stringify(key);
  useEffect(() => {
    if (!enabled) return;
    return live.onMoves((moves) => {
      if (concerns === undefined || concerns(moves)) void queries.invalidateQueries({ queryKey: JSON.parse(hash) });
    });
  }, [queries, hash, enabled, concerns]);
  const wanted = everyMs ?? 15_000;
  const interval = state === "cut" ? Math.min(wanted || POLL_WHILE_CUT_MS, POLL_WHILE_CUT_MS) : wanted;
  return useQuery({
    queryKey: key,
    queryFn: ({ signal }) => load(client, signal),
    refetchInterval: interval,
    enabled,
    placeholderData: (previous) => previous,
  });
}

interface Act<Input, Output> {
  readonly run: (client: Client, input: Input) => Promise<Output>;
  /** What is said when it is done. */
  readonly done?: (output: Output, input: Input) => string | undefined;
  readonly after?: (output: Output, input: Input) => void;
}

/** Something a person does: told when done, told why when not, and everything on the page looked at again. */
export function useAct<Input = void, Output = unknown>({ run, done, after }: Act<Input, Output>) {
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
  if (error.status === 0) return "The server cannot be reached. Is it running?";
  const issues = error.issues.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join("; ");
  const text = error.code === "invalid-request" && issues ? `Not accepted: ${issues}.` : error.message;
  return error.hint && !text.includes(error.hint) ? `${text.replace(/[^.!?]$/, "$&.")} ${error.hint}` : text;
}
