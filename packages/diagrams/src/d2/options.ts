import { D2_THEMES } from "../api/options.ts";

export function themeNumber(theme: string | number): number {
  return typeof theme === "number" ? theme : (D2_THEMES[theme] ?? 0);
}
