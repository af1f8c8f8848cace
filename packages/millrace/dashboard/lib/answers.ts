// Whether the server answers, as the requests of this page find out. A server that is away, and one that answers with errors, are
// shown in different words.

import { useSyncExternalStore } from "react";

/** What the last requests found. */
export interface ServerAnswers {
  /** "away": no connection. "failing": it answers with errors of its own. */
  readonly state: "well" | "away" | "failing";
  /** When it last answered well, in milliseconds since 1970. */
  readonly lastAt: number;
}

let answers: ServerAnswers = { state: "well", lastAt: Date.now() };
const listeners = new Set<() => void>();

function set(next: ServerAnswers): void {
  const isTold = next.state !== answers.state;
  answers = next;
  if (isTold) for (const listener of listeners) listener();
}

/** `fetch`, which also notes how the server answers. */
export async function notedFetch(url: string | URL | Request, init?: RequestInit): Promise<Response> {
  try {
    const response = await fetch(url, init);
    if (response.status < 500) set({ state: "well", lastAt: Date.now() });
    else set({ ...answers, state: "failing" });
    return response;
  } catch (error) {
    // A request that the page itself gave up says nothing about the server.
    if (!init?.signal?.aborted) set({ ...answers, state: "away" });
    throw error;
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useServerAnswers(): ServerAnswers {
  return useSyncExternalStore(subscribe, () => answers);
}
