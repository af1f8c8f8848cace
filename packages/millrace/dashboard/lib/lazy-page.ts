import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import { API_BASE } from "./mount.ts";

const ASK_MS = 1_000;
/** A page that fails again this soon after a reload has another fault. */
const AGAIN_MS = 30_000;
const MARK = "millrace.loaded-anew";

/**
 * A page that is loaded when it is opened. If the server is away at that moment, or has been replaced, the whole dashboard is
 * reloaded as soon as the server answers: the address names the page, and browsers do not request a failed script again.
 */
export function lazyPage<P extends object>(
  load: () => Promise<ComponentType<P>>,
): LazyExoticComponent<ComponentType<P>> {
  return lazy(async () => {
    try {
      return { default: await load() };
    } catch (error) {
      const wasAway = await whenServerAnswers();
      if (!wasAway && Date.now() - Number(sessionStorage.getItem(MARK) ?? 0) < AGAIN_MS) throw error;
      sessionStorage.setItem(MARK, String(Date.now()));
      window.location.reload();
      // Until then it loads.
      return new Promise<never>(() => {});
    }
  });
}

/** Resolves when the server answers; true: it did not at first. */
export async function whenServerAnswers(): Promise<boolean> {
  const answers = () =>
    fetch(`${API_BASE}/health`).then(
      () => true,
      () => false,
    );
  if (await answers()) return false;
  do await new Promise((resolve) => setTimeout(resolve, ASK_MS));
  while (!(await answers()));
  return true;
}
