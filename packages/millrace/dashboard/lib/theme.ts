import { useSyncExternalStore } from "react";

/** The reader's choice of theme. */
export type Theme = "system" | "light" | "dark";

const KEY = "millrace-theme";
const listeners = new Set<() => void>();

function stored(): Theme {
  try {
    const value = localStorage.getItem(KEY);
    return value === "light" || value === "dark" ? value : "system";
  } catch {
    return "system";
  }
}

let theme: Theme = stored();
const dark = window.matchMedia("(prefers-color-scheme: dark)");
dark.addEventListener("change", apply);

export function apply(): void {
  document.documentElement.dataset["theme"] = isDark() ? "dark" : "light";
  for (const listener of listeners) listener();
}

export function setTheme(next: Theme): void {
  theme = next;
  try {
    if (next === "system") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, next);
  } catch {
    // A browser that keeps nothing forgets this too.
  }
  apply();
}

export function isDark(): boolean {
  return theme === "dark" || (theme === "system" && dark.matches);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The reader's choice of theme, and whether the dark one is shown. */
export function useTheme(): { theme: Theme; dark: boolean } {
  const chosen = useSyncExternalStore(subscribe, () => theme);
  const isNowDark = useSyncExternalStore(subscribe, isDark);
  return { theme: chosen, dark: isNowDark };
}
