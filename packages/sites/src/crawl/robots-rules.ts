// The Robots Exclusion Protocol (RFC 9309). Its patterns are matched by two pointers and not by regular expressions: a
// file full of stars would keep those busy for hours. Matching takes at most (characters of the rules) × (characters of the
// path), so both are bounded.

interface Rule {
  allow: boolean;
  pattern: string;
}

export interface RobotsGroup {
  agents: string[];
  rules: Rule[];
  delayS?: number;
}

const MAX_RULES = 5_000;
const MAX_LINE_CHARS = 2_000;
const MAX_SITEMAPS = 50;
/** A longer path counts as forbidden wherever there are rules. */
const MAX_PATH_CHARS = 2_000;

export function parseRobots(text: string): { groups: RobotsGroup[]; sitemaps: string[] } {
  const groups: RobotsGroup[] = [];
  const sitemaps: string[] = [];
  let group: RobotsGroup | undefined;
  let rules = 0;
  for (const line of text.replace(/^\uFEFF/, "").split(/\r\n|\n|\r/)) {
    const [, field = "", value = ""] = /^\s*([\w-]+)\s*:\s*([^#]*)/.exec(line.slice(0, MAX_LINE_CHARS)) ?? [];
    const name = field.toLowerCase();
    const content = value.trim();
    if (name === "sitemap") {
      const address = line.slice(line.indexOf(":") + 1).trim();
      if (sitemaps.length < MAX_SITEMAPS && address.length <= MAX_LINE_CHARS) sitemaps.push(address);
    } else if (name === "user-agent") {
      // Agents that follow each other share the rules after them.
      if (!group || group.rules.length > 0 || group.delayS !== undefined) {
        group = { agents: [], rules: [] };
        groups.push(group);
      }
      group.agents.push(content.toLowerCase());
    } else if ((name === "allow" || name === "disallow") && group && ++rules <= MAX_RULES) {
      group.rules.push({ allow: name === "allow", pattern: content });
    } else if (name === "crawl-delay" && group && Number(content) >= 0) group.delayS = Number(content);
  }
  return { groups, sitemaps: sitemaps.filter((url) => URL.canParse(url)) };
}

/** All that is said to this agent, or else to all. */
export function groupFor(groups: readonly RobotsGroup[], agent: string): RobotsGroup | undefined {
  const name = agent.toLowerCase();
  const own = groups.filter(({ agents }) => agents.includes(name));
  const fitting = own.length > 0 ? own : groups.filter(({ agents }) => agents.includes("*"));
  if (fitting.length === 0) return undefined;
  const delayS = fitting.find((group) => group.delayS !== undefined)?.delayS;
  return {
    agents: fitting.flatMap(({ agents }) => agents),
    rules: fitting.flatMap((group) => group.rules),
    ...(delayS !== undefined && { delayS }),
  };
}

/** The longest pattern that fits decides; of two as long, the one that allows. */
export function allowed(group: RobotsGroup | undefined, url: URL): boolean {
  const path = `${normal(url.pathname)}${url.search}`;
  if (!group || path === "/robots.txt") return true;
  if (path.length > MAX_PATH_CHARS) return false;
  let best: { length: number; allow: boolean } = { length: -1, allow: true };
  for (const { allow, pattern } of group.rules) {
    if (pattern === "" || !fits(normal(pattern), path)) continue;
    if (pattern.length > best.length || (pattern.length === best.length && allow))
      best = { length: pattern.length, allow };
  }
  return best.allow;
}

/** `*` stands for anything, `$` at the end for the end. */
function fits(pattern: string, path: string): boolean {
  const anchored = pattern.endsWith("$");
  const parts = (anchored ? pattern.slice(0, -1) : pattern).split("*");
  const [first = "", ...rest] = parts;
  if (!path.startsWith(first)) return false;
  let at = first.length;
  for (const [i, part] of rest.entries()) {
    const last = i === rest.length - 1;
    if (last && anchored) {
      const end = path.length - part.length;
      return end >= at && path.endsWith(part);
    }
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return !anchored || at === path.length;
}

/** The same character is written in one way, escaped or not. */
function normal(path: string): string {
  try {
    return encodeURI(decodeURI(path));
  } catch {
    return path;
  }
}
