import { siteKey } from "../payload.ts";

/** By this tag the runs of a site are found. */
export function siteTag(url: string): string {
  try {
    return `site:${siteKey(url)}`.slice(0, 64);
  } catch {
    // What is no address is refused by the kind itself, with the reason.
    return "site:unknown";
  }
}
