// Pages by address, on the browser's own history: the address says all of what is shown, so it can be shared.

import { useMemo, useSyncExternalStore } from "react";
import { API_BASE } from "./mount.ts";

const BASE = `${API_BASE}/ui`;
const listeners = new Set<() => void>();

/** Where the reader is in the dashboard. */
export interface PageAddress {
  /** Without the base path and `/ui`: `/jobs/job_4fQ81xZa`. */
  readonly path: string;
  /** The query, with its question mark. */
  readonly search: string;
}

let current = read();

function read(): PageAddress {
  const { pathname, search } = window.location;
  // A slash at the end makes no difference, as on the server.
  const path = pathname.startsWith(BASE) ? pathname.slice(BASE.length).replace(/(?<=.)\/$/, "") : "";
  return { path: path || "/", search };
}

function changed(): void {
  current = read();
  for (const listener of listeners) listener();
}

let cameBack = false;

/** True: the reader came to the page by Back or Forward, and expects it as it was. */
export function hasComeBack(): boolean {
  return cameBack;
}

export function listenToHistory(): void {
  window.addEventListener("popstate", () => {
    cameBack = true;
    changed();
  });
}

/** Goes to another page of the dashboard. With `replace`, the present one is not kept in the history. */
export function navigate(to: string, { replace = false }: { replace?: boolean } = {}): void {
  const url = BASE + to;
  if (url === window.location.pathname + window.location.search) return;
  const samePage = url.split("?")[0] === window.location.pathname;
  if (!replace) cameBack = false;
  window.history[replace ? "replaceState" : "pushState"](null, "", url);
  changed();
  if (!samePage) window.scrollTo(0, 0);
}

/** Where the reader is in the dashboard. */
export function usePageAddress(): PageAddress {
  return useSyncExternalStore(subscribe, () => current);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The query of the address, and a way to change some of it; an empty value takes a name out. */
export function useQueryState(): [URLSearchParams, (changes: Record<string, string | undefined>) => void] {
  const { search } = usePageAddress();
  const params = useMemo(() => new URLSearchParams(search), [search]);
  return [params, changeQuery];
}

function changeQuery(changes: Record<string, string | undefined>): void {
  const next = new URLSearchParams(current.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value) next.set(name, value);
    else next.delete(name);
  }
  const text = next.toString();
  // Typing in a filter must not fill the history with every letter.
  navigate(current.path + (text && `?${text}`), { replace: true });
}

/** The address of a page of the dashboard, for links. */
export function hrefOf(to: string): string {
  return BASE + to;
}

/** The page that a link of ours leads to. */
export function pageOf({ pathname }: HTMLAnchorElement): string {
  return pathname.slice(BASE.length);
}
