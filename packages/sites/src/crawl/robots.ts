import { type FetchOptions, fetchGuarded, ROBOTS_NAME } from "../fetch/fetch.ts";
import { allowed, groupFor, parseRobots } from "./robots-rules.ts";

/** What a host's robots.txt says, as it is kept. */
export interface RobotsFile {
  origin: string;
  /** `none`: there is none, all is allowed (RFC 9309). `closed`: the host could not say, so nothing is fetched now. */
  state: "rules" | "none" | "closed";
  text: string;
  reason?: string;
}

const MAX_BYTES = 500_000;
const MAX_CHARS = 200_000;

export async function fetchRobots(origin: string, options: FetchOptions): Promise<RobotsFile> {
  const { status, body } = await fetchGuarded(`${origin}/robots.txt`, {
    ...options,
    limits: { ...options.limits, maxBytes: MAX_BYTES },
  });
  if (status >= 200 && status < 300) {
    return { origin, state: "rules", text: new TextDecoder().decode(body.subarray(0, MAX_BYTES)).slice(0, MAX_CHARS) };
  }
  if (status >= 500 || status === 429) return closed(origin, `it answered ${status}`);
  return { origin, state: "none", text: "" };
}

function closed(origin: string, reason: string): RobotsFile {
  return { origin, state: "closed", text: "", reason };
}

/** What a host asks of us beside its rules. */
export interface RobotsWishes {
  readonly delayMs: number;
  readonly sitemaps: readonly string[];
}

export interface Robots extends RobotsWishes {
  allows(url: string, agent?: string): boolean;
}

export function robotsWishes(file: RobotsFile): RobotsWishes {
  const { delayMs, sitemaps } = robotsOf(file);
  return { delayMs, sitemaps };
}

export function robotsAllow(file: RobotsFile, url: string): boolean {
  return robotsOf(file).allows(url);
}

const MAX_DELAY_MS = 10_000;

export function robotsOf(file: RobotsFile): Robots {
  if (file.state === "closed") return { allows: () => false, delayMs: 0, sitemaps: [] };
  const { groups, sitemaps } = parseRobots(file.text);
  const own = groupFor(groups, ROBOTS_NAME);
  return {
    allows: (url, agent = ROBOTS_NAME) => allowed(groupFor(groups, agent), new URL(url)),
    delayMs: Math.min(MAX_DELAY_MS, Math.max(0, (own?.delayS ?? 0) * 1_000)),
    sitemaps: sitemaps.slice(0, 5),
  };
}
