import { FetchFault } from "../fetch/fault.ts";
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

/** The standard asks for 500 KiB at least. */
const MAX_BYTES = 512_000;

export async function fetchRobots(origin: string, options: FetchOptions): Promise<RobotsFile> {
  const found = await fetchGuarded(`${origin}/robots.txt`, {
    ...options,
    limits: { ...options.limits, maxBytes: MAX_BYTES },
  }).catch((error: unknown) => {
    // A file behind more than five redirects counts as one that is not there.
    if (error instanceof FetchFault && error.code === "too-many-redirects") return undefined;
    throw error;
  });
  if (found === undefined) return { origin, state: "none", text: "" };
  const { status, body } = found;
  if (status >= 200 && status < 300) {
    return { origin, state: "rules", text: keptText(body.subarray(0, MAX_BYTES)) };
  }
  if (status >= 500 || status === 429) return closed(origin, `it answered ${status}`);
  return { origin, state: "none", text: "" };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they have no place in a file of rules
const CONTROL = /[\u0000-\u0009\u000B\u000C\u000E-\u001F]/g;

/** Without characters that take more room in a step than in the file: the file at its largest must fit into one. */
function keptText(body: Uint8Array): string {
  return new TextDecoder().decode(body).replaceAll(CONTROL, " ").replaceAll("\uFFFD", "?");
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

export function robotsAllow(file: RobotsFile, url: string, agent?: string): boolean {
  return robotsOf(file).allows(url, agent);
}

/** The file is asked about for every page, so the last one is kept as parsed. */
let last: { text: string; rules: ReturnType<typeof parseRobots> } | undefined;

function parsed({ text, origin }: RobotsFile): ReturnType<typeof parseRobots> {
  if (last?.text !== text) last = { text, rules: parseRobots(text, origin) };
  return last.rules;
}

const MAX_DELAY_MS = 10_000;

export function robotsOf(file: RobotsFile): Robots {
  if (file.state === "closed") return { allows: () => false, delayMs: 0, sitemaps: [] };
  const { groups, sitemaps } = parsed(file);
  const own = groupFor(groups, ROBOTS_NAME);
  return {
    allows: (url, agent = ROBOTS_NAME) => allowed(groupFor(groups, agent), new URL(url)),
    delayMs: Math.min(MAX_DELAY_MS, Math.max(0, (own?.delayS ?? 0) * 1_000)),
    sitemaps: sitemaps.slice(0, 5),
  };
}
